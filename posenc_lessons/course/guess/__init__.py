"""Guesses: ``guess`` asks, and ``settle``, further down, shows the answer. Their words stand in the lesson.

Each call is the last line of a cell of its own, with hidden source (``jupyter.source_hidden``). The cell's
metadata name the guess, for the pages and for the map of progress::

    guess(                                              # "guess": "dog-vector"
        "dog-vector",
        Text("…吗？", "Does …?"),
        Text("会", "Yes"),
        Text("不会", "No"),
    )

    settle(                                             # "settles": {"guess": "dog-vector", "right": 1}
        "dog-vector",
        Text("RNN 确实这样。可是……", "An RNN does. But …"),
        Text("因为…", "Because …"),
        right=1,
    )

`Code` in these texts is in backticks. A choice is kept with the reader's progress, and may be changed until
the guess is settled. Python writes question and answer as plain lists, which need no kernel; ``guess.js``
adds the buttons, in JupyterLab and in exported pages, and ``guess.css`` is the style of both.
"""

import html
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from posenc_lessons import progress
from posenc_lessons.display import Handle, display
from posenc_lessons.front_end import what_is_missing
from posenc_lessons.joined_modules import as_module
from posenc_lessons.language import BilingualValueError, Text

FOLDER = Path(__file__).parent
_LETTERS = "ABCDEFGH"
_STYLE = "border-left:4px solid {color};padding:2px 14px;margin:4px 0;max-width:60em"
_ASKED = "font-weight:600;margin:4px 0"
_LIST = 'type="A" style="margin:6px 0;padding-left:1.8em;list-style-type:upper-alpha"'

KEPT = Text("记下了，看答案之前随时可以改。", "Kept. You can change it until you see the answer.")
LOCKED = Text("这一题的答案已经看过了。", "You have seen the answer to this one.")
RIGHT = Text("你猜的是 {letter}，猜对了。", "You guessed {letter}, and that is right.")
WRONG = Text("你猜的是 {letter}，答案是 {answer}。", "You guessed {letter}; the answer is {answer}.")

_SUMMARY = (
    '<summary style="cursor:pointer;font-weight:600"><div lang="zh" style="display:inline">看答案</div> '
    '<div lang="en" style="display:inline">Show the answer</div></summary>'
)


@dataclass(frozen=True)
class Guess:
    """A question with its choices; its name is unique in the course."""

    name: str
    question: Text
    choices: tuple[Text, ...]


@dataclass(frozen=True)
class Answer:
    """The number of the right choice, from 0, and why each choice is right or tempting."""

    right: int
    comments: tuple[Text, ...]


class GuessCard(anywidget.AnyWidget):
    """The card of one guess, with the reader's earlier choice already made."""

    _esm = as_module("guess.js", [FOLDER])
    _css = FOLDER / "guess.css"

    card = traitlets.Unicode().tag(sync=True)  # its HTML
    picked = traitlets.Int(-1).tag(sync=True)  # the number of the choice, -1 without one
    locked = traitlets.Bool().tag(sync=True)
    status = traitlets.Unicode().tag(sync=True)  # HTML below the choices

    def __init__(self, guess: Guess) -> None:
        super().__init__(card=question_html(guess))
        self.guess = guess
        self.answer: Answer | None = None
        self.shown: Handle | None = None  # the answer shown by this kernel
        self.observe(self._picked, "picked")
        self.recall()

    def settle(self, answer: Answer) -> None:
        """Show the answer here; it will also judge a choice that is made afterwards."""
        self.answer = answer
        problem = self._lock()
        self.shown = display(self._answer_bundle(answer), updatable=True)
        self._say(problem)

    def recall(self) -> None:
        """Show the saved choice, or none, here and in the answer."""
        so_far, problem = progress.so_far()
        picked = so_far.guessed.get(self.guess.name, -1)
        self.unobserve(self._picked, "picked")
        self.picked = picked if picked < len(self.guess.choices) else -1
        self.observe(self._picked, "picked")
        self.locked = self.picked >= 0 and self.guess.name in so_far.settled
        self._say(self._judge() or problem)

    def _picked(self, _change: object) -> None:
        problem = progress.guessed(self.guess.name, self.picked)
        self._say(self._judge() or problem)

    def _judge(self) -> Text | None:
        """Show the verdict in the answer, if this kernel shows one; return a problem or None."""
        if self.shown is None or self.answer is None:
            return None
        problem = self._lock()
        self.shown.update(self._answer_bundle(self.answer))
        return problem

    def _lock(self) -> Text | None:
        """Fix the choice, if there is one."""
        if self.picked < 0 or self.locked:
            return None
        self.locked = True
        return progress.settled(self.guess.name)

    def _say(self, problem: Text | None) -> None:
        status = problem or (LOCKED if self.locked else KEPT)
        self.status = status.html() if problem or self.picked >= 0 else ""

    def _answer_bundle(self, answer: Answer) -> dict[str, str]:
        picked = self.picked if self.picked >= 0 else None
        return {
            "text/html": answer_html(self.guess, answer, picked),
            "text/plain": _plain(self.guess, answer.right),
        }

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle if what_is_missing() is None else ({}, {})
        return {**data, "text/html": self.card, "text/plain": _plain(self.guess)}, metadata


