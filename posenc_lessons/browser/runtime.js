// One Python for a page, whoever asks: fetches its parts, starts the worker, and passes calls of host.py on.
//
//   const python = await connect({ onlyLanguage: "zh", progress: ({ stage, share }) => … });
//   const view = await python.ask("tab-1", "start", ["rotation", "", "zh", "light"]);
//
// Of several values for the same control only the newest is computed: the promises of older ones give {}.

import { FIRST, FOLDER, FONT, PARTS } from "./made.js";

export const STAGES = ["download", "python", "numpy", "explorers"];
const WORKER_SCRIPTS = ["pyodide.asm.js", "pyodide.js", "worker.js"]; // the worker's own script, in this order
const REPLACEABLE = new Set(["set", "point"]); // by call and its first argument

let python = null;

// Resolves once Python is up; rejects where it cannot be. `onlyLanguage`: the only one there is, if so.
export function connect(options = {}) {
  python ??= new Python(options);
  return python.ready.then(() => python);
}

// What shows an explorer before Python is there: still(name, language, mode) is its first view.
export async function firstViews() {
  const { arrays, views } = JSON.parse(await new Response(unpacked(await read(FIRST, () => {}))).text());
  const revived = ({ at, ...rest }) => (at === undefined ? rest : bytesOf(arrays[at]));
  const deep = (value) => {
    if (Array.isArray(value)) return value.map(deep);
    if (value === null || typeof value !== "object") return value;
    const whole = revived(value);
    return whole instanceof Uint8Array ? whole : Object.fromEntries(Object.entries(whole).map(([key, each]) => [key, deep(each)]));
  };
  return (name, language, mode) => deep(views[language][mode][name]);
}

// The course's Chinese font, as bytes.
export async function readFont() {
  return new Response(unpacked(await read(FONT, () => {}))).arrayBuffer();
}

class Python {
  constructor({ onlyLanguage = null, progress = () => {} }) {
    this.waiting = []; // calls not yet sent
    this.inFlight = null;
    this.count = 0;
    this.progress = progress;
    this.ready = this.start(onlyLanguage);
  }

  async start(onlyLanguage) {
    if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") {
      throw new Error("this browser has no WebAssembly or no DecompressionStream");
    }
    const total = PARTS.reduce((sum, { size }) => sum + size, 0);
    let loaded = 0;
    const arrived = (bytes) => this.progress({ stage: "download", share: (loaded += bytes) / total });
    const fetched = Object.fromEntries(PARTS.map((part) => [part.name, part.name.endsWith(".wasm") ? addressOrBytes(part, arrived) : read(part, arrived)]));
    Object.values(fetched).forEach((each) => each.catch(() => {})); // the first that fails is met below
    const script = await Promise.all(WORKER_SCRIPTS.map(async (name) => new Response(unpacked(await fetched[name])).text()));
    const url = URL.createObjectURL(new Blob([script.join("\n;\n")], { type: "text/javascript" }));
    this.worker = new Worker(url);
    URL.revokeObjectURL(url);
    this.worker.onmessage = ({ data }) => this.handle(data);
    this.worker.onerror = (event) => this.rejectAll(new Error(event.message || "the worker stopped"));
    const rest = PARTS.filter(({ name }) => !WORKER_SCRIPTS.includes(name)).map(async ({ name }) => {
      const content = await fetched[name];
      this.worker.postMessage({ part: name, content }, content instanceof ArrayBuffer ? [content] : []);
    });
    await Promise.all([this.send({ call: "start worker", args: { onlyLanguage } }), ...rest]);
    this.progress({ stage: "ready", share: 1 });
  }

  // What `call` of host.py changes at `place`; {} when a newer value came before it was computed.
  ask(place, call, args = []) {
    return this.send({ place, call, args });
  }

  send(message) {
    return new Promise((resolve, reject) => {
      const last = this.waiting.at(-1);
      const newer = { ...message, resolve, reject };
      if (last && replaces(newer, last)) {
        this.waiting.pop();
        last.resolve({});
      }
      this.waiting.push(newer);
      this.sendNext();
    });
  }

  sendNext() {
    if (this.inFlight || !this.waiting.length) return;
    this.inFlight = this.waiting.shift();
    const { place, call, args } = this.inFlight;
    this.worker.postMessage({ id: ++this.count, place, call, args });
  }

  handle({ stage, id, answer, error, python_ms }) {
    if (stage) {
      this.progress({ stage, share: STAGES.indexOf(stage) / (STAGES.length - 1) });
      return;
    }
    if (id !== this.count || !this.inFlight) return;
    const { resolve, reject } = this.inFlight;
    this.inFlight = null;
    if (error === undefined) resolve(Object.assign(answer, { python_ms }));
    else reject(new Error(error));
    this.sendNext();
  }

  rejectAll(error) {
    for (const each of [this.inFlight, ...this.waiting]) each?.reject(error);
    this.waiting = [];
    this.inFlight = null;
  }
}

function replaces(newer, older) {
  return (
    REPLACEABLE.has(newer.call) &&
    older.call === newer.call &&
    older.place === newer.place &&
    older.args[0] === newer.args[0] &&
    older.args[3] === newer.args[3] // of a point: pressed, dragged or hovered
  );
}

const read = (...given) => (location.protocol === "file:" ? readScript : readFile)(...given);

// A part as bytes, from a server; its name has its content's hash, so that a copy kept by the browser will do.
async function readFile({ file }, arrived) {
  const answer = await fetch(FOLDER + file, { cache: "force-cache" });
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  const pieces = [];
  const reader = answer.body.getReader();
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    pieces.push(value);
    arrived(value.length);
  }
  return new Blob(pieces).arrayBuffer();
}

const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]"]);

// A part in WebAssembly, as {address}: when a browser compiles what comes from a server as WebAssembly, it keeps the
// machine code for the next visit. Bytes where none does, or would send it from afar without compressing it.
async function addressOrBytes(part, arrived) {
  if (location.protocol !== "file:") {
    const address = FOLDER + part.file.replace(/bin$/, "wasm");
    const { ok, headers } = await fetch(address, { method: "HEAD", cache: "force-cache" });
    const small = headers.has("content-encoding") || LOCAL.has(location.hostname);
    if (ok && small && headers.get("content-type") === "application/wasm") return { address };
  }
  return read(part, arrived);
}

// From a disk, where nothing may be fetched: a script that hands the part over as base64.
const fromScripts = new Map();
globalThis.posencPart = (name, content) => fromScripts.set(name, content);

function readScript({ name, file, size }, arrived) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${FOLDER}${file}.js`;
    script.onload = () => {
      script.remove();
      arrived(size);
      resolve(fromScripts.get(name));
      fromScripts.delete(name);
    };
    script.onerror = () => reject(new Error(`${file}.js cannot be read`));
    document.head.append(script);
  });
}

const bytesOf = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

function unpacked(content) {
  const packed = typeof content === "string" ? bytesOf(content) : content;
  return new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
}
