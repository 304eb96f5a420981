// The one Python of a page: fetches its parts, starts the worker, and passes calls of host.py on in their order.
//
//   const python = await connect({ onlyLanguage: "zh", progress: (percent) => … });
//   const view = await python.ask("tab-1", "start", ["rotation", "", "zh", "light"]);

import { CELLS, DATA, FIRST, FOLDER, FONT, PARTS } from "./made.js";

/**
 * @import { Answer, Language, View } from "../explorers/panel/types.js"
 * @typedef {{name: string, file: string, size: number}} Part
 * @typedef {(bytes: number) => void} Arrived is called with the number of bytes that have just arrived
 * @typedef {{onlyLanguage?: string | null, progress?: (percent: number) => void}} Options
 */

const STAGES = ["python", "numpy", "explorers"];
const NUMPY = "numpy.wasm";
const DOWNLOAD = 60; // percent of the time until Python is up
const WORKER_SCRIPTS = ["pyodide.asm.js", "pyodide.js", "worker.js"]; // joined to the worker's script, in this order

/** @type {Python | null} */
let python = null;

/**
 * Start Python if it is not running, and resolve when it is up. If it cannot start, reject; the next call tries again,
 * because a part that did not load may load then. `onlyLanguage`: the language of a page in one language.
 *
 * @param {Options} [options]
 */
export function connect(options = {}) {
  const one = (python ??= new Python(options));
  if (one.failed) one.restart();
  if (options.progress) one.heard.add(options.progress);
  return one.ready.then(() => one);
}

/** Restart Python, if it was started. */
export function restart() {
  python?.restart();
}

/** Load the views that explorers show before Python is up; return a function that gives each one. @returns {Promise<(name: string, language: Language, mode: string) => View>} */
export async function firstViews() {
  const { arrays, views } = JSON.parse(await new Response(unpacked(await read(FIRST, () => {}))).text());
  /** @param {any} value @returns {any} */
  const deep = (value) => {
    if (Array.isArray(value)) return value.map(deep);
    if (value === null || typeof value !== "object") return value;
    if ("at" in value) return bytesOf(arrays[value.at]);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, deep(item)]));
  };
  return (name, language, mode) => deep(views[language][mode][name]);
}

/** Load the course's Chinese font; return its bytes. */
export async function readFont() {
  return new Response(unpacked(await read(FONT, () => {}))).arrayBuffer();
}

/** The error of a question that got no answer because Python was ended. */
export class Stopped extends Error {}

class Python {
  /** @param {Options} options */
  constructor({ onlyLanguage = null }) {
    /** @type {Map<number, {resolve: (answer: Answer) => void, reject: (error: Error) => void}>} */
    this.asked = new Map();
    this.count = 0;
    this.starts = 0; // how often Python was started, so that a start that was ended does not go on
    this.percent = 0;
    /** @type {Set<(percent: number) => void>} */
    this.heard = new Set();
    this.onlyLanguage = onlyLanguage;
    /** @type {Set<() => void>} called when Python restarts, because it has forgotten everything */
    this.restarted = new Set();
    /** @type {((steps: number, of: number) => void) | undefined} called with the steps of a training, and with all */
    this.trained = undefined;
    /** @type {Map<string, Promise<Answer>>} the data files of explorers that were requested so far, by part name */
    this.data = new Map();
    this.forgetParts();
    this.failed = false; // the last start failed
    this.ready = this.begin();
  }

  /** End Python and start it again; reject all open questions. */
  restart() {
    this.worker?.terminate();
    this.forgetParts();
    this.percent = 0;
    this.ready = this.begin();
    for (const again of this.restarted) again();
    this.rejectAll(new Stopped());
  }

  /** Call `call` of cells.py for the lesson named `lesson`; return its answer. @param {string} lesson @param {string} call @param {unknown[]} args @returns {Promise<any>} */
  async askCells(lesson, call, args) {
    await this.ready;
    await this.bringData(DATA);
    await (this.cells ??= this.bring(CELLS, "start cells"));
    return this.send({ lesson, call, args });
  }

  forgetParts() {
    this.data = new Map();
    /** @type {Promise<Answer> | undefined} what only cells need, requested when one runs */
    this.cells = undefined;
  }

