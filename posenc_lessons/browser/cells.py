"""Run the cells of a lesson in the page's Python: what they print, display and return, and their errors.

The page calls only ``answer``. Every answer is plain data. An output is one of

- ``{"kind": "stream", "text"}``: what was printed;
- ``{"kind": "data", "plain", "html"}``: what was displayed, or the value of the last line; "html" may be "";
- ``{"kind": "explorer", "place", "plain"}``: an explorer, for which the host answers at ``place``; those of
  the course also have "explorer" and "initial", with which another Python can make them;
- ``{"kind": "recorded", "plain"}``: a picture that this Python cannot draw, so that the recorded one stays;
- ``{"kind": "error", "plain"}``: a traceback without our frames;
- ``{"kind": "note", "plain"}``: an explanation of that error, in the reader's language.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import io
import linecache
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from posenc_lessons import display as displaying
from posenc_lessons import language as languages
from posenc_lessons import progress
from posenc_lessons.browser.cell_errors import meaning_of, told
from posenc_lessons.browser.needs import Names, imports_in, names_in, names_in_page, needed, trains
from posenc_lessons.browser.page_versions import Recorded, install
from posenc_lessons.explorers import host
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.links import made_with
from posenc_lessons.language import BilingualValueError, Text

Output = dict[str, Any]

TOLD_EVERY = 0.2  # seconds between two messages about the progress of training
WIDTH = 79  # characters of a line of values, as in a notebook
BRACKETS: dict[type, str] = {list: "[]", tuple: "()", dict: "{}"}
MOST_SHOWN = 200_000  # characters that the outputs of one cell may have
CUT = Text("……输出太长，后面的省略了。", "… The output was too long; the rest is left out.")
NO_SUCH_CELL = Text("这一页没有格子 {cell}。", "There is no cell {cell} on this page.")


class TooMuch(BaseException):
    """A cell printed more than a page can show."""


class Shown:
    """The outputs of the running cell, in order; printing too much ends the cell."""

    def __init__(self, place: str) -> None:
        self.place, self.outputs, self._left = place, list[Output](), MOST_SHOWN

    def write(self, text: str) -> int:
        """Add printed text."""
        if self._left >= 0:
            if not self.outputs or self.outputs[-1]["kind"] != "stream":
                self.outputs.append({"kind": "stream", "text": ""})
            self.outputs[-1]["text"] += text[: self._left]
        self._take(len(text))
        return len(text)

    def display(self, shown: object, updatable: bool) -> displaying.Handle | None:
        """Add a displayed object; see ``posenc_lessons.display``."""
        output = self._output(shown)
        size = sum(len(each) for each in output.values() if isinstance(each, str))
        if size > self._left and output["kind"] == "data":  # only its beginning, as text
            output.update(plain=output["plain"][: max(self._left, 0)], html="")
        if size <= self._left or output.get("plain"):
            self.outputs.append(output)
        self._take(size)
        return _Handle(self, output) if updatable else None

    def _take(self, characters: int) -> None:
        before, self._left = self._left, max(self._left - characters, -1)
        if self._left < 0:
            if before >= 0:  # raised only once: a cell that catches it goes on
                self.outputs.append({"kind": "note", "plain": CUT.show()})
            raise TooMuch(CUT.show())

    def _output(self, shown: object) -> Output:
        if isinstance(shown, Explorer):
            place = f"{self.place}-{len(self.outputs)}"
            host.show_at(place, shown)
            output: Output = {"kind": "explorer", "place": place, "plain": shown.title.show()}
            if host.MAKERS.get(shown.name) is type(shown):
                output.update(explorer=shown.name, initial=made_with(shown))
            return output
        if isinstance(shown, Recorded):
            return {"kind": "recorded", "plain": shown.name}
        bundle = shown if isinstance(shown, Mapping) else bundle_of(shown)
        html = bundle.get("text/html", "")
        return {"kind": "data", "plain": bundle.get("text/plain", ""), "html": html}


class _Handle:
    """An output of a cell that may be replaced."""

    def __init__(self, shown: Shown, output: Output) -> None:
        self._shown, self._output = shown, output

    def update(self, shown: object) -> None:
        new = self._shown._output(shown)
        self._output.clear()
        self._output.update(new)


def bundle_of(value: object) -> dict[str, Any]:
    """Return the forms in which a notebook would show ``value``, by MIME type."""
    if (make := getattr(type(value), "_repr_mimebundle_", None)) is not None:
        made = make(value)
        made = made[0] if isinstance(made, tuple) else made
        if made:
            return dict(made)
    html = getattr(type(value), "_repr_html_", None)
    return {"text/plain": _pretty(value), **({"text/html": html(value)} if html is not None else {})}


def _pretty(value: object, room: int = WIDTH, indent: int = 0) -> str:
    """Return ``repr(value)``; a list, tuple or dict longer than ``room`` has one line for each item."""
    said = repr(value)
    brackets = BRACKETS.get(type(value))
    if brackets is None or len(said) <= room or not value:
        return said
    pad = " " * (indent + 1)
    if isinstance(value, dict):
        items = [
            f"{key!r}: {_pretty(each, room - len(repr(key)) - 3, indent + len(repr(key)) + 3)}"
            for key, each in value.items()
        ]
    else:
        items = [_pretty(each, room - 2, indent + 1) for each in value]  # type: ignore[attr-defined]
    end = "," if isinstance(value, tuple) and len(items) == 1 else ""
    return brackets[0] + f",\n{pad}".join(items) + end + brackets[1]


class Training:
    """Count the steps of optimisers, report them to the page, and end the training if the reader asks."""

    tell: Callable[[int], bool] | None = None  # reports how many steps are done; returns whether to stop

    def __init__(self) -> None:
        self.steps, self.stopped, self._told = 0, False, time.monotonic()

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Count the steps of the ``with`` block."""
        from torch.optim.optimizer import register_optimizer_step_post_hook

        hook = register_optimizer_step_post_hook(self._step)
        try:
            yield
        finally:
            hook.remove()

    def _step(self, *_: object) -> None:
        self.steps += 1
        if Training.tell is not None and time.monotonic() - self._told > TOLD_EVERY:
            self.stopped = Training.tell(self.steps) or self.stopped
            self._told = time.monotonic()
        if self.stopped:
            raise KeyboardInterrupt  # as from Jupyter's ■: training keeps the weights that it has reached


