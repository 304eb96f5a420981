"""Make a book of the course: cover, contents, lessons, questions, glossary, solutions, index of mistakes."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from posenc_lessons import __version__
from posenc_lessons.course.lessons import GLOSSARY, QUESTIONS
from posenc_lessons.export import mistakes, pages, paper, texts
from posenc_lessons.export.markdown import inline
from posenc_lessons.export.paper import Chapter, Heading
from posenc_lessons.export.printed_pdf import PrintedPdf
from posenc_lessons.figures.four_doors import DOORS, four_doors_figure
from posenc_lessons.language import BilingualRuntimeError, Language, Text, shown_in

ABOUT = Text(
    "从正弦编码到 RoPE 和 CoPE：推导、手算、代码、练习",
    "From the sinusoid to RoPE and CoPE: derived, worked by hand, written as code, practised",
)
EDITION = Text("中文版", "English edition")
CONTENTS = Text("目录", "Contents")
SOLUTIONS = Text("练习解答", "Solutions")
MISTAKES = Text("错误索引", "Index of mistakes")
MISTAKES_SAY = Text(
    "各课错误门诊里的病例，和练习的检查认得的每一种错误：检查会说的话写在这里，后面是题目和解答的页码。",
    "The cases of every bug clinic, and all mistakes that the exercises' checks know: what they say, and the "
    "pages of the exercise and its solution.",
)
SOLUTION = Text("解答", "solution")
PAGE = Text("（第 {page} 页）", " (p. {page})")
READING = Text("这本书怎么读", "How to read this book")
ADVICE = (
    Text(
        "每一课都是能运行的笔记本，运行 {lab} 就能打开。书里印的是运行之后的样子，只用来画图的代码略去了。",
        "Every lesson is a notebook that runs: {lab} opens it. The book shows it as it ran; code that only "
        "draws a picture is left out.",
    ),
    Text(
        "交互图在纸上只能停在一处。运行 {explore}，就能在浏览器里动手调。",
        "On paper an interactive picture stands still. With {explore} it moves in your browser.",
    ),
    Text(
        "看到先猜的卡片，先选一个再往下读。题目的提示就印在题目下面，用手盖住，想过了再看；解答在书的后面。",
        "Where a card asks for a guess, make one before you read on. Hints stand right below an exercise: "
        "cover them until you have tried. The solutions are at the back.",
    ),
    Text(
        "练习的检查认得许多错误。你的答案错在哪里，可以到最后的错误索引里找。",
        "The checks know many mistakes by name. Should your answer be wrong, look for yours in the index of "
        "mistakes at the end.",
    ),
)
COMMANDS = {"lab": "<code>posenc-lessons lab</code>", "explore": paper.COMMAND}
PASSES = 5
UNKNOWN = "000"  # in place of a page number that the next printing will have
_AT = re.compile(r"<!--page (\S+)-->")
_INSIDE = re.compile(r'(<a href="#([^"]+)">(?:(?!</a>).)*)</a>', re.DOTALL)


def print_book(
    notebooks: Mapping[str, Any], language: Language, print_out: Callable[[str], PrintedPdf]
) -> PrintedPdf:
    """Print the book of ``notebooks`` (path within the course → notebook in ``language``, which is zh or en).

    ``print_out`` prints an HTML page. It is called until all page numbers in the book are right: twice, or
    three times if a longer number has moved a line.
    """
    document = book_html(notebooks, language)
    places: Mapping[str, int] = {}
    for _ in range(PASSES):
        printed = print_out(with_page_numbers(document, places))
        if (now := printed.pages_by_id()) == places:
            return printed
        places = now
    raise BilingualRuntimeError(
        f"排了 {PASSES} 遍，页码还在变", f"page numbers were still changing after {PASSES} passes"
    )


def book_html(notebooks: Mapping[str, Any], language: Language) -> str:
    """Return the book as HTML, with marks in the places of page numbers (see ``with_page_numbers``)."""
    chapters = [*_lessons(notebooks, language)]
    if questions := pages.questions(notebooks):
        chapters.append(_chapter_of(QUESTIONS, texts.QUESTIONS, questions, notebooks, language))
    if (glossary := f"{GLOSSARY}.ipynb") in notebooks:
        chapters.append(paper.chapter(glossary, notebooks, language))
    if solutions := pages.solutions(notebooks):
        chapters.append(_chapter_of("solutions", SOLUTIONS, solutions, notebooks, language))
    chapters.append(_mistakes(notebooks, language))
    contents = Chapter("contents", CONTENTS.show(language), _contents(chapters, language))
    return paper.printable(texts.COURSE.show(language), [contents, *chapters], language, _cover(language))


def with_page_numbers(document: str, places: Mapping[str, int]) -> str:
    """Return ``document`` with page numbers from ``places``, or ``UNKNOWN``."""
    return _AT.sub(lambda found: str(places.get(found[1], UNKNOWN)), document)


def _page_mark(anchor: str) -> str:
    return f"<!--page {anchor}-->"


def _lessons(notebooks: Mapping[str, Any], language: Language) -> Iterator[Chapter]:
    for name in notebooks:
        if name[:2].isdecimal():
            yield _with_pages(paper.chapter(name, notebooks, language), language)


def _chapter_of(
    name: str, title: Text, parts: list[str], notebooks: Mapping[str, Any], language: Language
) -> Chapter:
    """Return several notebooks as the sections of one chapter."""
    heading = Heading(1, f"{name}.title", texts.as_html(title, language))
    mains, headings = [_heading_html(heading)], [heading]
    for part in parts:
        main, found = paper.on_paper(part, notebooks, language, lower=1)
        mains.append(main)
        headings += found
    return _with_pages(Chapter(name, title.show(language), "\n".join(mains), tuple(headings)), language)


def _heading_html(heading: Heading) -> str:
    return f'<h{heading.level} id="{heading.anchor}">{heading.words}</h{heading.level}>'


def _with_pages(chapter: Chapter, language: Language) -> Chapter:
    """Return the chapter with a page number after every link to another place in the book."""

    def paged(found: re.Match[str]) -> str:
        page = PAGE.show(language).format(page=_page_mark(found[2]))
        return f'{found[1]}<span class="at">{page}</span></a>'

    return replace(chapter, main=_INSIDE.sub(paged, chapter.main))


def _cover(language: Language) -> str:
    doors = "".join(f'<i style="background: {door.color}"></i>' for door in DOORS)
    with shown_in(language):
        picture = four_doors_figure().svg().decode()
    licence = texts.as_html(texts.LICENCE, language)
    advice = "".join(f"<li>{texts.as_html(each, language).format(**COMMANDS)}</li>" for each in ADVICE)
    return f"""<section class="cover">
