// The page's address says what it shows, so that a reload or a copied link brings it back.
// Only on a page of the explorers' own: JupyterLab's address is not ours to change.

const WAIT = 400; // ms without a change before the address follows: browsers refuse hundreds a minute

function render({ model, el }) {
  if (!document.querySelector('meta[name="posenc-page"]')) return;
  const button = document.createElement("button");
  button.className = "jupyter-button widget-button";
  button.style.width = "auto";
  const said = document.createElement("span");
  said.setAttribute("role", "status");
  said.style.marginLeft = "8px";
  el.append(button, said);

  const label = () => { button.textContent = model.get("label"); };
  label();
  model.on("change:label", label);

  // The key to a page that asks for one stays: who is sent the link needs it too.
  const token = new URLSearchParams(location.search).get("token");
  const key = token ? `token=${encodeURIComponent(token)}&` : "";

  let timer = null;
  const follow = () => {
    clearTimeout(timer);
    timer = null;
    const shown = model.get("shown");
    if (shown) history.replaceState(null, "", `?${key}${shown}`);
  };
  model.on("change:shown", () => {
    said.replaceChildren();
    clearTimeout(timer);
    timer = setTimeout(follow, WAIT);
  });

  button.addEventListener("click", async () => {
    follow();
    try {
      await navigator.clipboard.writeText(location.href);
      said.textContent = model.get("copied");
    } catch { // without https, or forbidden: let the reader copy it by hand
      const address = document.createElement("input");
      address.readOnly = true;
      address.value = location.href;
      address.size = 60;
      address.setAttribute("aria-label", model.get("by_hand"));
      said.replaceChildren(`${model.get("by_hand")} `, address);
      address.select();
    }
  });

  model.set("asked", location.search.slice(1));
  model.set("arrived", true);
  model.save_changes();
  return () => clearTimeout(timer);
}

export default { render };
