"""Run the cells of a lesson in the page's Python: what they print, display and return, and their errors.

The page calls only ``answer``. Every answer is plain data. An output is one of

- ``{"kind": "stream", "text"}``: what was printed;
- ``{"kind": "data", "plain", "html"}``: what was displayed, or the value of the last line; "html" may be "";
- ``{"kind": "explorer", "place", "plain"}``: an explorer, for which the host answers at ``place``; those of
  the course also have "explorer" and "initial", with which another Python can make them;
- ``{"kind": "recorded", "plain"}``: a picture that this Python cannot draw, so that the recorded one stays;
- ``{"kind": "error", "plain", "meaning", "line", "where", "code"}``: Python's words, what the error means,
  the number of this cell's line that raised it or 0, and words for the line and its text;
- ``{"kind": "note", "plain"}``: a remark in the reader's language.
"""

import ast
import builtins
import contextlib
import io
import linecache
import pprint
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from posenc_lessons import display as displaying
from posenc_lessons import progress
from posenc_lessons.browser.cell_errors import meaning_of, place_of
from posenc_lessons.browser.needs import Names, imports_in, names_in, needed
from posenc_lessons.browser.page_versions import Bar, Recorded
from posenc_lessons.explorers import host
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.links import made_with
from posenc_lessons.language import Text

Output = dict[str, Any]

WIDTH = 79  # characters of a line of values, as in a notebook
MOST_SHOWN = 200_000  # characters that the outputs of one cell may have
CUT = Text("……输出太长，后面的省略了。", "… The output was too long; the rest is left out.")


class TooMuch(BaseException):
    """A cell printed more than a page can show."""


class Shown(io.TextIOBase):
    """The outputs of the running cell, in order, and its standard output; too much of them ends the cell."""

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

    def writable(self) -> bool:
        return True

    def display(self, shown: object) -> None:
        """Add a displayed object; see ``posenc_lessons.display``."""
        output = self._output(shown)
        size = sum(len(text) for text in output.values() if isinstance(text, str))
        if size > self._left and output["kind"] == "data":  # only its beginning, as text
            output.update(plain=output["plain"][: max(self._left, 0)], html="")
        if size <= self._left or output.get("plain"):
            self.outputs.append(output)
        self._take(size)

    def _take(self, characters: int) -> None:
        room, self._left = self._left, max(self._left - characters, -1)
        if self._left < 0:
            if room >= 0:  # the note is shown once, even if the cell catches the exception and goes on
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


def bundle_of(value: object) -> dict[str, Any]:
    """Return the forms in which a notebook would show ``value``, by MIME type."""
    if (make := getattr(type(value), "_repr_mimebundle_", None)) is not None:
        bundle = make(value)
        bundle = bundle[0] if isinstance(bundle, tuple) else bundle
        if bundle:
            return dict(bundle)
    html = getattr(type(value), "_repr_html_", None)
    return {
        "text/plain": pprint.pformat(value, width=WIDTH, sort_dicts=False),
        **({"text/html": html(value)} if html is not None else {}),
    }


def error_output(raised: BaseException, file: str) -> Output:
    """Return the output for an error that the cell called ``file`` raised."""
    place, line, code = place_of(raised)
    other = "" if place == file else f" {place}"  # a cell above, which has a function that was called
    return {
        "kind": "error",
        "plain": traceback.format_exception_only(raised)[-1].strip(),
        "meaning": meaning_of(raised).show(),
        "line": line if place == file else 0,
        "where": Text(f"第 {line} 行{other}", f"line {line}{other}").show(),
        "code": code,
    }