def listen(tell: Callable[[int], Any]) -> None:
    """Report steps to the page by ``tell`` of worker.js.

    ``tell`` returns a promise. Python waits for it if the browser can (JSPI); otherwise Stop has no effect.
    """
    from pyodide.ffi import can_run_sync, run_sync  # type: ignore[import-not-found]

    def told(steps: int) -> bool:
        promise = tell(steps)
        return bool(run_sync(promise)) if can_run_sync() else False

    Training.tell = told


class Lesson:
    """The cells of one page and the names that they have made."""

    def __init__(self, cells: Sequence[Sequence[str]], page: str = "cell") -> None:
        """Take the id and published source of each cell in order; places of explorers begin with ``page``."""
        self._page = page
        self.published = {cell: source for cell, source in cells}
        self._names: dict[str, Any] = {"__name__": "__main__", "__builtins__": builtins}
        self._ran: dict[str, str] = {}  # for each cell, the source that ran last
        self._made: dict[str, dict[str, Any]] = {}  # for each cell, the names that it made, with values
        self._known: dict[str, Names] = {}  # for each source

    def needed(self, cell: str, source: str | None = None, drafts: Mapping[str, str] = {}) -> list[str]:
        """Return the cells that have to run before ``cell`` and have not run with their present source."""
        self._check(cell)
        current = {**self.published, **drafts}
        if source is not None:
            current[cell] = source
        order = list(self.published)
        cells = [(each, self._names_of(current[each])) for each in order]
        stale: list[str] = []
        for each in needed(cells, order.index(cell)):
            above = needed(cells, order.index(each))
            if self._ran.get(each) != current[each] or set(above) & set(stale):
                stale.append(each)
        return stale

    def run(self, cell: str, source: str | None = None) -> dict[str, Any]:
        """Run ``cell``, with ``source`` instead of the published source if given; return the result.

        The result is {outputs, text, error, solved, exhausted, steps, stopped}: ``text`` is what a reader
        would read, ``error`` the last line of a traceback, or None, ``solved`` the exercises that passed
        their checks. ``exhausted``: there was no memory left, and this Python should end. ``steps`` is the
        number of optimisers' steps, ``stopped`` whether the reader ended them.
        """
        self._check(cell)
        code = self.published[cell] if source is None else source
        shown = Shown(f"{self._page}-{cell}")
        solved: list[str] = []
        displaying.use(shown.display)
        progress.use(solved.append)
        error: str | None = None
        training = Training()
        exhausted = False
        try:
            with (
                training.watched(),
                contextlib.redirect_stdout(_Stream(shown)),
                contextlib.redirect_stderr(_Stream(shown)),
            ):
                self._import_of_training(cell)
                self._recall(cell, code)
                value = run_code(code, self._names, f"<{cell}>")
                if value is not None:
                    shown.display(value, False)
            self._keep(cell, code)
        except TooMuch as stopped:
            self._forget(cell)
            error = str(stopped)
        except BaseException as raised:  # from a learner's code, also SystemExit and KeyboardInterrupt
            if training.stopped and isinstance(raised, KeyboardInterrupt):
                self._keep(cell, code)  # names from before the interrupt exist
            else:
                self._forget(cell)
                error, exhausted = self._tell(raised, shown), isinstance(raised, MemoryError)
        finally:
            displaying.use(None)
            progress.use(None)
        return {
            "outputs": shown.outputs,
            "text": text_of(shown.outputs),
            "error": error,
            "solved": solved,
            "exhausted": exhausted,
            "steps": training.steps,
            "stopped": training.stopped,
        }

    def _keep(self, cell: str, code: str) -> None:
        """Record that ``cell`` ran with ``code``, and the values of the names that it makes."""
        self._ran[cell] = code
        names = self._names_of(code)
        self._made[cell] = {
            name: self._names[name] for name in names.bound | names.changed if name in self._names
        }

    def _forget(self, cell: str) -> None:
        self._ran.pop(cell, None)
        self._made.pop(cell, None)

    def _recall(self, cell: str, code: str) -> None:
        """Give names the values from the cells above ``cell``, even if cells below it ran last."""
        order = list(self.published)
        sources = {**self.published, **self._ran, cell: code}
        for above in needed([(each, self._names_of(sources[each])) for each in order], order.index(cell)):
            self._names.update(self._made.get(above, {}))

    def _tell(self, raised: BaseException, shown: Shown) -> str:
        """Show the traceback of ``raised``, with an explanation if there is one; return its last line."""
        plain = told(raised)
        shown.outputs.append({"kind": "error", "plain": plain})
        if meaning := meaning_of(raised):
            shown.outputs.append({"kind": "note", "plain": meaning.show()})
        return plain.rstrip().rpartition("\n")[2]

    def _import_of_training(self, cell: str) -> None:
        """Run the imports of cells before ``cell`` that train and were therefore not run."""
        for each, source in self.published.items():
            if each == cell:
                return
            if each not in self._ran and trains(source):
                imported = imports_in(source)
                if not names_in(imported).bound <= self._names.keys():
                    exec(compile(imported, f"<{each}>", "exec"), self._names)

    def _check(self, cell: str) -> None:
        if cell not in self.published:
            said = NO_SUCH_CELL.format(cell=cell)
            raise BilingualValueError(said.zh, said.en)

    def _names_of(self, source: str) -> Names:
        if source not in self._known:
            self._known[source] = names_in_page(source)
        return self._known[source]


