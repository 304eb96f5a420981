// Runs the worker of a built page under Node: the same script and parts, in a context like a worker's.
//
//   node node.mjs FOLDER      FOLDER: as build.py writes it
//
// Reads lines of JSON and answers each with a line of JSON. {call, args, place} calls host.py; {python} runs that
// source, and answers with its last expression, a string. Bytes are {"b64": …}.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import vm from "node:vm";
import { gunzipSync } from "node:zlib";

/** @typedef {Record<string, unknown>} Message */

const folder = join(process.argv[2], "parts");
const parts = readdirSync(folder).filter((file) => file.endsWith(".bin"));
const files = new Map(parts.map((file) => [file.replace(/-[0-9a-f]+\.bin$/, ""), join(folder, file)]));
const script = ["pyodide.asm.js", "pyodide.js", "worker.js"].map((name) => {
  const file = files.get(name);
  if (file === undefined) throw new Error(`${folder} has no ${name}`);
  return gunzipSync(readFileSync(file)).toString();
});

/** @type {(message: Message) => void} */
let heard = () => {};
// Give the worker the globals of Node, except those by which Pyodide would recognize Node.
const worker = vm.createContext({ location: new URL("https://page.invalid/worker.js") });
const there = new Set([...vm.runInContext("Object.getOwnPropertyNames(globalThis)", worker), "global", "process"]);
for (const name of Object.getOwnPropertyNames(globalThis))
  if (!there.has(name)) worker[name] = Reflect.get(globalThis, name);
const postMessage = (/** @type {Message} */ message) => heard(message);
Object.assign(worker, { self: worker, importScripts() {}, WorkerGlobalScope: class {}, console, postMessage });
vm.runInContext(script.join("\n;\n"), worker, { filename: "worker" });

/** @param {ArrayBufferView} bytes */
const packed = ({ buffer, byteOffset, byteLength }) => ({
  b64: Buffer.from(/** @type {ArrayBuffer} */ (buffer), byteOffset, byteLength).toString("base64"),
});
/** @param {unknown} value */
const plain = (value) => JSON.stringify(value, (_, each) => (ArrayBuffer.isView(each) ? packed(each) : each));

/**
 * Ask the worker and return its answer.
 *
 * @param {Message} message
 */
function ask(message) {
  return new Promise((resolve) => {
    heard = (said) => said["stage"] || said["steps"] || resolve(said);
    worker["onmessage"]({ data: { id: 0, ...message } });
  });
}

/**
 * Return what a page would post for a part: gzip bytes, or compiled WebAssembly with its bytes.
 *
 * @param {string} name @param {string} file
 */
async function content(name, file) {
  if (!name.endsWith(".wasm")) return new Uint8Array(readFileSync(file));
  const bytes = new Uint8Array(gunzipSync(readFileSync(file))).buffer;
  return { module: await vm.runInContext("WebAssembly", worker).compile(bytes), bytes };
}

function cpu() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000; // milliseconds
}
worker.cpu = cpu; // Python's clock of processor time does not run in WebAssembly

for (const [name, file] of files) worker.onmessage({ data: { part: name, content: await content(name, file) } });
console.log(plain(await ask({ call: "start worker", args: {} })));
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  if (asked.python === undefined) {
    const before = cpu();
    const said = await ask(asked);
    console.log(plain({ ...said, cpu_ms: cpu() - before }));
  }
  else {
    try {
      console.log(plain({ answer: worker.python.runPython(asked.python) }));
    } catch (error) {
      console.log(plain({ error: String(/** @type {Error} */ (error).message) }));
    }
  }
}
process.exit(0); // otherwise Pyodide's timers keep Node running