  /** Fetch `part` and let the worker's `call` unpack it; later calls wait in the worker until then. @param {Part} part @param {string} call */
  bring(part, call) {
    const { name } = part;
    const { worker } = this;
    read(part, () => {}).then(
      (content) => worker?.postMessage({ part: name, content }),
      (error) => worker?.postMessage({ part: name, error: String(error.message ?? error) }),
    );
    return this.send({ call, args: { name } });
  }

  /** Bring those of `data` that are not there yet; one that failed is tried again at the next call. @param {typeof DATA} data */
  bringData(data) {
    const brought = this.data;
    const all = data.map(({ part }) => {
      const coming = brought.get(part.name) ?? this.bring(part, "start data");
      brought.set(part.name, coming);
      coming.catch(() => brought.delete(part.name));
      return coming;
    });
    return Promise.all(all);
  }

  begin() {
    this.failed = false;
    const ready = this.start();
    ready.catch(() => (this.failed = ready === this.ready)); // the next `connect` tries again
    return ready;
  }

  async start() {
    if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") {
      throw new Error("this browser has no WebAssembly or no DecompressionStream");
    }
    const start = ++this.starts;
    const total = PARTS.reduce((sum, { size }) => sum + size, 0);
    let loaded = 0;
    /** @type {Arrived} */
    const arrived = (bytes) => this.come((DOWNLOAD * (loaded += bytes)) / total);
    const fetched = Object.fromEntries(PARTS.map((part) => [part.name, part.name.endsWith(".wasm") ? compiledOnce(part, arrived) : read(part, arrived)]));
    Object.values(fetched).forEach((each) => each.catch(() => {})); // the first failure is handled below
    const script = await Promise.all(WORKER_SCRIPTS.map(async (name) => new Response(unpacked(/** @type {ArrayBuffer} */ (await fetched[name]))).text()));
    if (start !== this.starts) throw new Stopped();
    const url = URL.createObjectURL(new Blob([script.join("\n;\n")], { type: "text/javascript" }));
    const worker = (this.worker = new Worker(url));
    URL.revokeObjectURL(url);
    // A worker that was ended may still have sent something, which must not be taken for the new one's.
    worker.onmessage = ({ data }) => {
      if (worker === this.worker) this.handle(data);
    };
    worker.onerror = (event) => {
      if (worker === this.worker) this.rejectAll(new Error(event.message || "the worker stopped"));
    };
    const rest = PARTS.filter(({ name }) => !WORKER_SCRIPTS.includes(name)).map(async ({ name }) => {
      const content = await fetched[name];
      worker.postMessage({ part: name, content }, content instanceof ArrayBuffer ? [content] : []);
    });
    await Promise.all([this.send({ call: "start worker", args: { onlyLanguage: this.onlyLanguage } }), ...rest]);
    this.come(100);
  }

  /** Call `call` of host.py at `place`; return what it changed. @param {string} place @param {string} call @param {unknown[]} args */
  async ask(place, call, args) {
    await this.ready;
    const data = call === "start" ? DATA.filter(({ readers }) => readers.includes(String(args[0]))) : [];
    const coming = this.bringData(data);
    const [answer] = await Promise.all([this.send({ place, call, args }), coming]);
    return answer;
  }

  /** @param {object} message @returns {Promise<Answer>} */
  send(message) {
    return new Promise((resolve, reject) => {
      const id = ++this.count;
      this.asked.set(id, { resolve, reject });
      this.worker?.postMessage({ id, ...message });
    });
  }

  /** @param {{stage?: string, steps?: number, of: number, id: number, answer: Answer, error?: string, python_ms?: number}} message */
  handle({ stage, steps, of, id, answer, error, python_ms }) {
    if (steps) return this.trained?.(steps, of);
    if (stage) return this.come(DOWNLOAD + ((100 - DOWNLOAD) * (STAGES.indexOf(stage) + 1)) / STAGES.length);
    const waiting = this.asked.get(id);
    this.asked.delete(id);
    if (error === undefined) waiting?.resolve(Object.assign(answer, { python_ms }));
    else waiting?.reject(new Error(error));
  }

  // Report progress. The percentage never goes back, although parts may still arrive while Python starts.
  /** @param {number} percent */
  come(percent) {
    if (Math.round(percent) <= this.percent) return;
    this.percent = Math.round(percent);
    for (const hear of this.heard) hear(this.percent);
    if (this.percent === 100) this.heard.clear();
  }

  /** @param {Error} error */
  rejectAll(error) {
    for (const { reject } of this.asked.values()) reject(error);
    this.asked.clear();
  }
}

