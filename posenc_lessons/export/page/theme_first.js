try {
  const mode = new URLSearchParams(location.search).get("mode") ?? JSON.parse(localStorage.getItem("posenc-lessons") ?? "{}").mode;
  if (["light", "dark", "projector"].includes(mode)) document.documentElement.dataset.mode = mode;
} catch { /* no storage: the page follows the system */ }