class Lesson:
    """The cells of one page and the names that they have made."""

    def __init__(
        self, cells: Sequence[Sequence[str]], training: Sequence[str] = (), page: str = "cell"
    ) -> None:
        """Take the id and published source of each cell in order, and the ids of those that train.

        Places of explorers begin with ``page``.
        """
        self._page, self._training = page, frozenset(training)
        self.published = {cell: source for cell, source in cells}
        self._names: dict[str, Any] = {"__name__": "__main__", "__builtins__": builtins}
        self._ran: dict[str, str] = {}  # for each cell, the source that ran last
        self._values: dict[str, dict[str, Any]] = {}  # for each cell, the names that it made, with values

    def needed(self, cell: str, source: str | None = None, drafts: Mapping[str, str] = {}) -> list[str]:
        """Return the cells that have to run before ``cell`` and have not run with their present source."""
        sources = {**self.published, **drafts}
        if source is not None:
            sources[cell] = source
        stale: list[str] = []
        for above in self._above(cell, sources):
            if self._ran.get(above) != sources[above] or set(self._above(above, sources)) & set(stale):
                stale.append(above)
        return stale

    def run(self, cell: str, source: str | None = None) -> dict[str, Any]:
        """Run ``cell``, with ``source`` instead of the published source if given; return the result.

        The result is {outputs, error, solved, exhausted}: ``error`` is the last line of a traceback, or None,
        ``solved`` the exercises that passed their checks. ``exhausted``: there was no memory left, and this
        Python should end.
        """
        code = self.published[cell] if source is None else source
        view = Shown(f"{self._page}-{cell}")
        solved: list[str] = []
        displaying.use(view.display)
        progress.use(solved.append)
        error: str | None = None
        exhausted = False
        try:
            with contextlib.redirect_stdout(view), contextlib.redirect_stderr(view):
                self._import_of_training(cell)
                self._recall(cell, code)
                value = run_code(code, self._names, f"<{cell}>")
                if value is not None:
                    view.display(value)
            self._keep(cell, code)
        except TooMuch as stopped:
            self._forget(cell)
            error = str(stopped)
        except BaseException as raised:  # from a learner's code, also SystemExit and KeyboardInterrupt
            self._forget(cell)
            view.outputs.append(error_output(raised, f"<{cell}>"))
            error = view.outputs[-1]["plain"]
            exhausted = isinstance(raised, MemoryError)
        finally:
            displaying.use(None)
            progress.use(None)
        return {"outputs": view.outputs, "error": error, "solved": solved, "exhausted": exhausted}

    def _names_of(self, cell: str, source: str) -> Names:
        return names_in(source, trains=cell in self._training)

    def _above(self, cell: str, sources: Mapping[str, str]) -> list[str]:
        """Return the cells above ``cell`` that it needs."""
        cells = [(item, self._names_of(item, sources[item])) for item in self.published]
        return needed(cells, list(self.published).index(cell))

    def _keep(self, cell: str, code: str) -> None:
        """Record that ``cell`` ran with ``code``, and the values of the names that it makes."""
        self._ran[cell] = code
        names = self._names_of(cell, code)
        self._values[cell] = {
            name: self._names[name] for name in names.bound | names.altered if name in self._names
        }

    def _forget(self, cell: str) -> None:
        self._ran.pop(cell, None)
        self._values.pop(cell, None)

    def _recall(self, cell: str, code: str) -> None:
        """Give names the values from the cells above ``cell``, even if cells below it ran last."""
        for above in self._above(cell, {**self.published, **self._ran, cell: code}):
            self._names.update(self._values.get(above, {}))

    def _import_of_training(self, cell: str) -> None:
        """Run the imports of cells before ``cell`` that train and were therefore not run."""
        for above, source in self.published.items():
            if above == cell:
                return
            waits = above in self._training and above not in self._ran
            if waits and not names_in(source).imported <= self._names.keys():
                exec(compile(imports_in(source), f"<{above}>", "exec"), self._names)


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


_lessons: dict[str, Lesson] = {}


def listen(report: Callable[[int, int], object]) -> None:
    """Call ``report`` with the steps of a training while it runs, and with all of its steps."""
    Bar.report = report


def answer(call: str, arguments: Sequence[Any] = (), page: str = "") -> Any:
    """Do ``call`` ("define", "needed" or "run") for the lesson ``page``."""
    if call == "define":
        cells, training = arguments
        _lessons[page] = Lesson(cells, training, page)
        return {}
    lesson = _lessons[page]
    return lesson.needed(*arguments) if call == "needed" else lesson.run(*arguments)