/** Return a part's bytes, by gzip. @type {(part: Part, arrived: Arrived) => Promise<ArrayBuffer>} */
const read = (part, arrived) => (location.protocol === "file:" ? readScript : readFile)(part, arrived);

/** Return a part's bytes from a server, or from the browser's cache: its name contains a hash of its content. @param {Part} part @param {Arrived} arrived */
async function readFile({ file }, arrived) {
  const answer = await fetch(FOLDER + file, { cache: "force-cache" });
  if (!answer.ok) throw new Error(`${FOLDER}${file}: ${answer.status}`);
  const count = new TransformStream({
    transform(piece, to) {
      arrived(piece.length);
      to.enqueue(piece);
    },
  });
  return new Response(/** @type {ReadableStream<Uint8Array>} */ (answer.body).pipeThrough(count)).arrayBuffer();
}

/** @typedef {{module: WebAssembly.Module, bytes: ArrayBuffer | null}} Compiled */
/** @type {Map<string, Promise<Compiled>>} */
const compiledParts = new Map(); // compiled parts, kept for a restart of Python

/** @param {Part} part @param {Arrived} arrived @returns {Promise<Compiled>} */
async function compiledOnce(part, arrived) {
  const earlier = compiledParts.get(part.name);
  const now = earlier ?? compiled(part, arrived);
  compiledParts.set(part.name, now);
  now.catch(() => compiledParts.delete(part.name));
  const result = await now;
  if (earlier) arrived(part.size);
  return result;
}

// Compile a part in WebAssembly while it arrives, before the worker has started. If the server sends it as
// application/wasm, the browser keeps the machine code for the next visit. NumPy's bytes are returned too, because
// Python looks for a file.
/** @param {Part} part @param {Arrived} arrived @returns {Promise<Compiled>} */
async function compiled(part, arrived) {
  const answer = location.protocol === "file:" ? null : await asWebAssembly(part);
  if (!answer) {
    const bytes = await new Response(unpacked(await read(part, arrived))).arrayBuffer();
    return { module: await WebAssembly.compile(bytes), bytes: part.name === NUMPY ? bytes : null };
  }
  const bytes = part.name === NUMPY ? answer.clone().arrayBuffer() : null;
  const module = await WebAssembly.compileStreaming(answer);
  arrived(part.size);
  return { module, bytes: await bytes };
}

const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]"]);

// Return the response for a part as WebAssembly. Return null if the server does not send it as application/wasm, or a
// remote server does not compress it.
/** @param {Part} part */
async function asWebAssembly({ file }) {
  const stop = new AbortController();
  const answer = await fetch(FOLDER + file.replace(/bin$/, "wasm"), { cache: "force-cache", signal: stop.signal });
  const { ok, headers } = answer;
  const small = headers.has("content-encoding") || LOCAL.has(location.hostname);
  if (ok && small && headers.get("content-type") === "application/wasm") return answer;
  stop.abort();
  return null;
}

// A page opened from a disk cannot fetch parts. It loads scripts that pass them on as base64.
/** @type {Map<string, string>} */
const fromScripts = new Map();
/** @type {any} */ (globalThis).posencPart = (/** @type {string} */ name, /** @type {string} */ content) => fromScripts.set(name, content);

/** @type {Map<string, Promise<string>>} */
const onTheWay = new Map(); // parts being loaded, so that none is loaded twice, for example after a stop

/** @param {Part} part @param {Arrived} arrived @returns {Promise<ArrayBuffer>} */
async function readScript(part, arrived) {
  const coming = onTheWay.get(part.name) ?? addScript(part, arrived).finally(() => onTheWay.delete(part.name));
  onTheWay.set(part.name, coming);
  return bytesOf(await coming).buffer;
}

/** @param {Part} part @param {Arrived} arrived @returns {Promise<string>} */
function addScript({ name, file, size }, arrived) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${FOLDER}${file}.js`;
    script.onload = () => {
      script.remove();
      arrived(size);
      resolve(fromScripts.get(name) ?? "");
      fromScripts.delete(name);
    };
    script.onerror = () => reject(new Error(`${file}.js cannot be read`));
    document.head.append(script);
  });
}

// Decode base64. The loop is twenty times as fast as Uint8Array.from, during which the page would not respond.
/** @param {string} base64 */
function bytesOf(base64) {
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

/** @param {ArrayBuffer} packed by gzip */
function unpacked(packed) {
  return new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
}
