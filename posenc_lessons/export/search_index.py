"""Make the entries of the pages' search: every heading with the prose below it, and the glossary."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from posenc_lessons.course.glossary import GLOSSARY as TERMS
from posenc_lessons.course.lessons import GLOSSARY
from posenc_lessons.export import outline, texts
from posenc_lessons.export.markdown import plain, render
from posenc_lessons.language import Language

_HEADING = re.compile(r"<h[23]>(.*?)</h[23]>", re.DOTALL)
_HEADINGS = re.compile(r"<h[123]>.*?</h[123]>", re.DOTALL)
_MATH = re.compile(r"<math .*?</math>", re.DOTALL)
_DISPLAYED = re.compile(r'<div class="formula">.*?</div>', re.DOTALL)

Entry = dict[str, str]  # page (its address, with the cell's), title (the page's), heading, text


def entries(notebooks: Mapping[str, Any], language: Language) -> Iterator[Entry]:
    """Yield the entries of all ``notebooks`` (path within the course → notebook in ``language``)."""
    for name, notebook in notebooks.items():
        yield from _of_page(outline.file_name(name), notebook)
    if f"{GLOSSARY}.ipynb" in notebooks:
        yield from _terms(language)


def _of_page(page: str, notebook: Any) -> Iterator[Entry]:
    """Yield an entry for each heading with the prose below it, as plain text; the first has no heading."""
    title = outline.bare_title(notebook)
    entry = {"page": page, "title": title, "heading": "", "text": ""}
    for cell in notebook.cells:
        if cell.cell_type != "markdown":
            continue
        markup = render(cell.source)
        if heading := _HEADING.search(markup):
            yield entry
            words = plain(_MATH.sub(_letters, heading[1]))
            entry = {"page": f"{page}#{cell.id}", "title": title, "heading": words, "text": ""}
        prose = plain(_MATH.sub(_letters, _DISPLAYED.sub(" ", _HEADINGS.sub("", markup))))
        entry["text"] = f"{entry['text']} {prose}".strip()
    yield entry


def _letters(formula: re.Match[str]) -> str:
    """Return the letters and signs of a MathML formula, which are easier to read than TeX."""
    return re.sub(r"<[^>]+>|\s+", "", formula[0])


def _terms(language: Language) -> Iterator[Entry]:
    """Yield the glossary's terms. Chinese pages also find a term by its English name."""
    for term in TERMS:
        zh = term.zh if term.zh == term.en else f"{term.zh} · {term.en}"
        yield {
            "page": f"{GLOSSARY}.html#{GLOSSARY}",
            "title": texts.GLOSSARY.show(language),
            "heading": term.en if language == "en" else zh,
            "text": term.meaning.show(language),
        }
