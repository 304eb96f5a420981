// The lessons in JupyterLab: one language everywhere and at once, stills where pictures sleep, the way on.
// Other notebooks are left alone, and so is what a lesson says on disk.
import { Choice, KernelLanguage, LANGUAGES } from "./choice.js";
import { heading } from "./phrases.js";
import { Stills } from "./pictures.js";
import { neighbours, Place, showCell, topCell, Way } from "./places.js";
import { commentsInOneLanguage, markHeadings, sayPrinted } from "./words.js";

const NAMES = { zh: "中文", en: "English", both: "双语" };
const OF_THE_COURSE = /\blanguage_switch\(\)/; // the first code cell of every lesson
const OF_THE_KERNEL = ["language_info", "kernelspec"]; // what JupyterLab completes when a kernel starts
const QUIET = ".posenc-explorer, .cm-editor, .posenc-still"; // changes in there are none of words or stills

/** The plugin, made of JupyterLab's own packages. */
export async function makePlugin(shared) {
  const names = ["notebook", "toc", "codemirror", "statedb", "services"].map((name) => `@jupyterlab/${name}`);
  const [notebook, toc, codemirror, statedb, services] = await Promise.all(names.map(shared));
  const { Widget } = await shared("@lumino/widgets");
  const [view, state, language] = await Promise.all(
    ["view", "state", "language"].map((name) => shared(`@codemirror/${name}`)),
  );
  return {
    id: "posenc-lessons:lessons",
    description: "One language everywhere, living pictures and the way on, in the lessons of posenc_lessons.",
    autoStart: true,
    requires: [notebook.INotebookTracker],
    optional: [toc?.ITableOfContentsRegistry, codemirror?.IEditorExtensionRegistry, statedb.IStateDB].map(
      (token) => token ?? null,
    ),
    activate(app, tracker, contents, editors, memory) {
      const { ServerConnection } = services;
      const settings = app.serviceManager.serverSettings;
      const choice = new Choice({ settings, request: ServerConnection.makeRequest });
      choice.isLesson = (node) => node.closest(".posenc-lesson") !== null;
      void bringFont(settings.baseUrl);
      const lessons = new Map();
      const parts = { app, choice, Widget, memory, NotebookActions: notebook.NotebookActions };
      showLanguage(choice, tracker);
      if (contents) speakInContents(contents, choice);
      if (editors && view && state && language)
        editors.addExtension({
          name: "posenc-lessons:comments",
          factory: () => ({
            instance: () => commentsInOneLanguage({ view, state, language }, choice),
            reconfigure: () => null,
          }),
        });
      notebook.NotebookActions.executed.connect((_, { notebook: ran, cell, success }) => {
        const lesson = success && [...lessons.values()].find((each) => each.panel.content === ran);
        if (lesson && OF_THE_COURSE.test(cell.model.sharedModel.getSource())) void lesson.kernel.attend();
      });
      const meet = async (panel) => {
        const fragments = landOn(panel, notebook.NotebookActions);
        keepUnchanged(panel);
        await panel.context.ready;
        if (panel.isDisposed || lessons.has(panel) || !isLesson(panel)) return;
        const lesson = new Lesson(panel, parts, fragments);
        lessons.set(panel, lesson);
        panel.disposed.connect(() => {
          lessons.delete(panel);
          lesson.dispose();
        });
      };
      // Not the tracker, which tells of a notebook only after it was sent to a cell.
      app.docRegistry.addWidgetExtension("Notebook", { createNew: (panel) => void meet(panel) });
      addEventListener("focus", () => void choice.read());
    },
  };
}

/** A machine without a Chinese font would show boxes, in the lesson's words too, before anything runs. */
async function bringFont(base) {
  const address = `${base}posenc-lessons/`;
  const answer = await fetch(`${address}font.js`, { method: "HEAD" });
  if (!answer.ok) return; // JupyterLab was started otherwise: the first picture's kernel sends the font
  const { ASKED, drawsChinese, addFontToJupyter } = await import(`${address}font.js`);
  if (globalThis[ASKED] || drawsChinese()) return;
  globalThis[ASKED] = address;
  await addFontToJupyter(await (await fetch(`${address}PosencSansSC-Regular.woff2`)).arrayBuffer());
}

function isLesson(panel) {
  return [...panel.content.model.cells].some(
    (cell) => cell.type === "code" && OF_THE_COURSE.test(cell.sharedModel.getSource()),
  );
}

/** One open lesson: its toolbar, its words, its stills. */
class Lesson {
  constructor(panel, { app, choice, Widget, memory, NotebookActions }, fragments) {
    this.panel = panel;
    this._choice = choice;
    const { sessionContext, content, toolbar } = panel;
    content.addClass("posenc-lesson");
    this.kernel = new KernelLanguage(sessionContext, choice);
    const run = (cells) => NotebookActions.runCells(content, cells, sessionContext);
    this._stills = new Stills(panel, choice, run);
    const way = new Way(choice, (path) => app.commands.execute("docmanager:open", { path }));
    this._labelled = [way, this._stills];
    const items = [["posenc-language", languageButtons(choice)], ["posenc-way", way.node]];
    if (memory) {
      const place = (this._place = new Place(panel, choice, memory, NotebookActions));
      this._labelled.push(place);
      items.push(["posenc-go-on", place.node]);
      void (fragments.asked ? Promise.resolve() : place.offer()).then(() => place.follow());
    }
    for (const [name, node] of items)
      if (!toolbar.insertBefore("spacer", name, new Widget({ node }))) toolbar.addItem(name, new Widget({ node }));
    void this._findWay(way, app.serviceManager.contents);
    content.node.addEventListener("click", (event) => this._switchedInCell(event));
    this._stop = choice.subscribe(() => this._say());
    this._observer = new MutationObserver((changes) => {
      if (changes.some(({ target }) => !(target.parentElement ?? target).closest?.(QUIET))) this._tend();
    });
    this._observer.observe(content.node, { childList: true, subtree: true, characterData: true });
    this._say();
  }