<div class="doors">{doors}</div>
<p class="title">{texts.as_html(texts.COURSE, language)}</p>
<p class="about">{texts.as_html(ABOUT, language)}</p>
{picture[picture.index("<svg") :]}
<p class="foot"><span>posenc_lessons {__version__}</span><span>{texts.as_html(EDITION, language)}</span>\
<span>{licence}</span></p>
</section>
<section class="behind">
<p class="hint">{texts.as_html(READING, language)}</p>
<ul>{advice}</ul>
<p>{licence}</p>
</section>"""


def _contents(chapters: list[Chapter], language: Language) -> str:
    title = _heading_html(Heading(1, "contents.title", texts.as_html(CONTENTS, language)))
    rows = "\n".join(
        f'<li class="level-{heading.level}">{_contents_line(heading.words, heading.anchor)}</li>'
        for chapter in chapters
        for heading in chapter.headings
        if heading.level <= 2
    )
    return f'{title}\n<ol class="list contents-list">\n{rows}\n</ol>'


def _contents_line(said: str, anchor: str) -> str:
    """Return a line of the contents: words, dots, and the page of ``anchor``."""
    return f'<a href="#{anchor}"><span>{said}</span><span class="at">{_page_mark(anchor)}</span></a>'


def _mistakes(notebooks: Mapping[str, Any], language: Language) -> Chapter:
    heading = Heading(1, "mistakes.title", texts.as_html(MISTAKES, language))
    parts = [_heading_html(heading), f"<p>{texts.as_html(MISTAKES_SAY, language)}</p>"]
    for name in notebooks:
        if name[:2].isdecimal() and (found := "\n".join(_mistakes_of(name, notebooks, language))):
            title = pages.title(notebooks[name], language)
            parts.append(f'<h2>{title}</h2>\n<div class="mistakes">\n{found}\n</div>')
    return Chapter("mistakes", MISTAKES.show(language), "\n".join(parts), (heading,))


def _mistakes_of(name: str, notebooks: Mapping[str, Any], language: Language) -> Iterator[str]:
    """Yield the lesson's cases, then each exercise with the messages for its mistakes."""
    solved = f"solutions/{name}"
    titles = _titles(notebooks[name], language)
    here, there = paper.id_prefix(name), paper.id_prefix(solved)
    if cases := [*mistakes.clinic_cases(notebooks[name])]:
        rows = "".join(f"<li>{_contents_line(titles[cell], f'{here}.{cell}')}</li>" for cell in cases)
        yield f'<ul class="list">{rows}</ul>'
    for exercise in mistakes.exercises(notebooks[name], notebooks.get(solved)):
        title = _contents_line(titles[exercise.cell], f"{here}.{exercise.cell}")
        if exercise.solution:
            title += _contents_line(texts.as_html(SOLUTION, language), f"{there}.{exercise.solution}")
        said = "".join(f"<li>{html.escape(text.show(language))}</li>" for text in exercise.messages)
        yield f'<div class="list exercise">{title}</div>\n<ul>{said}</ul>'


def _titles(notebook: Any, language: Language) -> dict[str, str]:
    """Return, for every cell, the words (HTML) of the heading above it or in it."""
    titles, title = {}, ""
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (found := re.match(r"#+ +(.*)", cell.source)):
            title = inline(found[1], language)
        titles[cell.id] = title
    return titles
