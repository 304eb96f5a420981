"""An exercise as one table: its questions, the right answer, and the wrong answers that its check can name.

To add an exercise to lesson NN, whose file here is called as its notebook is:

1. Write the solution in ``exercises/solutions/LESSON.py``. Learners read it.
2. In ``exercises/LESSON.py`` write the exercise. Write each wrong answer that learners really give once: a
   function with the exercise's arguments, after its message in both languages. One that takes more than a
   line stands below its message, as a decorator: ``@BASE_FOR.mistake(…)``::

       BASE_FOR = Exercise(
           solutions.base_for,
           questions=((512, 60611.0), (4, 1000.0)),
           praise=Text("对。…", "Right. …"),
       )
       check_base_for = BASE_FOR

       BASE_FOR.mistake("漏了 2π。", "2π is missing.")(
           lambda d_model, longest: longest ** (d_model / (d_model - 2))
       )

3. Put the stub and its check into a cell ``exercise-…`` of the lesson, the solution into the lesson's
   solutions notebook, and an entry into ``TEACHING.md`` and ``TEACHING.zh.md``.

``tests/exercises/test_every_exercise.py`` finds the exercise and proves that its solution passes, that every
mistake is answered by its own message, that there are four of them at least, and that the notebooks ask it.
Wrong answers whose message is that of ``nothing``, ``otherwise`` or a probe stand in
``tests/exercises/wrong_answers.py``.

What an exercise may also need, in the order in which a check uses it:

- ``pose`` asks a question that is more than one call: many calls that make one value, or a class whose
  instance is asked (through ``answer.ask``, so that an error in it is reported as the learner's).
- ``read`` turns a result into something comparable: a tensor of numbers, or anything that has ``==``.
- ``changed`` is the message for an answer that changed its arguments. Without it, changing them is allowed.
- ``nothing`` is the message for an answer that returned None.
- ``mistake`` is the message for an answer that gives the mistake's values, or the mistake's wrong shapes, to
  every question. Wrong answers that are the same mistake are passed together. A mistake that other
  exercises have too is in ``recurring``.
- ``otherwise`` is the message for any other wrong value. A ``Question`` may have its own.
- ``probe`` is a step that runs when every value was right; it asks anything else and may raise ``Wrong``.

A message says in plain words what is wrong, and begins with it; the question, the learner's value and the
right one are shown below it.
"""

import copy
import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from torch import Tensor

from posenc_lessons import progress
from posenc_lessons.exercises.comparing import (
    BY_HAND,
    WRONG_VALUE,
    close,
    difference,
    of_another_shape,
    unchanged,
)
from posenc_lessons.exercises.reading import OTHER_AXES, WRONG_SHAPE, numbers
from posenc_lessons.exercises.values import brief, in_short, is_small, listed
from posenc_lessons.exercises.verdict import (
    EXAMPLE,
    RETURNED_NOTHING,
    RIGHT,
    YOURS,
    Asked,
    Nothing,
    Raised,
    Rows,
    Verdict,
    Wrong,
    judge,
)
from posenc_lessons.language import Text

Answer = Callable[..., Any]

NOT_FINITE = Text(
    "结果里有 NaN 或无穷大。它们来自 0/0、∞ − ∞，或者整行都是 −∞ 的 softmax：逐行打印，看从哪里开始。",
    "The result contains NaN or infinity. They come from 0/0, from ∞ − ∞, or from softmax over a row of −∞: "
    "print line by line to see where they begin.",
)
CHANGED = Text(
    "你的函数改动了传进来的参数。返回一个新的。", "Your function changed its argument. Return a new one."
)


class Question:
    """The arguments of a call.

    ``otherwise`` is this question's own message for a wrong value that is not a known mistake, also for NaN.
    """

    def __init__(self, *arguments: Any, otherwise: Text | None = None) -> None:
        self.arguments, self.otherwise = arguments, otherwise


@dataclass(frozen=True)
class Mistake:
    """A wrong answer and its message."""

    wrong: Answer
    text: Text


def _call(answer: Answer, *arguments: Any) -> Any:
    return answer(*arguments)