_cards: dict[str, GuessCard] = {}


def guess(name: str, question: Text, *choices: Text) -> GuessCard:
    """Return the card of a guess, for the last line of its cell; a kernel has one for each ``name``."""
    present = Guess(name, question, choices)
    card = _cards.get(name)
    if card is None or card.comm is None or card.guess != present:
        card = _cards[name] = GuessCard(present)
    return card


def settle(name: str, *comments: Text, right: int) -> None:
    """Show the answer to the guess ``name``, the reader's choice, and a comment on every choice.

    ``right`` is the number of the right choice, from 0. Raises BilingualValueError if the guess's own cell
    has not run, and if it has another number of choices than ``comments``.
    """
    if name not in _cards:
        raise BilingualValueError(
            f"先运行上面提问的那一格：这个内核还没有问过 {name!r}",
            f"run the cell with the question first: this kernel has not asked {name!r} yet",
        )
    choices = len(_cards[name].guess.choices)
    if len(comments) != choices or not 0 <= right < choices:
        raise BilingualValueError(
            f"{name!r} 有 {choices} 个选项，收到 {len(comments)} 句评语，right = {right}",
            f"{name!r} has {choices} choices, got {len(comments)} comments and right = {right}",
        )
    _cards[name].settle(Answer(right, comments))


def recall_guesses() -> None:
    """Show the saved choices on the cards of this kernel."""
    for card in _cards.values():
        card.recall()


def question_html(guess: Guess) -> str:
    """Return a plain list of choices, to which ``startGuess`` in ``guess.js`` adds buttons."""
    choices = "".join(f"<li>{_marked(choice)}</li>" for choice in guess.choices)
    return (
        f'<div class="posenc-guess" data-guess="{guess.name}" style="{_STYLE.format(color="#b26a00")}">'
        f'<div class="posenc-guess-asks" style="{_ASKED}">{_marked(guess.question)}</div>'
        f"<ol {_LIST}>{choices}</ol></div>"
    )


def answer_html(guess: Guess, answer: Answer, picked: int | None) -> str:
    """Return every choice with its comment, below a verdict on the one that was ``picked``.

    Without a choice they are folded, so that the guess stays a question. The verdict's words are in its
    attributes too, for ``showVerdict`` in ``guess.js``, which unfolds them.
    """
    choices = "".join(
        f'<li data-right="{int(number == answer.right)}" style="margin:4px 0"'
        f"{' class=posenc-picked' * (number == picked)}>"
        f"{_marked(_explained(choice, comment, number == answer.right))}</li>"
        for number, (choice, comment) in enumerate(zip(guess.choices, answer.comments, strict=True))
    )
    return (
        f'<div class="posenc-settled" data-guess="{guess.name}" style="{_STYLE.format(color="#1a7f4b")}">'
        f'<div style="{_ASKED}">{_marked(guess.question)}</div>'
        f'<div class="posenc-verdict">{_verdict(answer, picked)}</div>'
        f"<details{' open' * (picked is not None)}>{_SUMMARY}<ol {_LIST}>{choices}</ol></details></div>"
    )


def _verdict(answer: Answer, picked: int | None) -> str:
    wrong = WRONG.format(letter="{letter}", answer=_LETTERS[answer.right])
    verdict = Text("", "")
    if picked is not None:
        verdict = (RIGHT if picked == answer.right else wrong).format(letter=_LETTERS[picked])
    words = {"right": RIGHT.parts(), "wrong": wrong.parts()}
    return "".join(
        f'<div lang="{language}"><span data-right="{html.escape(words["right"][language])}" '
        f'data-wrong="{html.escape(words["wrong"][language])}">{html.escape(text)}</span></div>'
        for language, text in verdict.parts().items()
    )


def _explained(choice: Text, comment: Text, right: bool) -> Text:
    mark = "✔" if right else "✘"
    return Text(f"{mark} **{choice.zh}**\n{comment.zh}", f"{mark} **{choice.en}**\n{comment.en}")


def _marked(text: Text) -> str:
    """Return ``text`` as HTML, with `backticks` as code and **stars** as strong."""
    marked = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text.html())
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", marked)


def _plain(guess: Guess, right: int | None = None) -> str:
    """Return a guess as plain text; with ``right``, each choice is marked as right or wrong."""
    lines = [guess.question.show("both")]
    for number, choice in enumerate(guess.choices):
        mark = "" if right is None else "✔ " if number == right else "✘ "
        lines.append(f"{_LETTERS[number]} {mark}{choice.show('both')}")
    return "\n".join(lines)
