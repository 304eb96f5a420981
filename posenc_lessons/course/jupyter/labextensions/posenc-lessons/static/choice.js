// The reader's language: one for all lessons in this JupyterLab. It is on file with the server, which the
// kernels read too; a lesson that runs hears of it, and says it, on a comm.

export const LANGUAGES = ["zh", "en", "both"];
const TARGET = "posenc-language"; // posenc_lessons/course/switch.py answers it

/** A text in both languages as `language` has it. */
export function say(text, language) {
  return language === "both" ? `${text.zh} · ${text.en}` : text[language];
}

/** One choice, kept by the server; `subscribe` is told of each change, with the language. */
export class Choice {
  constructor(services) {
    this._server = services; // { settings, request }
    this._listeners = new Set();
    this.language = "both";
  }

  subscribe(listener) {
    this._listeners.add(listener);
    return () => this._listeners.delete(listener);
  }

  /** What is on file, which another window may have changed. */
  async read() {
    const answer = await this._ask({ method: "GET" });
    if (answer?.ok) this._hold((await answer.json()).language);
  }

  /** The reader chose: shown at once, then kept. */
  async choose(language) {
    if (!LANGUAGES.includes(language) || language === this.language) return;
    this._hold(language);
    await this._ask({ method: "POST", body: JSON.stringify({ language }) });
  }

  _hold(language) {
    if (!LANGUAGES.includes(language) || language === this.language) return;
    this.language = language;
    for (const listener of [...this._listeners]) listener(language);
  }

  /** Null where no server keeps choices (a JupyterLab that was started otherwise): they hold for this page. */
  async _ask(options) {
    const { settings, request } = this._server;
    const answer = await request(`${settings.baseUrl}posenc-lessons/choice`, options, settings);
    if (answer.status === 404) return null;
    if (!answer.ok) console.warn(`posenc-lessons: the server answered ${answer.status} to a choice`);
    return answer;
  }
}

/** Keep the kernel of `session` (a SessionContext) and the choice in step; `attend` when a cell has run. */
export class KernelLanguage {
  constructor(session, choice) {
    this._session = session;
    this._choice = choice;
    this._comm = null;
    this._stop = choice.subscribe((language) => this._tell(language));
    session.kernelChanged.connect(this._renewed, this);
    session.statusChanged.connect(this._status, this);
    void this._find();
  }

  dispose() {
    this._stop();
    this._session.kernelChanged.disconnect(this._renewed, this);
    this._session.statusChanged.disconnect(this._status, this);
  }

  /** The cell of the language switch has run, so the kernel listens now. */
  attend() {
    const kernel = this._session.session?.kernel;
    if (!kernel || this._comm || kernel.handleComms === false) return;
    const comm = kernel.createComm(TARGET);
    comm.onMsg = (message) => void this._choice.choose(message.content.data.language);
    comm.onClose = () => (this._comm = this._comm === comm ? null : this._comm);
    this._comm = comm;
    comm.open();
    this._tell(this._choice.language);
  }

  /** A kernel that ran before this page was loaded has the comm of the page before. */
  async _find() {
    await this._session.ready;
    const kernel = this._session.session?.kernel;
    const found = await kernel?.requestCommInfo({ target_name: TARGET });
    if (found?.content.status === "ok" && Object.keys(found.content.comms).length > 0) this.attend();
  }

  _tell(language) {
    if (this._comm && !this._comm.isDisposed) this._comm.send({ language });
  }

  _renewed() {
    this._comm = null;
  }

  _status(_session, status) {
    if (["restarting", "autorestarting", "dead"].includes(status)) this._comm = null;
  }
}
