// The page around the explorers: its title and language, and what ipywidgets' tabs and buttons leave unsaid.
// Title and language only on a page of the explorers' own: JupyterLab's are not ours to change.

const set = (element, name, text) => element.getAttribute(name) !== text && element.setAttribute(name, text);

// Each tab names its panel and each panel its tab; Tab goes to the open tab, wherever it was opened from.
function joinTabs(root) {
  for (const tabs of root.querySelectorAll(".widget-tab")) {
    const panels = tabs.querySelector(".widget-tab-contents").children;
    tabs.querySelectorAll('[role="tab"]').forEach((tab, index) => {
      const panel = panels[index];
      if (!panel) return;
      set(panel, "id", `${tab.id}-panel`);
      set(panel, "role", "tabpanel");
      set(panel, "aria-labelledby", tab.id);
      set(tab, "aria-controls", panel.id);
      set(tab, "tabindex", tab.getAttribute("aria-selected") === "true" ? "0" : "-1");
    });
  }
}

function sayPressed(root) {
  for (const button of root.querySelectorAll(".widget-toggle-buttons button")) {
    set(button, "aria-pressed", String(button.classList.contains("mod-active")));
  }
  for (const label of root.querySelectorAll('[title="null"]')) label.removeAttribute("title");
}

function modeButtons(model) {
  const group = document.createElement("div");
  group.className = "posenc-modes";
  group.setAttribute("role", "group");
  const label = document.createElement("span");
  group.append(label);
  const buttons = Object.keys(model.get("modes")).map((mode) => {
    const button = document.createElement("button");
    button.className = "jupyter-button";
    button.addEventListener("click", () => {
      model.set("mode", mode);
      model.save_changes();
    });
    group.append(button);
    return [mode, button];
  });
  const show = () => {
    group.setAttribute("aria-label", model.get("choose"));
    label.textContent = model.get("choose");
    for (const [mode, button] of buttons) {
      const chosen = mode === model.get("mode");
      button.textContent = model.get("modes")[mode];
      button.setAttribute("aria-pressed", String(chosen));
      button.classList.toggle("mod-active", chosen);
    }
  };
  model.on("change", show);
  show();
  return group;
}

function render({ model, el }) {
  const line = document.createElement("p");
  line.className = "posenc-keyboard";
  const own = document.querySelector('meta[name="posenc-page"]');
  if (own) el.append(modeButtons(model));
  el.append(line);
  if (own) document.getElementById("rendered_cells")?.setAttribute("role", "main");
  const speak = () => {
    line.textContent = model.get("keyboard");
    if (!own) return;
    document.title = model.get("title");
    document.documentElement.lang = model.get("spoken");
    document.documentElement.dataset.posencMode = model.get("mode");
  };
  model.on("change", speak);
  speak();

  let watcher;
  const frameId = requestAnimationFrame(() => {
    const root = el.closest(".posenc-page");
    if (!root) return;
    const tidy = () => {
      joinTabs(root);
      sayPressed(root);
    };
    tidy();
    watcher = new MutationObserver(tidy);
    const attributeFilter = ["aria-selected", "class"];
    watcher.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter });
  });
  return () => {
    cancelAnimationFrame(frameId);
    watcher?.disconnect();
    model.off("change", speak);
  };
}

export default { render };
