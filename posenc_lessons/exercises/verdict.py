"""The verdict of a check: passed, wrong or not yet, with the reason in both languages."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from posenc_lessons.language import BilingualError, Text

Status = Literal["passed", "wrong", "not yet"]
RETURNED_NOTHING = Text(
    "{call} 返回了 None：是不是漏了 return？", "{call} returned None: is a return missing?"
)
_MARKS = {"passed": "✔", "wrong": "✘", "not yet": "…"}
_COLORS = {"passed": "#1a7f4b", "wrong": "#b3261e", "not yet": "#6b5900"}


@dataclass(frozen=True)
class Verdict:
    """The result of a check. In a notebook its HTML follows the language switch, also without a kernel."""

    status: Status
    message: Text

    @property
    def passed(self) -> bool:
        return self.status == "passed"

    def __repr__(self) -> str:
        return f"{_MARKS[self.status]} {self.message.zh}\n{_MARKS[self.status]} {self.message.en}"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        color = _COLORS[self.status]
        style = f"border-left:4px solid {color};padding:4px 12px 4px 34px"
        # The mark stands in the margin of the first line, whichever language is shown.
        mark = f'<strong style="float:left;margin-left:-22px;color:{color}">{_MARKS[self.status]}</strong>'
        body = f'<div role="status" style="{style}">{mark}{self.message.html()}</div>'
        return {"text/plain": repr(self), "text/html": body}


class Wrong(BilingualError):
    """Raised inside a check to end it with this message; ``judge`` turns it into a verdict."""

    @classmethod
    def saying(cls, text: Text, /, **values: object) -> Wrong:
        """Return the error with ``text``, its ``{named}`` places filled."""
        filled = text.format(**values)
        return cls(filled.zh, filled.en)


def judge(answer: Any, examine: Callable[[Asked], None], praise: Text) -> Verdict:
    """Run ``examine(answer)``, which returns if all is right and raises ``Wrong`` if not.

    An error in the learner's code becomes a message, not a traceback: ``NotImplementedError`` and a result of
    ``...`` mean "not yet", any other exception is named with its line. A result of None gets the message that
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
        return Verdict("wrong", wrong.text)
    except _NotYet:
        return Verdict(
            "not yet",
            Text("还没有作答：把函数补完，再运行一次。", "Not yet: fill in the function and run this again."),
        )
    except Nothing:
        return Verdict("wrong", RETURNED_NOTHING.format(call=Text("你的函数", "Your function")))
    except Raised as raised:
        error, where = _brief(raised.error), _line(raised.error, raised.answer)
        return Verdict(
            "wrong",
            Text(
                f"你的函数{f'在第 {where} 行' if where else ''}报错了，{error}",
                f"Your function raised{f' on its line {where}' if where else ''} {error}",
            ),
        )
    except Exception as error:
        if not asked.answered:
            raise  # an error of the check itself: the learner's code has not answered yet
        return Verdict(
            "wrong",
            Text(
                f"你的函数返回的东西没法用（类型或形状可能不对）：{_brief(error)}",
                f"What your function returned could not be used (is it of the right type and shape?): "
                f"{_brief(error)}",
            ),
        )
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


def _line(error: Exception, answer: Callable[..., Any]) -> int | None:
    """Return the line, counted from the learner's ``def``, that raised ``error``; None if it is unknown."""
    code = getattr(answer, "__code__", None)
    lines = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code is code]
    return lines[-1] - code.co_firstlineno + 1 if code is not None and lines else None
