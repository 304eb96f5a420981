// The page's address says what it shows, so that a reload or a copied link brings it back.
// Only on a page of the explorers' own: JupyterLab's address is not ours to change.

const KEPT = "posenc-kept"; // in this tab of the browser, while the page is loaded again
const WAIT = 400; // ms without a change before the address follows: browsers refuse hundreds a minute

// What a link says of one control, read from the page itself: the kernel may be gone, or not have heard yet.
function spelled(place, models) {
  if (place.ticks) {
    const ticked = Object.entries(place.ticks).filter(([, id]) => models.get(id).get("value"));
    return ticked.map(([option]) => option).join(",");
  }
  const value = models.get(place.model).get(place.trait);
  if (place.options) return place.options[value];
  return typeof value === "boolean" ? String(Number(value)) : String(value);
}

// The links of all explorers that were opened, the one that is shown first.
function links({ names, tabs, everywhere, explorers }, models) {
  const open = names[models.get(tabs).get("selected_index")];
  return [...new Set([open, ...Object.keys(explorers)])].filter(Boolean).map((name) => {
    const places = { ...(name === open ? everywhere : {}), ...explorers[name] };
    const said = Object.entries(places).map(([control, place]) => [control, spelled(place, models)]);
    return String(new URLSearchParams([["explorer", name], ...said.filter(([, text]) => text !== undefined)]));
  });
}

// Keeps them when the page is left; gives them back when it is loaded again, not when a link is opened.
function keep(model) {
  const models = new Map();
  let known = null; // the places whose models were found
  const find = async () => {
    const places = model.get("places");
    const { tabs, everywhere, explorers } = places;
    if (!tabs) return; // the kernel has not followed the address yet
    const each = [everywhere, ...Object.values(explorers)].flatMap(Object.values);
    const ids = [tabs, ...each.flatMap((place) => (place.ticks ? Object.values(place.ticks) : place.model))];
    for (const id of ids) if (!models.has(id)) models.set(id, await model.widget_manager.get_model(id));
    known = places;
  };
  model.on("change:places", find);
  find();
  const leave = () => {
    if (!known) return;
    try {
      sessionStorage.setItem(KEPT, JSON.stringify(links(known, models)));
    } catch {
      sessionStorage.removeItem(KEPT); // too much for the browser: the address still has what it can hold
    }
  };
  addEventListener("pagehide", leave);
  return () => removeEventListener("pagehide", leave);
}

function kept() {
  if (performance.getEntriesByType("navigation")[0]?.type !== "reload") sessionStorage.removeItem(KEPT);
  return JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");
}

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

  const [first, ...others] = kept();
  model.set("again", first !== undefined);
  model.set("asked", first ?? location.search.slice(1));
  model.set("also", others);
  model.set("arrived", true);
  model.save_changes();
  const forget = keep(model);
  return () => {
    clearTimeout(timer);
    forget();
  };
}

export default { render };
