"""Carry out an export: which lessons, in which language, in which form, to which folder."""

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import nbformat

from posenc_lessons.course.lessons import QUESTIONS, lesson_files, lesson_names, lessons_and_glossary
from posenc_lessons.export import live_explorers, one_language, pdf
from posenc_lessons.export.assignments import course_folder
from posenc_lessons.export.install import check, with_install
from posenc_lessons.export.outputs import STILL
from posenc_lessons.export.page_address import EXPLORERS_PAGE
from posenc_lessons.export.run import DidNotRun, run
from posenc_lessons.export.site import FOLDERS, SITEMAP, site, sitemap
from posenc_lessons.export.slides import decks
from posenc_lessons.export.stills import add_settings
from posenc_lessons.files import check_writable, write_all
from posenc_lessons.language import BilingualError, Language, Text

Notebooks = dict[str, Any]  # path within the course → notebook
Say = Callable[[Text], None]

RUNNING = Text("{name}：正在运行，图会按所选语言重画……", "{name}: running, to redraw its pictures …")
TAKE_LIVE_ALONG = Text(
    "代码能运行、交互图会动，靠的是旁边的 live 文件夹：拷贝时拷整个文件夹（没有 live，就只能看）。",
    "Code that runs and explorers need the folder live/ beside them. Copy the whole folder: without live/ "
    "pages and decks can only be read.",
)
STAYS = Text(
    "{name} 已经有了，和新的不同，原样保留；要新的，先把它移走",
    "{name} exists, differs from the new version, and stays as it is; for the new one, move it away first",
)

WHOLE = ("site", "ipynb", "book")  # the forms with glossary and questions, which slides and assignments lack
LIVELY = ("site", "slides")  # the forms with live explorers
APART = ("site", "book", "slides")  # the forms that have files for each language, none with both


class NoSuchLesson(BilingualError):
    """The error for a name that no lesson of the course has."""


@dataclass(frozen=True)
class Options:
    """The choices of one export.

    ``lessons``: names such as ``02_sinusoidal``; empty means all, with questions and solutions.
    ``run``: whether lessons are run, for pictures in one language.
    ``live``: whether cells run in pages, explorers are live in pages and slides, and the site of the whole
    course has the explorers' page.
    ``address``: the address at which pages will be served, for the sitemap and search engines.
    ``install``: what pip installs in the first cell of a notebook opened by itself; None for no such cell.
    """

    language: Language
    form: str
    lessons: tuple[str, ...]
    out: Path
    run: bool = True
    install: str | None = None
    live: bool = True
    address: str | None = None


def export(options: Options, source: Path, say: Say) -> list[str]:
    """Export the lessons in ``source``; return the files written, as paths within ``options.out``.

    ``say`` is called with messages about progress and warnings. Raises DidNotRun, NoBrowser, NoSlides,
    NotToInstall, OSError.
    """
    if options.install is not None:
        check(options.install, options.form)
    if options.form == "book":
        pdf.find_browser()
    check_writable(options.out)  # before minutes of work, not after
    notebooks: dict[Language, Notebooks] = {}
    for language in _spoken(options):
        chosen = replace(options, language=language)
        notebooks[language] = {
            name: _prepared(name, source, chosen, say) for name in _wanted(options, source)
        }
    books = itertools.chain.from_iterable(its_own.values() for its_own in notebooks.values())
    cells = itertools.chain.from_iterable(book.cells for book in books)
    lively = options.live and options.form in LIVELY
    alive = lively and any(_can_be_live(cell, options.form) for cell in cells)
    if options.form == "site":
        files = _pages(notebooks, options, alive)
    elif options.form == "slides":
        files = {}
        for language, its_own in notebooks.items():
            other = next((one for one in notebooks if one != language), None)  # to which the key L leads
            files.update(decks(its_own, language, alive, other))
    else:
        files = {}
        for language, its_own in notebooks.items():
            files.update(FORMS[options.form](its_own, language))
    if options.form == "nbgrader":
        files = dict(_not_there_yet(files, options.out, say))
    if alive:
        files.update(live_explorers.files())
    write_all(files, options.out)
    live_explorers.forget_older(options.out, files)
    if alive:
        say(TAKE_LIVE_ALONG)
    return sorted(files)


def _spoken(options: Options) -> tuple[Language, ...]:
    """Return the languages in which lessons are prepared."""
    apart = options.form in APART and options.language == "both"
    return tuple(FOLDERS) if apart else (options.language,)


