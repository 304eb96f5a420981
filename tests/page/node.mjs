// The worker of a built page under Node: the same script and parts, in a context that looks like a worker's.
//
//   node node.mjs FOLDER      FOLDER: as build.py writes it
//
// Reads a line of JSON for each thing to do and answers with one: {call, args, place} calls host.py; {python}
// runs that source, whose last expression, a string, is the answer. Bytes are {"b64": …}.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import vm from "node:vm";
import { gunzipSync } from "node:zlib";

const folder = join(process.argv[2], "parts");
const files = new Map(readdirSync(folder).filter((file) => file.endsWith(".bin")).map((file) => [file.replace(/-[0-9a-f]+\.bin$/, ""), join(folder, file)]));
const script = ["pyodide.asm.js", "pyodide.js", "worker.js"].map((name) => gunzipSync(readFileSync(files.get(name))).toString());

// A worker has what Node has, without what tells Pyodide that this is Node.
let heard = () => {};
const worker = vm.createContext({ location: new URL("https://page.invalid/worker.js") });
const there = new Set([...vm.runInContext("Object.getOwnPropertyNames(globalThis)", worker), "global", "process"]);
for (const name of Object.getOwnPropertyNames(globalThis)) if (!there.has(name)) worker[name] = globalThis[name];
Object.assign(worker, { self: worker, importScripts() {}, WorkerGlobalScope: class {}, console, postMessage: (message) => heard(message) });
vm.runInContext(script.join("\n;\n"), worker, { filename: "worker" });

const packed = (bytes) => ({ b64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64") });
const plain = (value) => JSON.stringify(value, (_, each) => (ArrayBuffer.isView(each) ? packed(each) : each));

function ask(message) {
  return new Promise((resolve) => {
    heard = (said) => said.stage || resolve(said);
    worker.onmessage({ data: { id: 0, ...message } });
  });
}

for (const [name, file] of files) worker.onmessage({ data: { part: name, content: new Uint8Array(readFileSync(file)) } });
console.log(plain(await ask({ call: "start worker", args: {} })));
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  if (asked.python === undefined) console.log(plain(await ask(asked)));
  else {
    try {
      console.log(plain({ answer: worker.python.runPython(asked.python) }));
    } catch (error) {
      console.log(plain({ error: String(error.message) }));
    }
  }
}
process.exit(0); // Pyodide keeps timers
