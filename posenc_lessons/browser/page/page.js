// The page of all explorers: tabs, language, light, links; stills at once, and Python as soon as it is up.

import { icon, inWords, make, setAttribute, write } from "./dom.js";
import { Doors } from "./doors.js";
import { addMissingFont } from "./font.js";
import { Panel } from "./panel.js";
import { connect, readFont } from "./runtime.js";

const STORED = "posenc-lessons"; // what the reader chose, in this browser's own storage
const ADDRESS_PAUSE = 120; // milliseconds; browsers refuse an address that changes more often than ten times a second
const MODES = ["light", "dark", "projector"];
const LANG = { zh: "zh-CN", en: "en", both: "zh-CN" };

// ---- What the reader chose, here or before ----

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(STORED)) ?? {};
  } catch {
    return {}; // no storage, or nothing of ours in it
  }
}

function remember(choice) {
  try {
    localStorage.setItem(STORED, JSON.stringify({ ...remembered(), ...choice }));
  } catch {
    return; // then it is not remembered
  }
}

// A page that was opened as a file may have its parameters after # as well.
function queryAsked() {
  const query = location.search.slice(1) || location.hash.replace(/^#\??/, "");
  return query.includes("=") ? query : "";
}

const ifAmong = (value, among) => (among.includes(value) ? value : undefined);

function firstChoices(table) {
  const query = new URLSearchParams(queryAsked());
  const before = remembered();
  const own = navigator.languages?.[0] ?? navigator.language;
  return {
    explorer: ifAmong(query.get("explorer"), Object.keys(table.explorers)) ?? Object.keys(table.explorers)[0],
    language: ifAmong(query.get("lang"), Object.keys(table.languages)) ?? ifAmong(before.language, Object.keys(table.languages)) ?? (own.startsWith("zh") ? "zh" : "en"),
    mode: ifAmong(query.get("mode"), MODES) ?? ifAmong(before.mode, MODES) ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"),
  };
}

// ---- The page ----

class Page {
  // `table`: words, languages and explorers as page_texts.py has them, and still(explorer, language, mode).
  constructor(table) {
    this.table = table;
    this.panels = new Map();
    this.query = queryAsked();
    this.python = null;
    this.lastAsked = new Map(); // by explorer, a promise that ends with its last answer
    Object.assign(this, firstChoices(table));
    this.makeHeader();
    this.show(this.explorer);
    this.relabel();
  }

  text(name, values = {}) {
    return inWords(this.table.words[name], this.language, values);
  }

  makeHeader() {
    const { explorers, languages } = this.table;
    const tabs = document.getElementById("tabs");
    const menu = document.getElementById("menu");
    this.tabs = Object.keys(explorers).map((name) => {
      const tab = make("button", { type: "button", role: "tab", id: `tab-${name}` }, make("span", { lang: "zh" }), make("span", { lang: "en" }));
      const { zh, en } = explorers[name];
      write(tab.firstChild, zh);
      write(tab.lastChild, en);
      tab.setAttribute("aria-controls", `panel-${name}`);
      tab.addEventListener("click", () => this.show(name));
      menu.append(make("option", { value: name }));
      return tab;
    });
    tabs.append(...this.tabs);
    tabs.addEventListener("keydown", (event) => this.moveByKey(event));
    menu.addEventListener("change", () => this.show(menu.value));
    this.addChoices("languages", Object.entries(languages), (name) => this.setLanguage(name));
    this.addChoices("modes", MODES.map((mode) => [mode, icon(mode)]), (mode) => this.setMode(mode));
    this.doors = new Doors(this);
    addEventListener("resize", () => this.panel.refit());
  }

  addChoices(id, options, choose) {
    const group = document.getElementById(id);
    for (const [value, face] of options) {
      const button = make("button", { type: "button", value }, face);
      button.addEventListener("click", () => choose(value));
      group.append(button);
    }
  }

  moveByKey(event) {
    const at = this.tabs.indexOf(document.activeElement);
    const last = this.tabs.length - 1;
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at ? at - 1 : last, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.tabs[to].focus();
    this.tabs[to].click();
  }

  relabel() {
    const { language, mode } = this;
    const page = document.documentElement;
    page.lang = LANG[language];
    Object.assign(page.dataset, { language, mode });
    document.title = this.text("title");
    write(document.getElementById("title"), document.title);
    for (const [id, name] of [["tabs", "menu"], ["menu", "menu"], ["languages", "language"], ["modes", "mode"]]) {
      document.getElementById(id).setAttribute("aria-label", this.text(name));
    }
    for (const option of document.getElementById("menu").options) {
      const { zh, en } = this.table.explorers[option.value];
      write(option, language === "both" ? `${zh} · ${en}` : language === "en" ? en : zh);
    }
    for (const button of document.querySelectorAll("#languages button")) setAttribute(button, "aria-pressed", String(button.value === language));
    for (const button of document.querySelectorAll("#modes button")) {
      setAttribute(button, "aria-pressed", String(button.value === mode));
      setAttribute(button, "aria-label", this.text(button.value));
      setAttribute(button, "title", this.text(button.value));
    }
    this.doors.relabel();
    write(document.getElementById("copy"), this.text("copy"));
    write(document.getElementById("close"), this.text("close"));
    this.showState();
    this.panel.relabel();
    this.panel.refit();
  }

  showState() {
    const words = { none: "noWebAssembly", failed: "failed" }[this.state];
    const line = document.getElementById("state");
    write(line, words ? this.text(words, { error: this.error }) : "");
    line.hidden = !words;
    this.starting = this.state === "still";
    if (this.panel.view.tries) this.panel.showTip();
  }

  setState(state, error = "") {
    Object.assign(this, { state, error });
    document.documentElement.dataset.state = state;
    this.showState();
    this.panel.refit();
  }

  // ---- Explorers ----

  show(name) {
    this.explorer = name;
    if (!this.panels.has(name)) {
      const panel = new Panel(name, this);
      this.panels.set(name, panel);
      document.getElementById("explorers").append(panel.element);
    }
    this.panel = this.panels.get(name);
    for (const [other, panel] of this.panels) panel.element.hidden = other !== name;
    for (const tab of this.tabs) {
      const chosen = tab.id === `tab-${name}`;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
    }
    document.getElementById("menu").value = name;
    this.update(this.panel);
  }

  // The panel as it should be now: its still, or what Python says, in the reader's language and light.
  async update(panel) {
    if (!panel.live) this.showStill(panel);
    panel.relabel();
    panel.refit();
    if (!this.python) return;
    const { language, mode } = this;
    if (!panel.live) {
      const { following } = panel; // a try that was pressed meanwhile
      panel.live = true;
      const started = this.ask(panel.name, "start", panel.name, this.queryFor(panel), language, mode);
      const tried = following === undefined ? undefined : this.ask(panel.name, "follow_try", following); // before what is set from now on
      const answer = await started;
      panel.element.classList.remove("outdated");
      panel.receive(answer);
      if (tried) panel.receive(await tried);
      panel.element.dataset.live = "";
      panel.send(); // what was set meanwhile
    } else {
      if (panel.view.language !== language) panel.receive(await this.ask(panel.name, "set_language", language));
      if (panel.view.mode !== mode) panel.receive(await this.ask(panel.name, "set_mode", mode));
    }
    panel.relabel();
    panel.refit();
    this.linkChanged(panel);
  }

  // What the link asks for, once; the language and light that the reader chose meanwhile count.
  queryFor(panel) {
    const query = new URLSearchParams(this.query);
    if (!this.query || (query.get("explorer") ?? panel.name) !== panel.name) {
      if (Object.keys(this.table.explorers).includes(query.get("explorer"))) return "";
    }
    if (Object.keys(this.table.languages).includes(query.get("lang"))) query.set("lang", this.language);
    if (MODES.includes(query.get("mode"))) query.set("mode", this.mode);
    this.query = "";
    return query.toString();
  }

  showStill(panel) {
    const still = this.table.still(panel.name, this.language, this.mode);
    const values = new URLSearchParams(this.query);
    const others = values.get("explorer") === panel.name && [...values.keys()].some((key) => !["explorer", "lang", "mode"].includes(key));
    panel.element.classList.toggle("outdated", others); // the link shows something else than the still
    panel.receive(still);
  }

  // One explorer answers one question at a time, in order.
  ask(name, call, ...args) {
    const before = this.lastAsked.get(name) ?? Promise.resolve();
    const answer = before.then(() => this.python.ask(name, call, args));
    this.lastAsked.set(name, answer.catch(() => {}));
    this.countPending(1);
    return answer.finally(() => this.countPending(-1));
  }

  // What is still to come: answers of Python, and the address.
  countPending(more) {
    this.busy = (this.busy ?? 0) + more;
    document.documentElement.dataset.busy = this.busy;
  }

  setLanguage(language) {
    this.language = language;
    remember({ language });
    this.relabel();
    this.update(this.panel);
  }

  setMode(mode) {
    this.mode = mode;
    remember({ mode });
    this.relabel();
    this.update(this.panel);
  }

  // ---- Links and code ----

  // The address follows the picture, after it.
  linkChanged(panel) {
    if (panel !== this.panel || !panel.live || this.addressDue) return;
    this.addressDue = true;
    this.countPending(1);
    setTimeout(() => {
      this.addressDue = false;
      this.writeAddress();
      this.countPending(-1);
    }, ADDRESS_PAUSE);
  }

  writeAddress() {
    const { live, view } = this.panel;
    if (!live || !view.link || location.search === `?${view.link}`) return;
    try {
      history.replaceState(null, "", `?${view.link}`);
    } catch {
      return; // a page opened as a file may not change its address in every browser
    }
  }

  async copyLink({ link, left_out: leftOut = [] }) {
    const address = `${location.href.replace(/[?#].*/, "")}?${link}`;
    const said = leftOut.length ? this.text("leftOut", { names: leftOut.join("、") }) : this.text("linked");
    if (await copyText(address)) this.toast(said);
    else this.dialog(this.text("notCopied"), address);
  }

  async showCode(panel) {
    if (!panel.live) return;
    const answer = await this.ask(panel.name, "code");
    panel.receive(answer);
    if (answer.code) this.dialog(this.text("codeTitle"), answer.code);
  }

  dialog(title, content) {
    const dialog = document.getElementById("dialog");
    write(document.getElementById("dialog-title"), title);
    write(document.getElementById("listing"), content);
    dialog.showModal();
  }

  toast(words) {
    const line = document.getElementById("toast");
    write(line, words);
    line.classList.add("shown");
    clearTimeout(this.toastTimer);
    this.toastTimer = setTimeout(() => line.classList.remove("shown"), 4000);
  }

  // ---- Python ----

  async startPython() {
    if (typeof WebAssembly !== "object") return this.setState("none");
    this.setState("still");
    await nextFrame(); // the still comes first
    try {
      this.python = await connect();
    } catch (error) {
      return this.setState("failed", String(error?.message ?? error));
    }
    await this.update(this.panel);
    this.setState("live");
  }
}

// A page in the background paints none, and is not kept waiting for it.
const nextFrame = () =>
  new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 500);
  });

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

export function begin(table) {
  const page = new Page(table);
  const dialog = document.getElementById("dialog");
  document.getElementById("close").addEventListener("click", () => dialog.close());
  document.getElementById("copy").addEventListener("click", async () => {
    if (await copyText(document.getElementById("listing").textContent)) page.toast(page.text("copied"));
    else getSelection().selectAllChildren(document.getElementById("listing"));
  });
  addMissingFont(readFont).then((added) => added && page.panel.refit());
  page.startPython();
}
