"""A kernel speaks the page's language, whatever it runs meanwhile; the server keeps choices, not guesses."""

import json
import shutil
import subprocess
import sys
from typing import Any

import pytest

from posenc_lessons import language
from posenc_lessons.course.build_extension import SOURCES

CHOICE = SOURCES / "src/choice.js"
# A page whose kernel and server answer on command. Each step waits for all effects of the previous one. It
# prints the page's language, and its messages to kernel and server.
PAGE = """
Object.defineProperty(globalThis, "navigator", { value: { language: "zh-CN" } });
const { Choice, KernelLanguage } = await import(process.argv[1]);
const said = [], kept = [], guessed = [], replies = [];
let answerServer;
const request = (_address, { method, body }) => {
    const answer = (language) => ({ ok: true, status: 200, json: async () => ({ language }) });
    if (method === "GET") return new Promise((done) => (answerServer = (language) => done(answer(language))));
    const { language, chosen } = JSON.parse(body);
    (chosen ? kept : guessed).push(language);
    return Promise.resolve(answer());
};
const kernel = {
    requestExecute: ({ code, silent, stop_on_error }) => {
        if (silent && !stop_on_error) said.push(code);
        return { done: new Promise((done) => replies.push((status) => done({ content: { status } }))) };
    },
};
const session = { ready: Promise.resolve(), session: { kernel } };
const choice = new Choice({ settings: { baseUrl: "/" }, request });
const link = new KernelLanguage(session, choice);
const does = {
    reads: () => void choice.read(),
    file: (language) => answerServer(language),
    chooses: (language) => choice.choose(language),
    replies: (status) => replies.shift()(status),
};
for (const [what, given] of JSON.parse(process.argv[2])) {
    await new Promise((done) => setTimeout(done));
    does[what](given);
}
await new Promise((done) => setTimeout(done));
console.log(JSON.stringify({ shows: choice.language, said, kept, guessed }));
"""


def page(*events: tuple[str, Any]) -> dict[str, Any]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node here to ask the extension's own module")
    command = [node, "--input-type=module", "-e", PAGE, CHOICE.as_uri(), json.dumps(events)]
    return dict(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))


@pytest.fixture(autouse=True)
def kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "_current", "both")
    monkeypatch.setattr(language, "_listeners", [])


def spoken(code: str) -> str:
    """Run what the page sends to a kernel; return the language in which that then speaks."""
    exec(code)
    return language.current()


def test_a_kernel_speaks_the_pages_language_and_one_without_the_course_is_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = page(("file", "zh"), ("chooses", "en"))["said"]
    assert [spoken(code) for code in said] == ["zh", "zh", "en"]
    monkeypatch.delitem(sys.modules, "posenc_lessons.language")
    assert spoken(said[0]) == "en"


def test_a_choice_that_an_error_discarded_is_sent_again_unless_there_is_a_newer_one() -> None:
    def count(*events: tuple[str, Any]) -> int:
        return len(page(("file", "zh"), *events)["said"])

    assert [count(("replies", status)) for status in ("ok", "error", "aborted")] == [2, 2, 3]
    assert count(("chooses", "en"), ("replies", "aborted")) == 3


def test_before_the_first_choice_the_page_has_the_browsers_language_and_keeps_no_guess() -> None:
    found = page(("file", None))
    assert (found["shows"], found["kept"], found["guessed"], spoken(found["said"][0])) == (
        "zh",
        [],
        ["zh"],
        "zh",
    )
    assert page(("chooses", "en"), ("file", None))["kept"] == ["en"]
    assert page(("file", None), ("chooses", "zh"))["kept"] == ["zh"]


def test_a_choice_read_from_the_file_does_not_undo_a_newer_one() -> None:
    assert page(("chooses", "en"), ("file", "both"))["shows"] == "en"
    assert page(("file", "zh"), ("reads", None), ("chooses", "en"), ("file", "zh"))["shows"] == "en"
    assert page(("file", "zh"), ("reads", None), ("file", "both"))["shows"] == "both"
