"""The verdict of a check: passed, wrong or not yet, with the reason in both languages."""

from __future__ import annotations

import html
import linecache
import re
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from posenc_lessons.exercises.typeset import in_two, marked, typeset
from posenc_lessons.language import BilingualError, Text

Status = Literal["passed", "wrong", "not yet"]
Rows: TypeAlias = tuple[tuple[Text, str], ...]  # labels, each with code, a number, or Python's own words

RETURNED_NOTHING = Text(
    "没有返回结果（None）：是不是漏了 return？", "Nothing was returned (None): is a return missing?"
)
EXAMPLE, YOURS, RIGHT = Text("例如", "for example"), Text("你的", "yours"), Text("应当是", "right")
_ERROR = Text("报错", "error")
STOPPED = Text("你的代码运行到这一行出错了。", "Your code stopped at this line.")
FAILED = Text("调用你的函数时出错了。", "Calling your function ended in an error.")
SHAPES = Text(
    "这里的两个张量形状对不上：打印它们的 .shape。",
    "The shapes of two tensors do not fit together here: print their .shape.",
)
UNUSABLE = Text(
    "你的函数返回的东西没法用：类型或形状可能不对。",
    "What your function returned could not be used: is it of the right type and shape?",
)
MEANINGS: dict[type[Exception], Text] = {
    NameError: Text(
        "这里用的名字没有值：可能拼错了，或者给它值、导入它的那一格（在前面）还没有运行。",
        "A name here has no value: it may be misspelt, or the cell that assigns or imports it has not run.",
    ),
    IndexError: Text("这里用的下标或维超出了范围。", "An index or an axis here is out of range."),
    AttributeError: Text("这里的对象没有这个属性或方法。", "This object has no such attribute or method."),
    ZeroDivisionError: Text("这里除以了零。", "Here something is divided by zero."),
    RecursionError: Text(
        "一个函数不停地调用自己：它缺一个停下来的条件。",
        "A function goes on calling itself: it lacks a case in which it stops.",
    ),
}
_MARKS = {"passed": "✔", "wrong": "✘", "not yet": "…"}
_COLORS = {"passed": "#1a7f4b", "wrong": "#b3261e", "not yet": "#6b5900"}
_ROWS = "display:grid;grid-template-columns:max-content minmax(0,1fr);gap:4px 14px;margin:6px 0"
_CODE = "white-space:pre-wrap;overflow-wrap:anywhere"
_NUMBERS = "white-space:pre;overflow-x:auto"  # a matrix keeps its columns


@dataclass(frozen=True)
class Verdict:
    """The result of a check. In a notebook its HTML follows the language switch, also without a kernel.

    The message begins with a sentence in plain words, shown large. ``rows`` below it give an example, or the
    line of the learner's code that raised an error; ``line`` is its number in the cell.
    """

    status: Status
    message: Text
    rows: Rows = ()
    line: int | None = None

    @property
    def passed(self) -> bool:
        return self.status == "passed"

    def __repr__(self) -> str:
        lines = []
        for spoken, message in self.message.parts().items():
            lead, hint = in_two(message) if self.rows else (message, "")
            rows = (f"{label.parts()[spoken]}: {value}" for label, value in self.rows)
            lines.append("\n".join([f"{_MARKS[self.status]} {lead}", *map(_indented, rows), *_hint(hint)]))
        return "\n".join(lines)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        color = _COLORS[self.status]
        # The mark stands in the margin of the first line, whichever language is shown.
        mark = f'<strong style="float:left;margin-left:-25px;color:{color}">{_MARKS[self.status]}</strong>'
        line = f' data-line="{self.line}"' if self.line else ""
        style = f"border-left:4px solid {color};padding:6px 14px 6px 38px"
        parts = {spoken: in_two(message) for spoken, message in self.message.parts().items()}
        leads = (f"<strong>{typeset(lead)}</strong>" for lead, _ in parts.values())
        hints = (typeset(hint) for _, hint in parts.values())
        rows = "".join(f"<div>{label}</div>{value}" for label, value in self._value_rows())
        body = [
            _in_each(parts, leads),
            f'<div class="rows" style="{_ROWS}">{rows}</div>' if rows else "",
            _in_each(parts, hints),
        ]
        kind = f"posenc-check {self.status.split()[-1]}"
        block = f'<div class="{kind}" role="status"{line} style="{style}">{mark}{"".join(body)}</div>'
        return {"text/plain": repr(self), "text/html": block}

    def _value_rows(self) -> Iterator[tuple[str, str]]:
        """Yield each row's label and its value as HTML, with what differs from the right value marked."""
        right = dict(self.rows).get(RIGHT, "")
        for label, value in self.rows:
            style = _NUMBERS if "\n" in value else _CODE
            words = marked(value, right) if label == YOURS else html.escape(value)
            name = label.zh if label.zh == label.en else label.html()  # an argument has one name
            yield name, f"<code style={style!r}>{words}</code>"