class _Stream(io.TextIOBase):
    """Standard output of a cell."""

    def __init__(self, shown: Shown) -> None:
        self._shown = shown

    def write(self, text: str) -> int:
        return self._shown.write(text)

    def writable(self) -> bool:
        return True


def run_code(source: str, names: dict[str, Any], file: str) -> Any:
    """Run ``source`` and return the value of its last line, None if that is not an expression.

    It is compiled with ``optimize=0``; all other code of the page has no asserts and docstrings.
    """
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    tree = ast.parse(source, file)
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr) or source.rstrip().endswith(";"):
        exec(compile(tree, file, "exec", optimize=0), names)
        return None
    tree.body.pop()
    exec(compile(tree, file, "exec", optimize=0), names)
    return eval(compile(ast.Expression(last.value), file, "eval", optimize=0), names)


def text_of(outputs: Sequence[Output]) -> str:
    """Return the text of ``outputs`` as a reader reads it."""
    said = (output["text"] if output["kind"] == "stream" else f"{output['plain']}\n" for output in outputs)
    return "".join(said).strip("\n")


_lessons: dict[str, Lesson] = {}


def answer(call: str, arguments: Sequence[Any] = (), page: str = "") -> Any:
    """Do ``call`` ("define", "needed", "run" or "set_language") for the lesson ``page``."""
    if call == "set_language":
        languages.choose(arguments[0])
        return {}
    if call == "define":
        install()
        _lessons[page] = Lesson(arguments[0], page)
        return {}
    lesson = _lessons[page]
    if call == "needed":
        return lesson.needed(*arguments)
    if call == "run":
        return lesson.run(*arguments)
    raise BilingualValueError(f"没有叫 {call} 的调用", f"no call is named {call}")
