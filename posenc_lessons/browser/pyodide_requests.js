// What Pyodide fetches when it starts, without a network. Only the worker's script contains this file.
//
// Pyodide has no option for its WebAssembly: it always calls fetch and WebAssembly.instantiateStreaming. A page from a
// disk (file://) cannot fetch, and a page from a server has already compiled the WebAssembly while the worker started,
// in a form that the browser keeps for the next visit. So these two functions of the worker answer from the parts that
// the page has posted. Nothing else in the worker calls them.

/** @typedef {{module: WebAssembly.Module, bytes: ArrayBuffer}} Compiled */

export const INDEX_URL = "https://python.invalid/"; // Pyodide requests its parts there
const LOCK = { info: { arch: "wasm32", platform: "emscripten_EMSCRIPTEN_VERSION", version: "PYODIDE_VERSION", python: "PYTHON_VERSION" }, packages: {} };

/**
 * Let Pyodide's requests be answered: `unpacked` gives a part's bytes, `compiled` the compiled pyodide.asm.wasm.
 *
 * @param {(name: string) => Promise<Uint8Array>} unpacked @param {() => Promise<Compiled>} compiled
 */
export function answerPyodide(unpacked, compiled) {
  self.fetch = async (url) => {
    const name = String(url).slice(INDEX_URL.length);
    if (name === "pyodide-lock.json") return new Response(JSON.stringify(LOCK));
    return new Response(name.endsWith(".wasm") ? null : /** @type {BlobPart} */ (await unpacked(name)));
  };
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const { module } = await compiled();
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
}
