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
    this._kept = Promise.resolve(); // once what was chosen here is on file
    this._count = 0; // of choices made here
    this.language = "both";
    this.ready = this.read();
  }

  subscribe(listener) {
    this._listeners.add(listener);
    return () => this._listeners.delete(listener);
  }

  /** What is on file, which another window may have changed; what is chosen here meanwhile is newer. */
  async read() {
    await this._kept;
    const count = this._count;
    const answer = await this._ask({ method: "GET" });
    const found = answer?.ok ? (await answer.json()).language : this.language;
    if (count === this._count) this._hold(found);
  }

  /** The reader chose: shown at once, then kept, one choice after the other. */
  choose(language) {
    if (!LANGUAGES.includes(language) || language === this.language) return;
    this._count += 1;
    this._kept = this._kept.then(() => this._ask({ method: "POST", body: JSON.stringify({ language }) }));
    this._hold(language);
  }

  _hold(language) {
    if (!LANGUAGES.includes(language) || language === this.language) return;
    this.language = language;
    for (const listener of [...this._listeners]) listener(language);
  }

  /** Null where no server answers or it keeps no choices (JupyterLab started otherwise): they hold for this page. */
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
 * Keep the kernel of `session` (a SessionContext) and the choice in step; `attend` when a cell has run.
 *
 * JupyterLab hands what is said on a comm to another thread of the kernel than what opens it, and a busy kernel
 * hears late. So nothing is said before the kernel has answered the opening, and what is said is numbered: the
 * kernel leaves out what is older than what it heard, and says what it heard last; here, what it says is left out
 * while it has not heard all.
 */
export class KernelLanguage {
  constructor(session, choice) {
    this._session = session;
    this._choice = choice;
    this._told = 0; // the number of the last choice
    this._gone();
    this._stop = choice.subscribe((language) => this._tell(language));
    session.kernelChanged.connect(this._gone, this);
    session.statusChanged.connect(this._status, this);
    void this._find();
  }

  dispose() {
    this._stop();
    this._session.kernelChanged.disconnect(this._gone, this);
    this._session.statusChanged.disconnect(this._status, this);
  }

  /** The cell of the language switch has run, so the kernel listens now. */
  async attend() {
    await this._choice.ready;
    const kernel = this._session.session?.kernel;
    if (!kernel || this._comm || kernel.handleComms === false) return;
    const comm = kernel.createComm(TARGET);
    comm.onMsg = (message) => this._hear(comm, message.content.data);
    comm.onClose = () => this._comm === comm && this._gone();
    this._comm = comm;
    comm.open(this._said());
  }

  /** A kernel that ran before this page was loaded has the comm of the page before. */
  async _find() {
    await this._session.ready;
    const kernel = this._session.session?.kernel;
    const found = await kernel?.requestCommInfo({ target_name: TARGET });
    if (found?.content.status === "ok" && Object.keys(found.content.comms).length > 0) void this.attend();
  }

  _said() {
    return { language: this._choice.language, count: this._told };
  }

  _tell(language) {
    if (language === this._heard) return; // the kernel's own words
    this._told += 1;
    if (this._listens && !this._comm.isDisposed) this._comm.send(this._said());
  }

  _hear(comm, { language, count }) {
    if (comm !== this._comm) return;
    const first = !this._listens;
    this._listens = true;
    if (count === this._told) {
      this._heard = language;
      this._choice.choose(language);
      this._heard = null;
    } else if (first) comm.send(this._said());
  }

  _gone() {
    this._comm = null;
    this._listens = false;
    this._heard = null;
  }

  _status(_session, status) {
    if (["restarting", "autorestarting", "dead"].includes(status)) this._gone();
  }
}
