// The lessons in JupyterLab: one language, stills for explorers that do not run, links to cells. Other notebooks, and
// the files of the lessons, do not change.
import { IDefaultFileBrowser } from "@jupyterlab/filebrowser";
import { INotebookTracker, NotebookActions } from "@jupyterlab/notebook";
import { ServerConnection } from "@jupyterlab/services";
import { ITableOfContentsTracker } from "@jupyterlab/toc";
import { Choice } from "./choice.js";
import { bringFonts } from "./font.js";
import { isLesson, Lesson } from "./lesson.js";
import { followLinks } from "./links.js";
import { showTitles } from "./names.js";
import { setsUp } from "./pictures.js";
import { topCell } from "./where.js";

/** @import { JupyterFrontEndPlugin } from "@jupyterlab/application" */
/** @import { Notebook, NotebookPanel } from "@jupyterlab/notebook" */

const KERNEL_KEYS = ["language_info", "kernelspec"]; // JupyterLab fills these in when a kernel starts

/** @type {JupyterFrontEndPlugin<void>} */
const plugin = {
  id: "posenc-lessons:lessons",
  description: "One language, stills and links to cells, in the lessons of posenc_lessons.",
  autoStart: true,
  requires: [INotebookTracker],
  optional: [ITableOfContentsTracker, IDefaultFileBrowser],
  activate(
    app,
    /** @type {INotebookTracker} */ tracker,
    /** @type {ITableOfContentsTracker | null} */ contents,
    /** @type {IDefaultFileBrowser | null} */ browser,
  ) {
    const settings = app.serviceManager.serverSettings;
    const choice = new Choice({ settings, request: ServerConnection.makeRequest });
    followLinks(app, tracker);
    /** @type {Map<NotebookPanel, Lesson>} */
    const lessons = new Map();
    const lessonOf = (/** @type {Notebook} */ notebook) => [...lessons.values()].find(({ panel }) => panel.content === notebook);
    showLanguage(choice, () => {
      const panel = tracker.currentWidget;
      return panel?.isVisible && lessons.has(panel) ? panel : null;
    });
    bringFonts(settings.baseUrl).catch((error) => console.error("posenc-lessons: no fonts came", error));
    if (browser) void showTitles(browser, choice, settings.baseUrl);
    NotebookActions.executionScheduled.connect((_, { notebook, cell }) => lessonOf(notebook)?.prepare(cell));
    NotebookActions.executed.connect((_, { notebook, cell, success }) => {
      const lesson = lessonOf(notebook);
      if (success && lesson && setsUp(cell)) void lesson.kernel.tell();
      if (cell.model.getMetadata("exercise")) void choice.read().then(() => lesson?.where.show()); // it may be solved
    });
    // This runs after JupyterLab's own listeners.
    const shown = () => setTimeout(() => tracker.currentWidget && lessons.get(tracker.currentWidget)?.shown());
    tracker.currentChanged.connect(shown);
    /** @param {NotebookPanel} panel */
    const meet = async (panel) => {
      await panel.context.ready;
      if (panel.isDisposed || !isLesson(panel)) return;
      keepUnchanged(panel);
      const lesson = new Lesson(panel, { choice, contents });
      lessons.set(panel, lesson);
      void app.restored.then(shown);
      panel.disposed.connect(() => {
        lessons.delete(panel);
        lesson.dispose();
      });
    };
    app.docRegistry.addWidgetExtension("Notebook", {
      createNew: (panel) => void meet(/** @type {NotebookPanel} */ (panel)),
    });
    addEventListener("focus", () => void choice.read());
  },
};

export default plugin;

/**
 * Tell the style sheet the language, and keep the place of the present cell on the screen.
 *
 * @param {Choice} choice
 * @param {() => NotebookPanel | null} lessonInView
 */
function showLanguage(choice, lessonInView) {
  const show = () => {
    const panel = lessonInView();
    const top = panel && topCell(panel);
    document.body.dataset["posencLanguage"] = choice.language;
    if (!panel || !top) return;
    requestAnimationFrame(() => {
      if (!top.cell.node.isConnected) return;
      const now = top.cell.node.getBoundingClientRect().top - panel.content.node.getBoundingClientRect().top;
      panel.content.outerNode.scrollTop += now - top.below;
    });
  };
  choice.subscribe(show);
  show();
}

/**
 * Keep a lesson unchanged that the reader only opens, although a kernel that starts writes its name into it.
 *
 * @param {NotebookPanel} panel
 */
function keepUnchanged(panel) {
  const model = panel.content.model;
  if (!model) throw new Error(`posenc-lessons: ${panel.context.path} is ready and has no model`);
  model.metadataChanged.connect((_, { key }) => {
    if (KERNEL_KEYS.includes(key) && !model.dirty)
      queueMicrotask(() => {
        model.dirty = false;
      });
  });
}