@dataclass(eq=False)
class Exercise:
    """The questions, the right answer, the known mistakes and their messages. A notebook calls ``check``.

    ``questions`` are tuples of arguments, ``Question``s, or a function that makes them. A value is right
    within ``tolerance`` plus ``relative`` times the right one. Solution and mistakes are asked in float64
    (``widened``), the learner's answer with the arguments as they are. ``stub`` is the name of the function
    in the lesson's cell, ``call`` makes the words with which a message names a question.
    ``pose(answer, *arguments)`` and ``read(value)`` are explained above. ``measured(answer)`` says of an
    answer that no mistake gives what it does instead.
    """

    solution: Answer
    questions: Iterable[Question | tuple[Any, ...]] | Callable[[], Iterable[Question | tuple[Any, ...]]]
    praise: Text
    stub: str = ""
    tolerance: float = 1e-5
    relative: float = 0.0
    widened: bool = True
    pose: Callable[..., Any] = _call
    read: Callable[[Any], Any] = numbers
    call: Callable[..., str] | None = None
    changed: Text | None = None
    nothing: Text = RETURNED_NOTHING
    otherwise: Text | Callable[..., Text] = WRONG_VALUE
    measured: Callable[[Asked], Text | None] | None = None
    mistakes: list[Mistake] = field(default_factory=list, init=False)
    probes: list[Callable[[Asked], None]] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.stub = self.stub or self.solution.__name__

    def mistake(self, text: str | Text, en: str = "") -> Callable[..., Answer]:
        """Give wrong answers, passed or decorated, their message: Chinese and English, or one ``Text``."""

        message = text if isinstance(text, Text) else Text(text, en)

        def note(*wrong: Answer) -> Answer:
            self.mistakes.extend(Mistake(answer, message) for answer in wrong)
            return wrong[0]

        return note

    def probe(self, step: Callable[[Asked], None]) -> Callable[[Asked], None]:
        """Add a step for answers whose values are right; it raises ``Wrong`` if something else is not."""
        self.probes.append(step)
        return step

    def check(self, answer: Any) -> Verdict:
        """Judge a learner's ``answer``. A notebook shows the verdict in the reader's language."""
        verdict = judge(answer, self._examine, self.praise)
        if verdict.status == "not yet":
            return replace(verdict, rows=self._example(self.asked()[0]))
        problem = progress.solved(self.name) if verdict.passed else None
        if problem is None:
            return verdict
        return Verdict("passed", Text(f"{self.praise.zh}\n{problem.zh}", f"{self.praise.en}\n{problem.en}"))

    __call__ = check

    @property
    def name(self) -> str:
        """Return ``LESSON.STUB``, the exercise's name in the reader's progress."""
        return f"{self.solution.__module__.rpartition('.')[2]}.{self.stub}"

    def asked(self) -> list[Question]:
        """Return the questions in their order."""
        questions = self.questions() if callable(self.questions) else self.questions
        return [question if isinstance(question, Question) else Question(*question) for question in questions]

    def _examine(self, answer: Asked) -> None:
        questions = self.asked()
        for question in questions:
            self._ask(answer, question, questions)
        for step in self.probes:
            step(answer)

    def _ask(self, answer: Asked, question: Question, questions: Iterable[Question]) -> None:
        """Ask one of the ``questions``; raise ``Wrong`` with the message for a wrong answer."""
        names = self._parameters(question)
        arguments = copy.deepcopy(question.arguments)
        value = self._answered(answer, question, arguments)
        if self.changed is not None:
            for name, original, argument in zip(names, question.arguments, arguments, strict=True):
                if not unchanged(original, argument):
                    call = self._words_for(question)
                    raise Wrong.saying(self.changed, ((EXAMPLE, call), (Text("参数", "argument"), name)))
        right = self._value_of(self.solution, question)
        if close(value, right, self.tolerance, self.relative):
            return
        share, place, yours, wanted = difference(value, right, self.tolerance, self.relative)
        if (mistake := self._recognised(answer, value, right, question, questions)) is not None:
            text = mistake.text
        elif of_another_shape(value, right):
            text = OTHER_AXES if value.numel() == right.numel() else WRONG_SHAPE
        else:
            text = self._otherwise_for(value, right, question)
        if text is WRONG_VALUE:
            measured = self.measured(answer) if self.measured else None
            text = measured or Text(f"{share.zh}\n{BY_HAND.zh}", f"{share.en}\n{BY_HAND.en}")
        raise Wrong.saying(text, (*self._asking(question, place), (YOURS, yours), (RIGHT, wanted)))

    def _answered(self, answer: Asked, question: Question, arguments: tuple[Any, ...]) -> Any:
        """Return what the learner's code makes of ``arguments``; they are a copy, which it may change."""
        try:
            return self.read(self.pose(answer, *arguments))
        except Wrong as wrong:
            labels = [label for label, _ in wrong.rows]
            lacks_right = self.pose is _call and YOURS in labels and RIGHT not in labels
            wrong.rows = (*self._asking(question), *wrong.rows, *self._example(question)[-1:] * lacks_right)
            raise
        except Raised as raised:
            raised.rows = self._asking(question)
            raise
        except Nothing as nothing:
            raise Wrong.saying(self.nothing, self._example(question)) from nothing

    def _example(self, question: Question) -> Rows:
        """Return the rows that show what ``question`` wants."""
        return *self._asking(question), (RIGHT, in_short(self._value_of(self.solution, question)))

    def _asking(self, question: Question, place: str = "") -> Rows:
        """Return the rows that show ``question``: the call, and the numbers of its small arrays."""
        arguments = zip(self._parameters(question), question.arguments, strict=True)
        small = [(Text(name, name), listed(value)) for name, value in arguments if is_small(value)]
        return (EXAMPLE, f"{self._words_for(question)}{place}"), *small

    def _recognised(
        self, answer: Asked, value: Any, right: Any, question: Question, questions: Iterable[Question]
    ) -> Mistake | None:
        """Return the mistake that gives the answer's values, or else its wrong shapes, to every question.

        One question may not tell two mistakes apart, so each is compared on the others as well, but not on
        those that ask for one thing more, such as float64. If mistakes with different messages are left, none
        is named.
        """
        wrong = [(mistake, self._value_of(mistake.wrong, question)) for mistake in self.mistakes]
        # For some questions a mistake gives the right value, and says nothing about another one.
        wrong = [(mistake, other) for mistake, other in wrong if not close(other, right, self.tolerance, 0.0)]
        alike: Callable[[Any, Any], bool] = self._same
        suspects = [mistake for mistake, other in wrong if alike(value, other)]
        if not suspects and of_another_shape(value, right):
            alike = _same_shape
            suspects = [mistake for mistake, other in wrong if alike(value, other)]
        for posed in questions:
            if suspects and (posed.otherwise is None or question.otherwise is not None):
                suspects = self._like(answer, suspects, posed, alike)
        return suspects[0] if len({mistake.text for mistake in suspects}) == 1 else None

    def _like(
        self, answer: Asked, suspects: list[Mistake], question: Question, alike: Callable[..., bool]
    ) -> list[Mistake]:
        """Return those of ``suspects`` whose value is ``alike`` the answer's; all if that says nothing."""
        try:
            value = self._answered(answer, question, copy.deepcopy(question.arguments))
        except Exception:  # the answer raises, or its value is of another type
            return suspects
        # In the learner's float32 a mistake may overflow or lose digits that it keeps in float64.
        return [
            mistake
            for mistake in suspects
            if any(
                alike(value, self._value_of(mistake.wrong, question, widened))
                for widened in {self.widened, False}
            )
        ]

    def _same(self, value: Any, other: Any) -> bool:
        # Wrong values may be large, and then float32 loses more of them than of the right ones.
        return close(value, other, 10 * self.tolerance, max(self.relative, 1e-5))

    def _otherwise_for(self, value: Any, right: Any, question: Question) -> Text:
        """Return the message for a wrong value that no mistake gives."""
        if question.otherwise is not None:
            return question.otherwise
        if isinstance(value, Tensor) and not bool(value.isfinite().all()):
            return NOT_FINITE
        if isinstance(self.otherwise, Text):
            return self.otherwise
        return self.otherwise(value, right, *question.arguments)

    def _value_of(self, answer: Answer, question: Question, widened: bool | None = None) -> Any:
        """Return the solution's or a mistake's value for ``question``; None if the mistake raises."""
        arguments = copy.deepcopy(question.arguments)
        if self.widened if widened is None else widened:
            arguments = tuple(_widened(argument) for argument in arguments)
        try:
            return self.read(self.pose(Asked(answer), *arguments))
        except Exception:
            if answer is self.solution:
                raise
            return None

    def _parameters(self, question: Question) -> list[str]:
        """Return the names of the arguments of ``question``."""
        if self.pose is _call:
            return list(inspect.signature(self.solution).parameters)[: len(question.arguments)]
        return list(inspect.signature(self.pose).parameters)[1:]

    def _words_for(self, question: Question) -> str:
        """Return the words with which a message names the call."""
        if self.call is not None:
            return self.call(*question.arguments)
        arguments = zip(self._parameters(question), question.arguments, strict=True)
        return f"{self.stub}({', '.join(brief(name, value) for name, value in arguments)})"


def _same_shape(value: Any, other: Any) -> bool:
    return isinstance(value, Tensor) and isinstance(other, Tensor) and value.shape == other.shape


def _widened(value: Any) -> Any:
    return value.double() if isinstance(value, Tensor) and value.is_floating_point() else value
