"""Toolbar and kernel agree on the language, even if their messages are late or out of order."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from posenc_lessons import language
from posenc_lessons.course import switch
from posenc_lessons.course.build_extension import SOURCES
from posenc_lessons.language import Language

CHOICE = SOURCES / "src/choice.js"
# A page whose kernel and server answer on command. Each step waits for all effects of the previous one. It
# prints the page's language, and its messages to kernel and server.
PAGE = """
Object.defineProperty(globalThis, "navigator", { value: { language: "zh-CN" } });
const { Choice, KernelLanguage } = await import(process.argv[1]);
const signal = { connect() {}, disconnect() {} };
const said = [], kept = [], guessed = [];
let answerServer;
const request = (_address, { method, body }) => {
    const answer = (language) => ({ ok: true, status: 200, json: async () => ({ language }) });
    if (method === "GET") return new Promise((done) => (answerServer = (language) => done(answer(language))));
    const { language, chosen } = JSON.parse(body);
    (chosen ? kept : guessed).push(language);
    return Promise.resolve(answer());
};
const say = (data) => said.push(data);
const newComm = () => ({ isDisposed: false, open: say, send: say });
let comm = newComm();
const none = { content: { status: "ok", comms: {} } };
const kernel = { createComm: () => comm, requestCommInfo: async () => none };
const session = { ready: Promise.resolve(), session: { kernel } };
Object.assign(session, { kernelChanged: signal });
const choice = new Choice({ settings: { baseUrl: "/" }, request });
const link = new KernelLanguage(session, choice);
const does = {
    reads: () => void choice.read(),
    file: (language) => answerServer(language),
    chooses: (language) => choice.choose(language),
    runs: () => void link.attend(),
    restarts: () => ((comm.isDisposed = true), (comm = newComm())),
    hears: ([language, count]) => comm.onMsg({ content: { data: { language, count } } }),
};
for (const [what, given] of JSON.parse(process.argv[2])) {
    await new Promise((done) => setTimeout(done));
    does[what](given);
}
await new Promise((done) => setTimeout(done));
console.log(JSON.stringify({ shows: choice.language, said, kept, guessed }));
"""


@pytest.fixture
def toolbar(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """Return a page's end of the comm: ``said`` holds the kernel's messages, ``tell`` sends one."""
    monkeypatch.setattr(language, "_current", "both")
    monkeypatch.setattr(language, "_listeners", [])
    monkeypatch.setattr(switch, "_settled", False)
    hearing: list[Callable[[Any], None]] = []
    said: list[Any] = []
    comm = SimpleNamespace(send=said.append, on_msg=hearing.append, on_close=lambda stop: None)

    def message(spoken: Language, count: int, chosen: bool) -> Any:
        return {"content": {"data": {"language": spoken, "chosen": chosen, "count": count}}}

    def tell(spoken: Language, count: int, chosen: bool = True) -> None:
        hearing[-1](message(spoken, count, chosen))

    def opens(spoken: Language) -> None:
        switch.get_comm_manager().targets[switch._TARGET](comm, message(spoken, 0, chosen=False))

    switch.follow_toolbar()

    opens("en")
    yield SimpleNamespace(said=said, tell=tell, opens=opens)


def test_a_kernel_answers_the_opening_and_ignores_older_messages(
    toolbar: SimpleNamespace,
) -> None:
    assert language.current() == "en"
    assert toolbar.said[-1] == {"language": "en", "count": 0}
    toolbar.tell("both", 5)
    toolbar.tell("zh", 4)
    assert language.current() == "both"
    language.choose("zh")  # by the switch in a cell, or in code
    assert toolbar.said[-1] == {"language": "zh", "count": 5}


def test_a_kernel_follows_only_the_first_pages_guess(toolbar: SimpleNamespace) -> None:
    toolbar.opens("zh")
    assert toolbar.said[-1] == {"language": "en", "count": 0}
    toolbar.tell("zh", 1)
    toolbar.tell("both", 2, chosen=False)
    assert language.current() == "zh"


def page(*events: tuple[str, Any]) -> dict[str, Any]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node here to ask the extension's own module")
    command = [node, "--input-type=module", "-e", PAGE, CHOICE.as_uri(), json.dumps(events)]
    return dict(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))


RUNNING = (("file", "zh"), ("runs", None))


def test_a_choice_before_the_kernels_answer_is_sent_after_it() -> None:
    found = page(*RUNNING, ("chooses", "en"), ("chooses", "both"), ("hears", ("zh", 0)))
    assert found["said"] == [
        {"language": "zh", "chosen": True, "count": 0},
        {"language": "both", "chosen": True, "count": 2},
    ]
    assert (found["shows"], found["kept"]) == ("both", ["en", "both"])


def test_a_kernel_that_was_restarted_hears_the_next_choice() -> None:
    heard = ("hears", ("zh", 0))
    found = page(
        *RUNNING, heard, ("restarts", None), ("chooses", "en"), ("runs", None), heard, ("chooses", "both")
    )
    assert [message["language"] for message in found["said"]] == ["zh", "en", "both"]


def test_a_slow_kernel_does_not_undo_a_newer_choice() -> None:
    heard = (("hears", ("zh", 0)), ("chooses", "en"), ("chooses", "both"), ("hears", ("en", 1)))
    assert page(*RUNNING, *heard)["shows"] == "both"
    found = page(*RUNNING, *heard, ("hears", ("both", 2)), ("hears", ("zh", 2)))
    assert found["shows"] == "zh"  # a choice in the kernel, which is up to date: the page keeps it
    assert found["kept"][-1] == "zh" and found["said"][-1]["count"] == 2


def test_before_the_first_choice_the_page_has_the_browsers_language_and_keeps_no_guess() -> None:
    opened = (("file", None), ("runs", None))
    guess = {"language": "zh", "chosen": False, "count": 0}
    assert page(*opened) == {"shows": "zh", "said": [guess], "kept": [], "guessed": ["zh"]}
    assert page(("chooses", "en"), ("file", None))["kept"] == ["en"]
    found = page(*opened, ("hears", ("en", 0)))  # the guess of another browser that shows the same kernel
    assert (found["shows"], found["kept"]) == ("zh", [])
    found = page(*opened, ("hears", ("zh", 0)), ("chooses", "zh"))
    assert found["kept"] == ["zh"] and found["said"][1:] == [{"language": "zh", "chosen": True, "count": 1}]
    assert page(*opened, ("hears", ("zh", 0)), ("hears", ("en", 0)))["kept"] == ["en"], "chosen in the kernel"


def test_a_choice_read_from_the_file_does_not_undo_a_newer_one() -> None:
    assert page(("chooses", "en"), ("file", "both"))["shows"] == "en"
    assert page(("file", "zh"), ("reads", None), ("chooses", "en"), ("file", "zh"))["shows"] == "en"
    assert page(("file", "zh"), ("reads", None), ("file", "both"))["shows"] == "both"
