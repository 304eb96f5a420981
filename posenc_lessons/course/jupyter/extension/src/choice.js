// The reader's language, which is the same for all lessons in this JupyterLab. The server keeps it in a file that
// kernels read too; the toolbar tells running lessons.

/** @import { ISessionContext } from "@jupyterlab/apputils" */
/** @import { ServerConnection } from "@jupyterlab/services" */

/** @typedef {"zh" | "en" | "both"} Language */
/** @typedef {{ zh: string, en: string }} Words */
/** @typedef {{ settings: ServerConnection.ISettings, request: typeof ServerConnection.makeRequest }} Server */

/** @type {Language[]} */
export const LANGUAGES = ["zh", "en", "both"];

/**
 * Return a text in `language`.
 *
 * @param {Words} text
 * @param {Language} language
 */
export function say(text, language) {
  return language === "both" ? `${text.zh} · ${text.en}` : text[language];
}

/** The language, kept by the server; before the reader's first choice it is a guess, the browser's. */
export class Choice {
  /** @param {Server} server */
  constructor(server) {
    this._server = server;
    /** @type {Set<(language: Language) => void>} */
    this._listeners = new Set();
    /** @type {Promise<unknown>} resolves when the server has kept the last choice made here */
    this._kept = Promise.resolve();
    this._count = 0; // how many choices were made here
    /** @type {Language} */
    this.language = navigator.language.startsWith("zh") ? "zh" : "en";
    /** @type {string[]} exercises that the reader has solved, as the server knew them when it was last asked */
    this.solved = [];
    this.chosen = false; // a guess is not kept: another browser has its own
    this.ready = this.read();
  }

  /**
   * Call `listener` at each change; return a function that stops this.
   *
   * @param {(language: Language) => void} listener
   */
  subscribe(listener) {
    this._listeners.add(listener);
    return () => {
      this._listeners.delete(listener);
    };
  }

  /** Ask the server, because another window may have changed the choice. A choice made here meanwhile is newer. */
  async read() {
    await this._kept;
    const count = this._count;
    const answer = await this._ask({ method: "GET" });
    if (!answer?.ok) return;
    const { language, solved } = await answer.json();
    this.solved = solved ?? [];
    if (count !== this._count) return;
    if (language === null) await this._send(this.language, false); // so that new kernels speak it in the first cell
    else this._hold(language);
  }

  /**
   * Show the reader's choice at once and have the server keep it, one choice after the other.
   *
   * @param {Language} language
   */
  choose(language) {
    if (this._holds(language)) return;
    this._count += 1;
    void this._send(language, true);
    this._hold(language);
  }

  /**
   * @param {Language} language
   * @param {boolean} chosen
   */
  _send(language, chosen) {
    this._kept = this._kept.then(() => this._ask({ method: "POST", body: JSON.stringify({ language, chosen }) }));
    return this._kept;
  }

  /** @param {Language} language */
  _holds(language) {
    return !LANGUAGES.includes(language) || (this.chosen && language === this.language);
  }

  /** @param {Language} language */
  _hold(language) {
    if (this._holds(language)) return;
    this.language = language;
    this.chosen = true;
    for (const listener of [...this._listeners]) listener(language);
  }

  /**
   * Return the server's answer, or null if it keeps no choices, which then hold only for this page.
   *
   * @param {RequestInit} options
   */
  async _ask(options) {
    const { settings, request } = this._server;
    try {
      const answer = await request(`${settings.baseUrl}posenc-lessons/choice`, options, settings);
      if (answer.status === 404) return null;
      if (!answer.ok) console.warn(`posenc-lessons: the server answered ${answer.status} to a choice`);
      return answer;
    } catch (error) {
      console.warn("posenc-lessons: the server did not answer to a choice", error);
      return null;
    }
  }
}

/**
 * Has a lesson's kernel speak the reader's language. A kernel that has not loaded the course is left alone: its first cell
 * reads the choice that the server keeps.
 */
export class KernelLanguage {
  /**
   * @param {ISessionContext} session
   * @param {Choice} choice
   */
  constructor(session, choice) {
    this._session = session;
    this._choice = choice;
    this._stop = choice.subscribe(() => void this.tell());
    void session.ready.then(() => this.tell()); // it may have run before this page was loaded
  }

  dispose() {
    this._stop();
  }

  /** Tell the kernel after what it runs now, and again if an error there discards what was to come. */
  async tell() {
    await this._choice.ready;
    const { language } = this._choice;
    const code = `(lambda it: it and it.choose("${language}"))(__import__("sys").modules.get("posenc_lessons.language"))`;
    const asked = this._session.session?.kernel?.requestExecute({ code, silent: true, store_history: false, stop_on_error: false });
    const reply = await asked?.done.catch(() => undefined); // a kernel that has ended speaks no language
    if (reply?.content.status === "aborted" && language === this._choice.language) void this.tell();
  }
}
