"""A wrong answer gets a message, not a traceback, and a faulty check does not blame the learner."""

from collections.abc import Callable
from typing import Any

import pytest

from posenc_lessons.exercises.verdict import Verdict, Wrong, judge
from posenc_lessons.language import Text

PRAISE = Text("对了。", "Right.")


def examine(answer: Callable[[int], Any]) -> None:
    """Return a check of "twice the number"."""
    for number in (1, 5):
        result = answer(number)
        if result == number * number:
            raise Wrong("你算的是平方。", "That is the square.")
        if abs(result - 2 * number) > 1e-6:
            raise Wrong("不是两倍。", "Not twice.")


def twice(number: int) -> int:
    return 2 * number


def stub(number: int) -> Any:
    """Return twice the number."""
    return ...


def unwritten(number: int) -> Any:
    raise NotImplementedError


def divides(number: int) -> Any:
    result = number

    return result / 0


def deeper(number: int) -> Any:
    return divides(number)


def misspells(number: int) -> Any:
    return nubmer  # type: ignore[name-defined]  # noqa: F821


def falls(number: int) -> Any:
    return falls(number)


def rambles(number: int) -> Any:
    raise ValueError("so much\n" * 1000)


def test_right_answer_is_praised() -> None:
    verdict = judge(twice, examine, PRAISE)
    assert verdict == Verdict("passed", PRAISE) and verdict.passed


@pytest.mark.parametrize("answer", [stub, unwritten])
def test_a_stub_is_not_yet_answered(answer: Callable[..., Any]) -> None:
    verdict = judge(answer, examine, PRAISE)
    assert verdict.status == "not yet" and not verdict.passed
    assert "还没有作答" in verdict.message.zh and "Not yet" in verdict.message.en


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda number: number * number, "That is the square."),
        (lambda number: None, "Nothing was returned (None): is a return missing?"),
        (divides, "Here something is divided by zero.\n    line 40: return result / 0\n    error: ZeroDiv"),
        (deeper, "line 40: return result / 0"),
        (misspells, "error: NameError: name 'nubmer' is not defined"),
        (falls, "A function goes on calling itself.\n    line 52: return falls(number)"),
        (lambda: 2, "Calling your function ended in an error.\n    error: TypeError"),
        (int("7").__truediv__, "Not twice."),
        (lambda number: "two", "could not be used"),
        (lambda number: (number, number), "could not be used"),
        ("two", "A function is wanted here; this is a str."),
    ],
)
def test_wrong_answers_get_a_message(answer: Any, said: str) -> None:
    verdict = judge(answer, examine, PRAISE)
    assert verdict.status == "wrong"
    assert said in repr(verdict)
    assert verdict.message.zh and verdict.message.zh != verdict.message.en


def test_a_long_error_is_cut() -> None:
    *_, (_, error) = judge(rambles, examine, PRAISE).rows
    assert len(error) < 300 and error.endswith("…") and "\n" not in error


def test_a_faulty_check_is_not_blamed_on_the_learner() -> None:
    def broken(answer: Callable[[int], Any]) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        judge(twice, broken, PRAISE)


def test_a_learner_can_interrupt_a_check() -> None:
    def waits(number: int) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        judge(waits, examine, PRAISE)


@pytest.mark.parametrize(("status", "mark"), [("passed", "✔"), ("wrong", "✘"), ("not yet", "…")])
def test_a_verdict_shows_both_languages_and_runs_no_html(status: Any, mark: str) -> None:
    verdict = Verdict(status, Text("<b>甲</b>：\n乙", "<b>1.5</b>. b"), ((Text("丙", "c"), "x < 1"),), 3)
    shown = verdict._repr_mimebundle_()
    assert shown["text/plain"] == (
        f"{mark} <b>甲</b>。\n    丙: x < 1\n    乙\n{mark} <b>1.5</b>.\n    c: x < 1\n    b"
    )
    assert "<strong>&lt;b&gt;甲&lt;/b&gt;。</strong></div>" in shown["text/html"]
    assert "<strong>&lt;b&gt;1.5&lt;/b&gt;.</strong></div>" in shown["text/html"]
    assert ">x &lt; 1</code>" in shown["text/html"] and mark in shown["text/html"]
    assert 'role="status" data-line="3"' in shown["text/html"]
