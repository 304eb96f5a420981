"""The coverage as a page shows it."""

from __future__ import annotations

from posenc_lessons.course.coverage.lessons import LESSONS, Lesson
from posenc_lessons.course.coverage.sections import COVERAGE, DOCUMENTS, Section
from posenc_lessons.course.page_table import Cell, Line, Link, PageTable
from posenc_lessons.language import Text


def table() -> PageTable:
    """Every section with links to the cells that treat it; lessons not written yet are said to be coming."""
    lessons = {lesson.number: lesson for lesson in LESSONS}
    rows: list[list[Cell] | Text] = []
    document = ""
    for section in COVERAGE:
        if section.number[:2] != document:
            document = section.number[:2]
            rows.append(DOCUMENTS[int(document[1])])
        rows.append([section.number, section.title, _places(section, [lessons[n] for n in section.lessons])])
    head = (Text("节", "Section"), Text("讲什么", "What it teaches"), Text("在课程里", "In the course"))
    caption = Text("课程所依据的笔记，逐节对照", "The study notes this course grew from, section by section")
    return PageTable(caption, head, rows, "\n".join(map(_plain, COVERAGE)))


def _places(section: Section, lessons: list[Lesson]) -> list[Line]:
    """One line per lesson: its number and the cells there, or that it is coming."""
    places: list[Line] = []
    for lesson in lessons:
        if lesson.ready:
            cells = [Link(cell, f"{lesson.stem}.ipynb#cell-id={cell}") for cell in section.cells(lesson)]
            places.append([Link(lesson.number, f"{lesson.stem}.ipynb"), *cells])
        else:
            places.append(Text("{n} · 即将推出", "{n} · coming").format(n=lesson.number))
    return places


def _plain(section: Section) -> str:
    return f"{section.number} {section.title.show('both')} → {', '.join(section.lessons)}"
