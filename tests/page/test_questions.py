"""A panel's questions while it waits for an answer: only the newest of each value, all others in order."""

from typing import Any

import pytest

from tests.page.node_scripts import answered, needs_node

# Makes all calls in ``deeds`` at once, answers one after another, and gives the questions asked.
SCRIPT = """
const { Questions } = await import(`${panel}/questions.js`);
const asked = [];
const put = (call, args) => new Promise((done) => setTimeout(() => done(asked.push([call, ...args]) && {})));
const questions = new Questions(put, () => {}, () => {});
if (given.open) questions.begin("view");
for (const [deed, ...rest] of given.deeds) questions[deed](...rest);
if (!given.open) questions.begin("view");
const idle = () => !questions.underWay && !questions.waiting.length && !questions.aside;
const wait = () => (idle() ? answer(asked) : setTimeout(wait));
wait();
"""


def place(x: int, kind: str) -> dict[str, Any]:
    return {"panel": "p", "x": x, "y": 0, "kind": kind}


@needs_node
@pytest.mark.parametrize(
    ("deeds", "asked"),
    [
        ([["set", "m", 1], ["set", "m", 2], ["set", "m", 3]], [["set", "m", 3]]),
        ([["set", "m", 1], ["set", "n", 2], ["set", "m", 3]], [["restore", {"m": 3, "n": 2}]]),
        ([["set", "m", 1], ["ask", "reset"], ["set", "m", 3]], [["set", "m", 1], ["reset"], ["set", "m", 3]]),
        (
            [["point", place(1, "press")], ["point", place(2, "drag")], ["point", place(3, "drag")]],
            [["point", "p", 1, 0, "press"], ["point", "p", 3, 0, "drag"]],
        ),
        ([["point", place(1, "hover")], ["point", place(2, "leave")]], [["point", "p", 2, 0, "leave"]]),
        ([["set", "m", 1], ["clear"], ["ask", "follow_try", 2]], [["follow_try", 2]]),
        (
            [["askAside", "number", 1], ["askAside", "number", 2], ["set", "m", 1]],
            [["set", "m", 1], ["number", 2]],
        ),
    ],
)
@pytest.mark.parametrize("is_open", [True, False])
def test_values_set_before_an_answer_are_asked_for_once_and_in_order(
    deeds: list[list[Any]], asked: list[list[Any]], is_open: bool
) -> None:
    assert answered(SCRIPT, {"open": is_open, "deeds": deeds}) == [["view"], *asked]
