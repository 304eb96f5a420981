// The reader's language, which is the same for all lessons in this JupyterLab. The server keeps it in a file that
// kernels read too; the toolbar and a running lesson send each other changes on a comm.

/** @import { ISessionContext } from "@jupyterlab/apputils" */
/** @import { Kernel, ServerConnection } from "@jupyterlab/services" */

/** @typedef {"zh" | "en" | "both"} Language */
/** @typedef {{ zh: string, en: string }} Words */
/** @typedef {{ language: Language, count: number }} Said a message of the kernel */
/** @typedef {{ settings: ServerConnection.ISettings, request: typeof ServerConnection.makeRequest }} Server */

/** @type {Language[]} */
export const LANGUAGES = ["zh", "en", "both"];
const TARGET = "posenc-language"; // posenc_lessons/course/switch.py answers it

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
 * Keeps a kernel's language and the choice equal.
 *
 * In the kernel, messages on a comm arrive in another thread than the opening of the comm, and a busy kernel gets
 * them late. So the page sends nothing before the kernel has answered the opening, and numbers its messages. The
 * kernel ignores messages older than the newest one it has, and answers with the newest one's number. The page
 * ignores answers of a kernel that does not have all messages yet.
 *
 * The kernel follows a guess only from the first page that opens a comm. A page that guesses does not follow the answer
 * to its opening, which may be another page's guess.
 */
export class KernelLanguage {
  /**
   * @param {ISessionContext} session
   * @param {Choice} choice
   */
  constructor(session, choice) {
    this._session = session;
    this._choice = choice;
    this._told = 0; // the number of the last choice
    /** @type {Kernel.IComm | null} */
    this._comm = null;
    this._listens = false;
    /** @type {Language | null} the language that the kernel has just sent */
    this._heard = null;
    this._stop = choice.subscribe((language) => this._tell(language));
    session.kernelChanged.connect(this._gone, this);
    void this._find();
  }

  dispose() {
    this._stop();
    this._session.kernelChanged.disconnect(this._gone, this);
  }

  /**
   * Open the comm: the cell of the language switch has run, so the kernel listens now. A restart disposes of a comm;
   * messages about the restart may come later than this.
   */
  async attend() {
    await this._choice.ready;
    const kernel = this._session.session?.kernel;
    if (!kernel || (this._comm && !this._comm.isDisposed) || kernel.handleComms === false) return;
    this._gone();
    const comm = kernel.createComm(TARGET);
    comm.onMsg = ({ content }) => this._hear(comm, /** @type {Said} */ (/** @type {unknown} */ (content.data)));
    comm.onClose = () => {
      if (this._comm === comm) this._gone();
    };
    this._comm = comm;
    comm.open(this._said());
  }

  /** Open a comm to a kernel that already listened before this page was loaded. */
  async _find() {
    await this._session.ready;
    const kernel = this._session.session?.kernel;
    if (!kernel) return;
    const { content } = await kernel.requestCommInfo({ target_name: TARGET });
    if (content.status === "ok" && Object.keys(content.comms).length > 0) void this.attend();
  }

  _said() {
    return { language: this._choice.language, chosen: this._choice.chosen, count: this._told };
  }

  /** @param {Language} language */
  _tell(language) {
    if (!this._comm || this._comm.isDisposed) return; // the next opening says it
    if (language === this._heard) return; // the kernel itself said it
    this._told += 1;
    if (this._listens) this._comm.send(this._said());
  }

  /**
   * @param {Kernel.IComm} comm
   * @param {Said} said
   */
  _hear(comm, { language, count }) {
    if (comm !== this._comm) return;
    const first = !this._listens;
    this._listens = true;
    if (count !== this._told) {
      if (first) comm.send(this._said());
    } else if (language !== this._choice.language && (this._choice.chosen || !first)) {
      this._heard = language;
      this._choice.choose(language);
      this._heard = null;
    }
  }

  _gone() {
    this._comm = null;
    this._listens = false;
    this._heard = null;
  }
}
