"""Guesses: ``guess("name")`` asks, and ``settle("name")``, further down, shows the answer.

In the lesson's table (``course/guesses/LESSON.py``)::

    GUESSES = (
        ask(
            "dog-vector",
            "…吗？",
            "Does …?",
            wrong("会", "Yes", "RNN 确实这样。可是……", "An RNN does. But …"),
            right("不会", "No", "因为…", "Because …"),
            wrong("看情况", "It depends", "…", "…"),
        ),
    )

and in the lesson, both in separate cells with hidden source (``jupyter.source_hidden``)::

    from posenc_lessons.course.guess import guess
    guess("dog-vector")

A choice is kept with the reader's progress, and may be changed until it is settled. Without a kernel both are
plain lists; exported pages have their own script (``export/page/lesson_page.js``).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from posenc_lessons import progress
from posenc_lessons.course.guesses import Choice, Guess, find
from posenc_lessons.display import Handle, display
from posenc_lessons.language import Text

_HERE = Path(__file__).parent
_LETTERS = "ABCDEFGH"
_STYLE = "border-left:4px solid {color};padding:2px 14px;margin:4px 0;max-width:60em"
_ASKED = "font-weight:600;margin:4px 0"
_LIST = 'type="A" style="margin:6px 0;padding-left:1.8em;list-style-type:upper-alpha"'

KEPT = Text("记下了，揭晓之前随时可以改。", "Kept; you can change it until it is settled.")
LOCKED = Text("这一题已经揭晓。", "This one has been settled.")
RIGHT = Text("你猜的是 {letter}，猜对了。", "You guessed {letter}, and that is right.")
WRONG = Text("你猜的是 {letter}，答案是 {answer}。", "You guessed {letter}; the answer is {answer}.")


class GuessCard(anywidget.AnyWidget):
    """The card of one guess, with the reader's earlier choice already made."""

    _esm = _HERE / "guess.js"
    _css = _HERE / "guess.css"

    asks = traitlets.Dict().tag(sync=True)  # by language, as Text.parts() gives it
    choices: traitlets.List[dict[str, str]] = traitlets.List().tag(sync=True)
    picked = traitlets.Int(-1).tag(sync=True)  # the number of the choice, -1 without one
    locked = traitlets.Bool().tag(sync=True)
    said = traitlets.Dict().tag(sync=True)  # the text below the choices

    def __init__(self, asked: Guess) -> None:
        choices = [choice.says.parts() for choice in asked.choices]
        super().__init__(asks=asked.asks.parts(), choices=choices)
        self.asked = asked
        self.answers: Handle | None = None  # where this kernel has settled it
        self.observe(self._picked, "picked")
        self.recall()

    def settle(self) -> None:
        """Show the answer here; a reader who chooses only afterwards gets the result then."""
        problem = self._lock()
        self.answers = display(self._answer(), updatable=True)
        self._say(problem)

    def recall(self) -> None:
        """Show the choice on file, here and in the answer; none where there is none."""
        before, problem = progress.so_far()
        picked = before.guessed.get(self.asked.name, -1)
        self.unobserve(self._picked, "picked")
        self.picked = picked if picked < len(self.asked.choices) else -1
        self.observe(self._picked, "picked")
        self.locked = self.picked >= 0 and self.asked.name in before.settled
        if self.answers is not None:
            problem = self._lock() or problem
            self.answers.update(self._answer())
        self._say(problem)

    def _picked(self, _change: object) -> None:
        problem = progress.guessed(self.asked.name, self.picked)
        if self.answers is not None:
            problem = self._lock() or problem
            self.answers.update(self._answer())
        self._say(problem)

    def _lock(self) -> Text | None:
        """Fix the choice, if there is one."""
        if self.picked < 0 or self.locked:
            return None
        self.locked = True
        return progress.settled(self.asked.name)

    def _say(self, problem: Text | None) -> None:
        said = problem or (LOCKED if self.locked else KEPT)
        self.said = said.parts() if problem or self.picked >= 0 else {}

    def _answer(self) -> dict[str, str]:
        picked = self.picked if self.picked >= 0 else None
        return {"text/html": answer_html(self.asked, picked), "text/plain": _plain(self.asked, "✘✔")}

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        return {**data, "text/html": question_html(self.asked), "text/plain": _plain(self.asked)}, metadata


_cards: dict[str, GuessCard] = {}


def guess(name: str) -> GuessCard:
    """Return the card of the guess ``name``, for the last line of its cell; one per kernel.

    Raises BilingualValueError when no table has it.
    """
    asked = find(name)
    if name not in _cards or _cards[name].comm is None:
        _cards[name] = GuessCard(asked)
    return _cards[name]


def recall_guesses() -> None:
    """Show the choices on file on the cards of this kernel."""
    for card in _cards.values():
        card.recall()


def settle(name: str) -> None:
    """Show the answer to the guess ``name``, the reader's choice, and a comment on every choice.

    Raises BilingualValueError when no table has it.
    """
    guess(name).settle()


def question_html(asked: Guess) -> str:
    """Return a plain list of choices; the script of an exported page adds buttons to it."""
    choices = "".join(f"<li>{_html(choice.says)}</li>" for choice in asked.choices)
    return (
        f'<div class="posenc-guess" data-guess="{asked.name}" style="{_STYLE.format(color="#b26a00")}">'
        f'<div class="posenc-guess-asks" style="{_ASKED}">{_html(asked.asks)}</div>'
        f"<ol {_LIST}>{choices}</ol></div>"
    )


def answer_html(asked: Guess, picked: int | None) -> str:
    """Return every choice with its comment, after a verdict on the one that was ``picked``, if any."""
    said = ""
    if picked is not None:
        letter, answer = _LETTERS[picked], _LETTERS[asked.right]
        verdict = (RIGHT if picked == asked.right else WRONG).format(letter=letter, answer=answer)
        said = f'<div style="margin:4px 0">{verdict.html()}</div>'
    choices = "".join(
        f'<li data-right="{int(choice.right)}" style="margin:4px 0">{_html(_explained(choice))}</li>'
        for choice in asked.choices
    )
    return (
        f'<div class="posenc-settled" data-guess="{asked.name}" style="{_STYLE.format(color="#1a7f4b")}">'
        f'<div style="{_ASKED}">{_html(asked.asks)}</div>{said}<ol {_LIST}>{choices}</ol></div>'
    )


def _explained(choice: Choice) -> Text:
    mark = "✔" if choice.right else "✘"
    return Text(
        f"{mark} **{choice.says.zh}**\n{choice.why.zh}", f"{mark} **{choice.says.en}**\n{choice.why.en}"
    )


def _html(text: Text) -> str:
    """Return ``text`` as HTML, with `backticks` as code and **stars** as strong."""
    marked = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text.html())
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", marked)


def _plain(asked: Guess, marks: str = "") -> str:
    """Return a guess as plain text; ``marks`` are the marks of wrong and right choices."""
    lines = [asked.asks.show("both")]
    for letter, choice in zip(_LETTERS, asked.choices, strict=False):
        said = f"{letter} {marks[choice.right : choice.right + 1]} {choice.says.show('both')}"
        lines.append(" ".join(said.split()))
    return "\n".join(lines)
