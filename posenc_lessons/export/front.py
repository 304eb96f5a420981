"""The front page: moving dials, where to begin or to go on, the doors, a card for each lesson, lists."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from posenc_lessons.course.lessons import GLOSSARY, QUESTIONS, opening, promised
from posenc_lessons.explorers.behind_doors import BEHIND, door_color
from posenc_lessons.export import outline, texts
from posenc_lessons.export.dials import dials
from posenc_lessons.export.document import templates, words_in
from posenc_lessons.export.formulas import formula
from posenc_lessons.export.in_page import asks
from posenc_lessons.export.markdown import render
from posenc_lessons.export.motifs import motif
from posenc_lessons.figures.four_doors import DOORS, Door
from posenc_lessons.language import Language

# The questions whose answers the page shows.
ANSWERED = (
    "add_or_concatenate",
    "sine_and_cosine",
    "absolute_or_relative",
    "rotate_half",
    "extrapolation",
    "left_padding",
)

_LIST = re.compile(r"<ul>.*?</ul>", re.DOTALL)


def front_page(
    notebooks: Mapping[str, Any],
    language: Language,
    *,
    explorers: str | None = None,
    guide: str | None = None,
    models: str | None = None,
) -> str:
    """Return the text of the front page, with links to all others, as HTML.

    ``notebooks`` are already in ``language``; ``explorers``, ``guide`` and ``models`` are the addresses of
    these pages.
    """
    answered = [f"{QUESTIONS}/{name}.ipynb" for name in ANSWERED]
    lessons = [*filter(outline.is_lesson, notebooks)]
    link = Markup('<a href="{}">{}</a>').format
    links = {name: link(outline.file_name(name), outline.title(book)) for name, book in notebooks.items()}
    cards = [_card(name, notebooks[name], language) | {"link": links[name]} for name in lessons]
    return (
        templates()
        .get_template("front.html.j2")
        .render(
            **words_in(language),
            language=language,
            links=links,
            dials=dials(language),
            lessons=lessons,
            questions=outline.questions(notebooks),
            answers={
                name: outline.first_paragraph(notebooks[name]) for name in answered if name in notebooks
            },
            glossary=f"{GLOSSARY}.html" if f"{GLOSSARY}.ipynb" in notebooks else None,
            explorers=explorers,
            models=models,
            guide=guide,
            doors=[_door(door, notebooks, language, explorers) for door in DOORS],
            cards=cards,
            total=round(sum(card["minutes"] or 0 for card in cards) / 60),
        )
    )


def _door(
    door: Door, notebooks: Mapping[str, Any], language: Language, explorers: str | None
) -> dict[str, Any]:
    """Return a door's card and the address behind it; a door and its card are one link."""
    between = "、" if language == "zh" else ", "
    rows = (between.join(texts.as_html(name, language) for name in row) for row in door.encodings)
    return {
        "number": door.number,
        "color": door.color,
        "name": Markup(texts.as_html(door.name, language)),
        "formula": Markup(formula("".join(piece for piece, _ in door.formula).replace("$", " "), False)),
        "encodings": Markup("<br>".join(rows)),
        "address": _behind(door, notebooks, language, explorers),
    }


def _behind(
    door: Door, notebooks: Mapping[str, Any], language: Language, explorers: str | None
) -> str | None:
    """Return the address behind a door: that of its first explorer, or else of the lesson about it."""
    behind = BEHIND[door.number][0]
    if explorers:
        settings = {"explorer": behind.explorer.name, "lang": language, **behind.settings}
        return f"{explorers}?{urlencode(settings)}"
    lesson = f"{behind.lesson}.ipynb"
    return f"{outline.file_name(lesson)}#{behind.explorer.name}-explorer" if lesson in notebooks else None


def _card(name: str, notebook: Any, language: Language) -> dict[str, Any]:
    """Return a lesson's card: picture, one sentence, minutes, goals, colour of its door, and exercises."""
    first = opening(notebook.cells)
    goals = _LIST.search(render(first))  # the list at its beginning
    return {
        "picture": Markup(motif(name)),
        "minutes": promised(first, language),
        "goals": Markup(goals[0]) if goals else None,
        "about": _about(notebook, language),
        "color": door_color(name),
        "exercises": [cell.metadata["exercise"] for cell in notebook.cells if asks(cell)],
    }


def _about(notebook: Any, language: Language) -> Markup:
    """Return the sentence of the lesson's title slide, else its first one."""
    text = notebook.cells[0].metadata.get("slideshow", {}).get("text")
    if text is None:
        return Markup("<p>{}</p>").format(outline.description(notebook))
    return Markup(render(_sentence(text[language], language)))


def _sentence(text: str, language: Language) -> str:
    """Return what follows the title of a slide, ended by a stop."""
    words = text.partition("\n")[2].rstrip()
    ends = words.rstrip("*").endswith((*".?!", *"。？！"))
    return words if ends else words + ("。" if language == "zh" else ".")
