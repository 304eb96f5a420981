// Python in a worker. The page posts Python's parts as they arrive, and calls of host.py, or of cells.py for a lesson;
// the first call starts Python. This file, with what it imports, is joined to pyodide.asm.js and pyodide.js as one
// script, because a page opened from a disk (file://) cannot load several.

import { answerPyodide, INDEX_URL } from "./pyodide_requests.js";

/** @import { Compiled } from "./pyodide_requests.js" */

const SITE_PACKAGES = "/lib/PYTHON_FOLDER/site-packages/";
const LESSONS = "/lessons/";
const NUMPY = "NUMPY_BINARY"; // where the part numpy.wasm goes

/** @type {Map<string, {promise: Promise<any>, resolve: (content: any) => void, reject: (error: Error) => void}>} */
const parts = new Map(); // by name: gzip bytes, or a Compiled
/** @type {any} */
let python; // Pyodide
/** @type {(call: string, args: unknown[], place: string) => any} */
let answer;
/** @type {Promise<unknown>} */
let last = Promise.resolve(); // the last call: calls run one at a time, and a call may wait
/** @type {typeof answer | undefined} of cells.py, after the first cell has run */
let answerCells;

/** @param {string} name */
function part(name) {
  let entry = parts.get(name);
  if (!entry) {
    /** @type {(content: any) => void} */
    let resolve = () => {};
    /** @type {(error: Error) => void} */
    let reject = () => {};
    const promise = new Promise((done, failed) => ([resolve, reject] = [done, failed]));
    promise.catch(() => {}); // those who wait for it get the error, perhaps later
    parts.set(name, (entry = { promise, resolve, reject }));
  }
  return entry;
}

/** Wait for a part; return its unpacked bytes. @param {string} name @returns {Promise<Uint8Array>} */
async function unpacked(name) {
  const packed = await part(name).promise.finally(() => parts.delete(name)); // each is read once
  const content = new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")));
  return new Uint8Array(await content.arrayBuffer());
}

answerPyodide(unpacked, () => part("pyodide.asm.wasm").promise);

// Give the files of an uncompressed zip, as [name, bytes].
/** @param {Uint8Array} zip @returns {Generator<[string, Uint8Array]>} */
function* filesOf(zip) {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  const end = zip.byteLength - 22; // the record at the end of a zip without a comment
  let at = view.getUint32(end + 16, true);
  for (let count = view.getUint16(end + 10, true); count > 0; count--) {
    const [size, length, extra, comment] = [view.getUint32(at + 24, true), ...[28, 30, 32].map((n) => view.getUint16(at + n, true))];
    const local = view.getUint32(at + 42, true);
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    yield [new TextDecoder().decode(zip.subarray(at + 46, at + 46 + length)), zip.subarray(start, start + size)];
    at += 46 + length + extra + comment;
  }
}

/** @param {string} folder @param {Uint8Array} zip */
function unpackInto(folder, zip) {
  const folders = new Set();
  for (const [name, bytes] of filesOf(zip)) {
    const path = folder + name;
    const inside = path.slice(0, path.lastIndexOf("/"));
    if (!folders.has(inside)) python.FS.mkdirTree(inside);
    folders.add(inside);
    python.FS.writeFile(path, bytes, { canOwn: true });
  }
}

/** @param {{onlyLanguage: string | null}} options */
async function start({ onlyLanguage }) {
  const begun = performance.now();
  /** @type {Record<string, number>} */
  const ms = {};
  const report = (/** @type {string} */ stage) => {
    ms[stage] = performance.now() - begun;
    postMessage({ stage, ms: ms[stage] });
  };
  const zips = Promise.all(["packages.zip", "lessons.zip"].map(unpacked));
  zips.catch(() => {}); // handled below
  python = await /** @type {any} */ (self).loadPyodide({
    indexURL: INDEX_URL,
    stdLibURL: INDEX_URL + "stdlib.zip",
    stdin: () => null, // there is no input
    args: ["-OO"], // as our byte code was compiled, and NumPy needs to know
    env: { HOME: "/home/pyodide", POSENC_LESSONS_HOME: "/home/pyodide" },
  });
  /** @type {any} */ (self).python = python; // for tests
  report("python");
  const [packages, lessons] = await zips;
  unpackInto(SITE_PACKAGES, packages);
  // The browser recognizes these bytes while the compiled module exists, so Python need not compile them again.
  const numpy = /** @type {Compiled} */ (await part("numpy.wasm").promise);
  python.FS.writeFile(SITE_PACKAGES + NUMPY, new Uint8Array(numpy.bytes), { canOwn: true });
  unpackInto(LESSONS, lessons);
  python.runPython(`import sys; sys.path[:0] = ["${LESSONS}", "${LESSONS}numpy_torch"]; import numpy`);
  for (const name of ["pyodide.asm.wasm", "numpy.wasm"]) parts.delete(name);
  report("numpy");
  const host = python.pyimport("posenc_lessons.explorers.host");
  if (onlyLanguage) python.pyimport("posenc_lessons.language").only(onlyLanguage);
  answer = asking(host);
  report("explorers");
}

/** Return a function that calls a Python module's `answer` with plain data. @param {any} module @returns {typeof answer} */
function asking(module) {
  return (call, args, place) => {
    const pythonArgs = python.toPy(args);
    const result = module.answer(call, pythonArgs, place);
    const plain = result.toJs({ dict_converter: Object.fromEntries, create_pyproxies: false });
    result.destroy();
    pythonArgs.destroy?.();
    return plain;
  };
}

/** Unpack data that some explorers read; it comes with the first such explorer. @param {{name: string}} part */
async function startData({ name }) {
  unpackInto(LESSONS, await unpacked(name));
}

/** Unpack what only cells need; it comes with the first cell. */
async function startCells() {
  unpackInto(LESSONS, await unpacked("cells.zip"));
  python.runPython("import sys; sys.path_importer_cache.clear()");
  const cells = python.pyimport("posenc_lessons.browser.cells");
  answerCells = asking(cells);
  cells.listen((/** @type {number} */ steps, /** @type {number} */ of) => postMessage({ steps, of }));
}

// Return the memory of all arrays in `value`, which is transferred and not copied.
/** @param {any} value @param {Set<ArrayBuffer>} [found] */
function buffersIn(value, found = new Set()) {
  if (value instanceof Uint8Array) found.add(/** @type {ArrayBuffer} */ (value.buffer));
  else if (value && typeof value === "object") Object.values(value).forEach((item) => buffersIn(item, found));
  return found;
}

self.onmessage = ({ data }) => {
  if (data.error) part(data.part).reject(new Error(data.error));
  else if (data.part) part(data.part).resolve(data.content);
  else last = last.then(() => reply(data));
  return last;
};

/** @param {any} data */
async function reply(data) {
  const { id, call, args, place, lesson } = data;
  const begun = performance.now();
  try {
    if (call === "start worker") await start(args);
    if (call === "start data") await startData(args);
    if (call === "start cells") await startCells();
    let result = {};
    if (lesson !== undefined) result = /** @type {typeof answer} */ (answerCells)(call, args, lesson);
    else if (!call.startsWith("start ")) result = answer(call, args, place);
    postMessage({ id, answer: result, python_ms: performance.now() - begun }, { transfer: [...buffersIn(result)] });
  } catch (error) {
    postMessage({ id, error: String(/** @type {any} */ (error)?.message ?? error) });
  }
}
