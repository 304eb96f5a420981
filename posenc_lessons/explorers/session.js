// Tells a reader that the program behind the page is gone, and begins a new session that shows the same.
// Only on a page of the explorers' own: JupyterLab says such things itself. The page is simply loaded anew;
// address.js keeps what was set and typed. It never does so unasked.

const PATIENCE = 15_000; // ms without a server before the reader is told: shorter breaks heal by themselves
const PAUSE = 2_000; // ms between two looks at a server that does not answer
const SILENCE = 3_000; // ms that a kernel may stay silent after the reader did something
const OVER = ["crashed", "ended", "refused"]; // what does not heal by itself

// "here": the kernel lives. "ended": the server has closed it. "refused": the server does not know this reader.
// "away": no server. Fetching the page itself would start a kernel, so the kernel is asked after.
async function ask(kernel) {
  const { baseUrl } = kernel.serverSettings;
  const token = new URLSearchParams(location.search).get("token");
  const headers = token ? { Authorization: `token ${token}` } : {};
  let answer;
  try {
    const signal = AbortSignal.timeout(10_000);
    answer = await fetch(`${baseUrl}api/kernels/${kernel.id}`, { headers, signal, cache: "no-store" });
  } catch {
    return "away";
  }
  if (answer.status === 404) return "ended";
  if ([401, 403].includes(answer.status) || answer.redirected) return "refused";
  return answer.ok ? "here" : "away";
}

function notice(el, words) {
  const box = document.createElement("div");
  box.className = "posenc-session";
  box.hidden = true;
  const text = document.createElement("div");
  text.setAttribute("role", "alert");
  const button = document.createElement("button");
  button.type = "button";
  box.append(text, button);
  el.append(box);
  // Both languages: the switch hides one, and needs no kernel for it.
  const fill = (element, name) =>
    element.replaceChildren(
      ...Object.entries(words[name]).map(([language, said]) => {
        const part = document.createElement("div");
        part.lang = language;
        part.textContent = said;
        return part;
      }),
    );
  fill(button, "again");
  const say = (name) => {
    box.hidden = !name;
    if (name) fill(text, name);
    else text.replaceChildren();
  };
  return { say, button };
}

function render({ model, el }) {
  const kernel = model.widget_manager?.kernel;
  if (!document.querySelector('meta[name="posenc-page"]') || !kernel) return;
  const { say: show, button } = notice(el, model.get("words"));
  let said = null;
  let awaySince = null;
  let timer = null;
  let looking = false;

  const say = (what) => {
    if (what === said || OVER.includes(said)) return;
    said = what;
    show(what);
  };

  async function look() {
    if (looking || OVER.includes(said)) return;
    looking = true;
    clearTimeout(timer);
    const found = await ask(kernel);
    looking = false;
    if (found === "away") {
      awaySince ??= Date.now();
      if (said === null && Date.now() - awaySince >= PATIENCE) say("away");
      timer = setTimeout(look, PAUSE);
    } else if (found === "here") {
      awaySince = null;
      if (kernel.isDisposed) say("crashed");
      else if (kernel.connectionStatus === "connected") say(null);
      if (kernel.isDisposed || kernel.connectionStatus === "connected") return;
      // Its own attempts are up to a minute apart, and after some minutes it makes no more.
      kernel.reconnect().catch(() => {}); // said by its status, which is looked at again below
      timer = setTimeout(look, PAUSE);
    } else say(found);
  }

  // A kernel that died while there was no connection has a successor, which has never heard of this page.
  async function greet() {
    let reply;
    try {
      reply = await kernel.requestCommInfo({ target_name: "jupyter.widget" });
    } catch {
      return; // the connection is lost once more, and connection() hears of it
    }
    if (reply.content.status !== "ok") return;
    if (reply.content.comms[model.get("me")]) say(null);
    else say("crashed");
  }

  const status = (_, what) => {
    if (["restarting", "autorestarting"].includes(what)) say("crashed");
    if (what === "dead") look();
  };
  const connection = (_, what) => {
    if (what === "connected") greet();
    else look();
  };
  kernel.statusChanged.connect(status);
  kernel.connectionStatusChanged.connect(connection);

  // The server says nothing to the page when it ends an idle session: a kernel that stays silent after the
  // reader did something is asked after.
  let heard = Date.now();
  let waiting = null;
  const listen = (_, { direction }) => {
    if (direction === "recv") heard = Date.now();
  };
  kernel.anyMessage.connect(listen);
  const acted = () => {
    waiting ??= setTimeout(() => {
      waiting = null;
      if (Date.now() - heard >= SILENCE) look();
    }, SILENCE);
  };
  const shown = () => document.visibilityState === "visible" && look();
  const listeners = [
    [document, "pointerdown", acted],
    [document, "keydown", acted],
    [document, "input", acted],
    [document, "visibilitychange", shown],
    [window, "pageshow", (event) => event.persisted && look()],
    [window, "online", look],
  ];
  for (const [target, kind, listener] of listeners) target.addEventListener(kind, listener, true);

  button.addEventListener("click", async () => {
    button.setAttribute("aria-disabled", "true");
    const found = await ask(kernel);
    button.removeAttribute("aria-disabled");
    if (found === "away") {
      show(null); // or the same words again would not be heard
      said = "away";
      say("still_away");
      timer ??= setTimeout(look, PAUSE);
    } else if (found === "refused") say("refused");
    else location.reload();
  });

  return () => {
    clearTimeout(timer);
    clearTimeout(waiting);
    for (const [target, kind, listener] of listeners) target.removeEventListener(kind, listener, true);
    if (kernel.isDisposed) return;
    kernel.statusChanged.disconnect(status);
    kernel.connectionStatusChanged.disconnect(connection);
    kernel.anyMessage.disconnect(listen);
  };
}

export default { render };