def _pages(notebooks: Mapping[Language, Notebooks], options: Options, alive: bool) -> dict[str, bytes]:
    """Return the pages and the files that belong to them: live parts, the explorers' page, a sitemap."""
    whole = options.live and not options.lessons
    explorers = whole or (options.out / EXPLORERS_PAGE).is_file()
    files = site(notebooks, alive, explorers, options.address)
    if whole:
        files.update(live_explorers.explorers_page())
    if options.address is not None:
        files[SITEMAP] = sitemap({*files, *([EXPLORERS_PAGE] if explorers else [])}, options.address)
    return files


def _can_be_live(cell: Any, form: str) -> bool:
    """Return whether a cell is code that a page can run, or on slides, has an explorer that can be live."""
    if form == "site":
        return bool(cell.cell_type == "code")
    return any(STILL in output.get("data", {}) for output in cell.get("outputs", ()))


def _not_there_yet(files: Mapping[str, bytes], folder: Path, say: Say) -> Iterator[tuple[str, bytes]]:
    """Yield the files that a teacher's course folder lacks, so that its settings and points stay."""
    for name, content in files.items():
        present = folder / name
        if not present.is_file():
            yield name, content
        elif present.read_bytes() != content:
            say(STAYS.format(name=name))


def lesson_named(wanted: str, source: Path) -> str:
    """Return the lesson named ``2``, ``02`` or ``02_sinusoidal``, the glossary, or a question.

    A question is named ``which_pairing`` and returned with its folder. Raises NoSuchLesson.
    """
    questions = {path.stem for path in (source / QUESTIONS).glob("*.ipynb")}
    if (question := wanted.removeprefix(f"{QUESTIONS}/")) in questions:
        return f"{QUESTIONS}/{question}"
    stems = lessons_and_glossary(source)
    for stem in stems:
        if wanted == stem or (wanted.isdecimal() and stem[:2].isdecimal() and int(wanted) == int(stem[:2])):
            return stem
    listed = ", ".join(stems)
    raise NoSuchLesson(
        f"没有 {wanted!r} 这一课；现有：{listed}", f"there is no lesson {wanted!r}; there are: {listed}"
    )


def _wanted(options: Options, source: Path) -> list[str]:
    if options.lessons:
        names = [f"{stem}.ipynb" for stem in sorted(set(options.lessons))]
        solved = [f"solutions/{name}" for name in names if (source / "solutions" / name).is_file()]
        return [*names, *solved] if options.form == "book" else names
    folders = {"solutions", QUESTIONS} if options.form in WHOLE else {"solutions"}
    others = [path.as_posix() for path in lesson_files(source) if path.parts[0] in folders]
    stems = lessons_and_glossary(source) if options.form in WHOLE else lesson_names(source)
    return [f"{stem}.ipynb" for stem in stems] + others


def _prepared(name: str, source: Path, options: Options, say: Say) -> Any:
    notebook = nbformat.read(source / name, as_version=4)
    copied = one_language.words_in_language(notebook, options.language)
    if options.form == "nbgrader":
        return copied  # exercises have no pictures
    drawn_for_both = options.language == "both" and options.form == "ipynb"
    if options.run and not drawn_for_both and _has_pictures(notebook):
        say(RUNNING.format(name=name))
        try:
            run(copied, options.language, options.live and options.form in LIVELY)
        except DidNotRun as error:
            raise DidNotRun(f"{name}：{error.zh}", f"{name}: {error.en}") from error
    copied = one_language.outputs_in_language(copied, options.language)
    if options.live and options.form in LIVELY:
        add_settings(copied)
    return copied if options.install is None else with_install(copied, options.install, options.language)


def _has_pictures(notebook: Any) -> bool:
    """Return whether ``notebook`` shows pictures or has never been run."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    return not outputs or any("image/png" in output.get("data", {}) for output in outputs)


def _as_notebooks(notebooks: Notebooks, language: Language) -> Mapping[str, bytes]:
    return {name: (nbformat.writes(notebook) + "\n").encode() for name, notebook in notebooks.items()}


FORMS: dict[str, Callable[[Notebooks, Language], Mapping[str, bytes]]] = {  # those without live explorers
    "ipynb": _as_notebooks,
    "book": pdf.book_pdf,
    "nbgrader": course_folder,
}
