// Python in a worker: its parts are posted as they arrive, and calls of host.py, one at a time, the first to start.
// This file runs behind pyodide.asm.js and pyodide.js, in one script, so that it also starts where a page
// cannot load others (file://).

const INDEX_URL = "https://python.invalid/"; // Pyodide asks for its parts there; nothing is ever sent
const SITE_PACKAGES = "/lib/python3.12/site-packages/";
const LESSONS = "/lessons/";
const LOCK = { info: { arch: "wasm32", platform: "emscripten_3_1_58", version: "0.27.7", python: "3.12.7" }, packages: {} };
const NUMPY = "numpy/_core/_multiarray_umath.cpython-312-wasm32-emscripten.so"; // the part numpy.wasm
const TYPES = { wasm: "application/wasm", json: "application/json" };

const browserFetch = self.fetch;
const parts = new Map(); // by name, {promise, resolve}: of bytes by gzip, of such bytes as base64, or {address}
var python; // Pyodide, once it is up
let answer;

function part(name) {
  if (!parts.has(name)) {
    const made = {};
    made.promise = new Promise((resolve) => Object.assign(made, { resolve }));
    parts.set(name, made);
  }
  return parts.get(name);
}

// What a part holds, unpacked, once it has come; where it has an address, as the browser itself fetches it.
async function responseOf(name) {
  const given = await part(name).promise;
  if (given.address) return browserFetch(given.address, { cache: "force-cache" });
  parts.delete(name); // each is read once
  const packed = typeof given === "string" ? Uint8Array.from(atob(given), (letter) => letter.charCodeAt(0)) : given;
  const headers = { "content-type": TYPES[name.split(".").pop()] ?? "application/octet-stream" };
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")), { headers });
}

const unpacked = async (name) => new Uint8Array(await (await responseOf(name)).arrayBuffer());

self.fetch = async (url) => {
  const name = String(url).slice(INDEX_URL.length);
  return name === "pyodide-lock.json" ? new Response(JSON.stringify(LOCK)) : responseOf(name);
};

// The files of a zip that is not compressed, as [name, bytes].
function* filesOf(zip) {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  const end = zip.byteLength - 22; // of the directory, which has no comment
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    const [size, length, extra, comment] = [view.getUint32(at + 24, true), ...[28, 30, 32].map((n) => view.getUint16(at + n, true))];
    const local = view.getUint32(at + 42, true);
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    yield [new TextDecoder().decode(zip.subarray(at + 46, at + 46 + length)), zip.subarray(start, start + size)];
    at += 46 + length + extra + comment;
  }
}

// NumPy's WebAssembly, and its bytes: once it is compiled, the browser has it when Python asks for the same bytes, and
// does so while Python itself is being made ready.
async function numpyCompiled() {
  const { address } = await part("numpy.wasm").promise;
  if (!address) {
    const bytes = await unpacked("numpy.wasm");
    return { bytes, compiled: await WebAssembly.compile(bytes) };
  }
  const compiled = await WebAssembly.compileStreaming(responseOf("numpy.wasm"));
  return { bytes: await unpacked("numpy.wasm"), compiled };
}

function unpackInto(folder, zip) {
  const made = new Set();
  for (const [name, bytes] of filesOf(zip)) {
    const path = folder + name;
    const inside = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(inside)) python.FS.mkdirTree(inside);
    made.add(inside);
    python.FS.writeFile(path, bytes, { canOwn: true });
  }
}

async function start({ onlyLanguage }) {
  const begun = performance.now();
  const ms = {};
  const done = (stage) => {
    ms[stage] = performance.now() - begun;
    postMessage({ stage, ms: ms[stage] });
  };
  const zips = Promise.all(["packages.zip", "lessons.zip", "weights.zip"].map(unpacked));
  const numpy = numpyCompiled();
  for (const each of [zips, numpy]) each.catch(() => {}); // they are waited for below
  python = await loadPyodide({
    indexURL: INDEX_URL,
    stdLibURL: INDEX_URL + "stdlib.zip",
    args: ["-OO"], // the byte code has no docstrings, and NumPy must know
    env: { HOME: "/home/pyodide", POSENC_LESSONS_HOME: "/home/pyodide" },
  });
  done("python");
  const [packages, ...lessons] = await zips;
  unpackInto(SITE_PACKAGES, packages);
  const { bytes, compiled } = await numpy; // held until Python has asked for it
  python.FS.writeFile(SITE_PACKAGES + NUMPY, bytes, { canOwn: true });
  for (const each of lessons) unpackInto(LESSONS, each);
  python.runPython(`import sys; sys.path[:0] = ["${LESSONS}", "${LESSONS}standin"]; import numpy`);
  done("numpy");
  const host = python.pyimport("posenc_lessons.browser.host");
  if (onlyLanguage) python.pyimport("posenc_lessons.language").only(onlyLanguage);
  answer = (call, args, place) => {
    const given = python.toPy(args);
    const view = host.answer(call, given, place);
    const plain = view.toJs({ dict_converter: Object.fromEntries, create_pyproxies: false });
    view.destroy();
    given.destroy?.();
    return plain;
  };
  done("explorers");
}

// The memory of every array in `value`, to be handed over instead of copied.
function buffersIn(value, found = new Set()) {
  if (value instanceof Uint8Array) found.add(value.buffer);
  else if (value && typeof value === "object") Object.values(value).forEach((each) => buffersIn(each, found));
  return found;
}

self.onmessage = async ({ data }) => {
  if (data.part) {
    part(data.part).resolve(data.content);
    return;
  }
  const { id, call, args, place } = data;
  const begun = performance.now();
  try {
    if (call === "start worker") await start(args);
    const said = call === "start worker" ? {} : answer(call, args, place);
    postMessage({ id, answer: said, python_ms: performance.now() - begun }, [...buffersIn(said)]);
  } catch (error) {
    postMessage({ id, error: String(error.message ?? error) });
  }
};