def _indented(text: str) -> str:
    return "    " + text.replace("\n", "\n        ")


def _hint(text: str) -> list[str]:
    return [_indented(line) for line in text.splitlines()]


def _in_each(spoken: Iterable[str], contents: Iterable[str]) -> str:
    """Return a block for each language; none without content."""
    return "".join(
        f'<div lang="{language}" style="font-size:1.1em">{content}</div>'
        for language, content in zip(spoken, contents, strict=True)
        if content
    )


class Wrong(BilingualError):
    """Raised inside a check to end it with this message; ``judge`` turns it into a verdict."""

    rows: Rows = ()

    @classmethod
    def saying(cls, text: Text, rows: Rows = ()) -> Wrong:
        """Return the error with ``text`` and ``rows`` below it."""
        wrong = cls(text.zh, text.en)
        wrong.rows = rows
        return wrong


def judge(answer: Any, examine: Callable[[Asked], None], praise: Text) -> Verdict:
    """Run ``examine(answer)``, which returns if all is right and raises ``Wrong`` if not.

    An error in the learner's code becomes a message, not a traceback: ``NotImplementedError`` and a result of
    ``...`` mean "not yet", any other exception is shown with its line. A result of None gets the message that
    a ``return`` may be missing. A result that makes ``examine`` itself fail gets a message too.
    """
    if not callable(answer):
        kind = type(answer).__name__
        return Verdict(
            "wrong", Text(f"这里要一个函数，给的是 {kind}。", f"A function is wanted here; this is a {kind}.")
        )
    asked = Asked(answer)
    try:
        examine(asked)
    except Wrong as wrong:
        return Verdict("wrong", wrong.text, wrong.rows)
    except _NotYet:
        return Verdict(
            "not yet",
            Text("还没有作答：把函数补完，再运行一次。", "Not yet: fill in the function and run this again."),
        )
    except Nothing:
        return Verdict("wrong", RETURNED_NOTHING)
    except Raised as raised:
        return _stopped(raised)
    except Exception as error:
        if not asked.answered:
            raise  # an error of the check itself: the learner's code has not answered yet
        return Verdict("wrong", UNUSABLE, ((_ERROR, _brief(error)),))
    return Verdict("passed", praise)


class _NotYet(Exception):
    """The learner's function is still the stub."""


class Nothing(Exception):
    """The learner's function returned None."""


class Raised(Exception):
    """An exception from the learner's code, told apart from one of the check's."""

    def __init__(self, error: Exception, answer: Callable[..., Any]) -> None:
        super().__init__(_brief(error))
        self.error, self.answer = error, answer
        self.rows: Rows = ()  # what was asked


class Asked:
    """The learner's function, whose exceptions become ``Raised``: other exceptions are the check's own."""

    def __init__(self, answer: Callable[..., Any]) -> None:
        self.answer = answer
        self.answered = False

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        result = self.ask(self.answer, *args, **kwargs)
        self.answered = True
        return result

    @staticmethod
    def ask(learners: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call other code of the learner's, such as a method of the object that the answer returned."""
        try:
            result = learners(*args, **kwargs)
        except NotImplementedError:
            raise _NotYet from None
        except Exception as error:
            raise Raised(error, learners) from error
        if result is ...:
            raise _NotYet
        if result is None:
            raise Nothing
        return result


def _brief(error: Exception) -> str:
    """Return ``ValueError: why`` on one line of at most about 200 characters."""
    why = " ".join(str(error).split())
    name = type(error).__name__
    return f"{name}: {why[:200]}{'…' if len(why) > 200 else ''}" if why else name


def _stopped(raised: Raised) -> Verdict:
    """Return the verdict on code that raised an error: its line, if it is known, and Python's words."""
    error, rows = raised.error, ((_ERROR, _brief(raised.error)), *raised.rows)
    module = getattr(raised.answer, "__module__", None)
    lines = [
        (frame.f_code.co_filename, number)
        for frame, number in traceback.walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__") == module
    ]
    if not lines:
        return Verdict("wrong", FAILED, rows)
    file, line = lines[-1]  # the deepest of the learner's own
    code = (Text(f"第 {line} 行", f"line {line}"), linecache.getline(file, line).strip())
    return Verdict("wrong", meaning_of(error), (code, *rows), line)


def meaning_of(error: BaseException) -> Text:
    """Return what ``error`` means, in plain words."""
    if isinstance(error, RuntimeError | ValueError) and re.search("size|shape|dimension", str(error)):
        return SHAPES
    return next((text for kind, text in MEANINGS.items() if isinstance(error, kind)), STOPPED)
