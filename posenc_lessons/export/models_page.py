"""The page "What real models use": a table of transformers' model types, to sort and to filter.

The whole table is in the page's HTML; a script adds sorting by column and menus that choose rows.
"""

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from posenc_lessons.configs.overview import census, census_counts, census_rows
from posenc_lessons.export import texts
from posenc_lessons.export.document import templates, words_in
from posenc_lessons.export.markdown import LinkTo, quoted
from posenc_lessons.export.page_address import MODELS_PAGE
from posenc_lessons.language import Language, Text

MOST_CHOICES = 12  # a column with more values has no menu
_LESSON_10 = "10_not_every_layer.ipynb#cell-id="

# A column: its name, its meaning, and the cell that explains it.
COLUMNS = (
    (Text("模型", "Model type"), None, None),
    (
        Text("门", "Door"),
        Text(
            "次序从注意力公式的哪里进来：1 嵌入，2 查询和键，3 分数，4 值。",
            "Where order enters the formula of attention: 1 the embeddings, 2 queries and keys, 3 the "
            "scores, 4 the values.",
        ),
        "00_start_here.ipynb",
    ),
    (
        Text("编码", "Encoding"),
        Text(
            "“别的”是这门课的软件包还没有的编码。",
            "“Another” is one that this course's package does not have.",
        ),
        f"{_LESSON_10}census-doors",
    ),
    (
        Text("配对", "Pairing"),
        Text(
            "RoPE 里哪两个特征一起转：相邻的两个，还是前一半和后一半对应的两个。",
            "Which two features RoPE turns together: neighbours, or one of each half.",
        ),
        "05_rotary.ipynb#cell-id=pairings",
    ),
    (
        Text("旋转的部分", "What turns"),
        Text(
            "整个头；一部分（用窄头的频率）；按比例（用整个头的频率，只留最快的）；或者另立一段，旁边的特征不转。",
            "The whole head; a part, by the frequencies of a narrower head; proportional, the fastest of the "
            "whole head; or a part set apart, beside features that never turn.",
        ),
        f"{_LESSON_10}share",
    ),
    (
        Text("底数", "Base"),
        Text("两个底数：不同的层各用一个。", "Two bases: kinds of layers that each have one."),
        f"{_LESSON_10}base",
    ),
    (
        Text("各层", "Layers"),
        Text(
            "重复的一段里有几层哪一种。窗口层只看近处；无位置的层有注意力，没有位置；无注意力的层是递归或卷积。",
            "How many layers of which kind are in the pattern that repeats. Window layers see only what is "
            "near; layers with no positions have attention all the same; those with no attention are a "
            "recurrence or a convolution.",
        ),
        f"{_LESSON_10}two-ideas",
    ),
)


def models_page(language: Language, link_to: LinkTo) -> str:
    """Return the text of the page; ``link_to`` gives the address of a lesson's cell, if it is there."""
    rows = [[_cell(value, language) for value in row] for row in census_rows()]
    columns = [
        {
            "number": at,
            "name": Markup(texts.as_html(name, language)),
            "means": Markup(texts.as_html(means, language)) if means else "",
            "address": link_to(cell) if cell else None,
            "choices": _choices([row[at]["words"] for row in rows]) if at else [],
        }
        for at, (name, means, cell) in enumerate(COLUMNS)
    ]
    source = census()["made"]
    how = texts.MODELS_HOW.format(version=source["transformers"], date=source["date"])
    parts = {"about": about(language), "how": Markup(texts.as_html(how, language))}
    page = templates().get_template("models.html.j2")
    return quoted(page.render(**words_in(language), **parts, columns=columns, rows=rows))


def about(language: Language) -> str:
    """Return what the page is about, as text."""
    _, pairings = census_counts()[1]
    half, near = (count for _, count in pairings)
    counted = texts.MODELS_ABOUT.format(n=len(census_rows()), turning=half + near, half=half, near=near)
    return counted.show(language)


def entries(language: Language) -> Iterator[dict[str, str]]:
    """Yield the page's entries for search: its subject, and the names of all models."""
    names = ", ".join(row[0] for row in census_rows())
    for text in (about(language), names):
        yield {"page": MODELS_PAGE, "title": texts.MODELS.show(language), "heading": "", "text": text}


def _cell(value: Any, language: Language) -> dict[str, str]:
    """Return a value's words, and the number by which rows are sorted, "" to sort by the words."""
    values = value if isinstance(value, tuple) else () if value is None else (value,)
    numbers = [one for one in values if isinstance(one, int | float)]
    words = [
        one.show(language) if isinstance(one, Text) else f"{one:,.0f}" if isinstance(one, float) else str(one)
        for one in values
    ]
    return {"words": " / ".join(words) or "–", "order": f"{numbers[-1]:g}" if numbers else ""}


def _choices(words: list[str]) -> list[str]:
    """Return a column's different values for its menu; none if they are too many."""
    different = sorted({*words}, key=lambda one: (one == "–", one))
    return different if 1 < len(different) <= MOST_CHOICES else []