  dispose() {
    this._stop();
    this._observer.disconnect();
    this._place?.dispose();
    this.kernel.dispose();
  }

  _tend() {
    markHeadings(this.panel.content.node);
    sayPrinted(this.panel.content.node, this._choice.language);
    this._stills.tend();
  }

  _say() {
    this._tend();
    for (const each of this._labelled) each.relabel();
    this._pressInCell();
  }

  /** The cell's own switch whose kernel is gone: nobody else would press it. */
  _pressInCell() {
    const place = LANGUAGES.indexOf(this._choice.language);
    for (const gone of this.panel.content.node.querySelectorAll(".posenc-switch.jupyter-widgets-disconnected")) {
      const button = gone.querySelectorAll(".widget-toggle-button")[place];
      if (!button.classList.contains("mod-active")) button.click();
    }
  }

  /** The cell's own switch, which in a lesson without a kernel nobody else would hear. */
  _switchedInCell(event) {
    const button = event.target.closest?.(".posenc-switch .widget-toggle-button");
    if (!button) return;
    const place = [...button.parentElement.children].indexOf(button);
    this._choice.choose(LANGUAGES[place]);
  }

  async _findWay(way, contents) {
    const { path } = this.panel.context;
    const folder = await contents.get(path.slice(0, Math.max(0, path.lastIndexOf("/"))), { content: true });
    way.lead(neighbours(path, folder.content.map((file) => file.name)));
  }
}

/** 中文 / English / 双语, for the toolbar. */
function languageButtons(choice) {
  const group = document.createElement("div");
  group.className = "posenc-languages";
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", "语言 · Language");
  for (const language of LANGUAGES) {
    const button = document.createElement("button");
    button.textContent = NAMES[language];
    button.addEventListener("click", () => choice.choose(language));
    const show = () => button.setAttribute("aria-pressed", String(choice.language === language));
    choice.subscribe(show);
    show();
    group.append(button);
  }
  return group;
}

/** The language on the page, for the style sheet; what is being read stays where it is on the screen. */
function showLanguage(choice, tracker) {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = new URL("style.css", import.meta.url).href;
  document.head.append(sheet);
  const show = () => {
    const panel = tracker.currentWidget;
    const top = panel?.isVisible ? topCell(panel) : null;
    document.body.dataset.posencLanguage = choice.language;
    if (top === null || !choice.isLesson(panel.content.node)) return;
    requestAnimationFrame(() => {
      const now = top.cell.node.getBoundingClientRect().top - panel.content.node.getBoundingClientRect().top;
      const scrolled = panel.content.outerNode ?? panel.content.node;
      if (top.cell.node.isConnected) scrolled.scrollTop += now - top.below;
    });
  };
  choice.subscribe(show);
  show();
}

/** The contents panel shows the headings as the lesson does. */
function speakInContents(registry, choice) {
  const make = registry.getModel.bind(registry);
  const models = new Set();
  registry.getModel = (widget, configuration) => {
    const model = make(widget, configuration);
    if (model?.documentType !== "notebook") return model;
    const find = model.getHeadings.bind(model);
    model.getHeadings = async () => {
      const found = await find();
      if (!found || !choice.isLesson(widget.content.node)) return found;
      for (const each of found) each.text = heading(each.text, choice.language);
      return found;
    };
    models.add(model);
    model.disposed?.connect(() => models.delete(model));
    return model;
  };
  choice.subscribe(() => {
    for (const model of models) model.isDisposed ? models.delete(model) : void model.refresh();
  });
}

/** A kernel that starts tells JupyterLab about itself; that alone is no change that wants saving. */
function keepUnchanged(panel) {
  void panel.context.ready.then(() => {
    const { model } = panel.content;
    if (!model || !isLesson(panel)) return;
    model.metadataChanged.connect((_, change) => {
      if (OF_THE_KERNEL.includes(change.key) && !model.dirty) queueMicrotask(() => (model.dirty = false));
    });
  });
}

/** Links to a cell land on it also when they open the lesson; says whether one was followed. */
function landOn(panel, actions) {
  const fragments = { asked: false };
  const usual = panel.setFragment.bind(panel);
  panel.setFragment = (fragment) => {
    fragments.asked = true;
    const id = /^#cell-id=(.+)$/.exec(fragment)?.[1];
    void panel.context.ready.then(() => {
      const cell = panel.content.widgets.find((each) => each.model.id === id);
      return cell && isLesson(panel) ? showCell(panel, cell, actions) : usual(fragment);
    });
  };
  return fragments;
}
