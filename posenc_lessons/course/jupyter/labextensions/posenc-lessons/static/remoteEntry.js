// What JupyterLab loads of an extension that was built: a container with init and get. This one was not
// built: it hands on the modules beside it as they stand, and JupyterLab's own packages to them.
(() => {
  const beside = document.currentScript.src;
  let shared;

  /** The package of that name, as JupyterLab itself uses it; null where this JupyterLab has none. */
  async function sharedPackage(name) {
    const versions = Object.values(shared[name] ?? {});
    const used = versions.find((version) => version.loaded) ?? versions[0];
    return used ? (await used.get())() : null;
  }

  window._JUPYTERLAB ??= {};
  window._JUPYTERLAB["posenc-lessons"] = {
    init(scope) {
      shared = scope;
    },
    async get() {
      const { makePlugin } = await import(new URL("extension.js", beside));
      const plugin = await makePlugin(sharedPackage);
      return () => ({ __esModule: true, default: plugin });
    },
  };
})();
