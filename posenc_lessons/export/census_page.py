"""The page "What real models use": the census of transformers' model folders, to sort and to filter.

The whole table is in the page's HTML. A script adds sorting by column and menus that choose rows.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from posenc_lessons.encodings.config import overview_words as words
from posenc_lessons.encodings.config.families import census
from posenc_lessons.encodings.config.overview import CensusRow, census_rows
from posenc_lessons.encodings.config.towers import towers_table
from posenc_lessons.export import pages, texts
from posenc_lessons.export.document import Looks
from posenc_lessons.export.frame import Frame
from posenc_lessons.export.markdown import LinkTo
from posenc_lessons.export.search_index import Entry
from posenc_lessons.export.towers_table import FOLDERS, TITLE, towers_section
from posenc_lessons.figures.four_doors import DOORS
from posenc_lessons.language import Language, Text

FILE = "models.html"
LESSON_10 = "10_not_every_layer.ipynb"

ABOUT = Text(
    "{n} 种文本模型的代码怎样对待位置：从哪道门进来，特征怎样配对，旋转多少，底数多大，哪些层不一样。",
    "How the code of {n} types of text models treats positions: by which door they come in, how features "
    "are paired, how much of a head turns, by which base, and which layers differ.",
)
HOW = Text(
    "表里说的是 transformers {version} 的代码（{date} 看的），而且是代码的默认值："
    "发布的模型可以在自己的 config.json 里另写。绝大多数行是程序看出来的：给每种模型造一个很小的，用数去试，"
    "看哪些特征在转、和谁一对、转多快、哪一层看多远。试不出来的几行是手写的。",
    "The table is about the code of transformers {version}, looked at on {date}, and about what the code "
    "does by default: a released model may say otherwise in its config.json. Nearly every row was found by a "
    "program, which builds a small model of each type and probes it with numbers: which features turn, with "
    "which partner, how fast, and how far each layer sees. The few rows that no probe could fill were "
    "written by hand.",
)
COUNTED = Text("数一数", "Counted")
TABLE = Text("每一种模型", "Every model type")
COLUMNS_SAID = Text("各栏的意思", "What the columns mean")
FAMILY = Text("模型", "Model type")
SEARCH = Text("模型的名字", "Name of the model type")
ALL = Text("全部", "all")
SHOWN = Text("{n} 种", "{n} shown")
SORT = Text("按这一栏排序", "Sort by this column")
RESET = Text("全部显示", "Show all")


class Column(NamedTuple):
    """A column: its name and meaning, the cell that explains it, a row's text, and the order of rows."""

    key: str
    name: Text
    means: Text
    cell: str
    says: Callable[[CensusRow], Text]
    order: Callable[[CensusRow], float] | None = None
    choices: Callable[[CensusRow], Sequence[Text]] | None = None  # of a row, in the menu; None: its text


def _encoding(row: CensusRow) -> Text:
    return words.ENCODINGS[row.kind]


def _pairing(row: CensusRow) -> Text:
    return words.PAIRINGS[row.pairing] if row.pairing else words.NOTHING


def _doors_of(row: CensusRow) -> list[Text]:
    return [words.DOORS[door] for door in row.doors] or [words.NOTHING]


def _share_of(row: CensusRow) -> list[Text]:
    return [words.SHARES[row.share]] if row.share else [words.NOTHING]


def _layers_of(row: CensusRow) -> list[Text]:
    if set(row.layers) == {"full"}:
        return [words.EVERY_LAYER["full"]]
    return [words.LAYERS[kind] for kind in row.layers] or [words.NOTHING]


COLUMNS = (
    Column(
        "door",
        Text("门", "Door"),
        Text(
            "次序从注意力公式的哪里进来：1 嵌入，2 查询和键，3 分数，4 值。",
            "Where order enters the formula of attention: 1 the embeddings, 2 queries and keys, 3 the "
            "scores, 4 the values.",
        ),
        "00_start_here.ipynb",
        words.doors,
        choices=_doors_of,
    ),
    Column(
        "encoding",
        Text("编码", "Encoding"),
        Text(
            "点编码的名字，到讲它的那一课。“别的”是这门课的软件包还没有的编码，展开可以看说明。",
            "A name leads to the lesson about it. “Another” is one that this course's package does not have; "
            "unfold it to read what it is.",
        ),
        f"{LESSON_10}#cell-id=census-doors",
        _encoding,
    ),
    Column(
        "pairing",
        Text("配对", "Pairing"),
        Text(
            "RoPE 里哪两个特征一起转：相邻的两个，还是前一半和后一半对应的两个。",
            "Which two features RoPE turns together: neighbours, or one of each half.",
        ),
        "05_rotary.ipynb#cell-id=pairings",
        _pairing,
    ),
    Column(
        "share",
        Text("旋转的部分", "What turns"),
        Text(
            "整个头；一部分（用窄头的频率）；按比例（用整个头的频率，只留最快的）；"
            "或者另立一段，旁边的特征不转。",
            "The whole head; a part, by the frequencies of a narrower head; proportional, the fastest of the "
            "whole head; or a part set apart, beside features that never turn.",
        ),
        f"{LESSON_10}#cell-id=share",
        words.share,
        choices=_share_of,
    ),
    Column(
        "base",
        Text("底数", "Base"),
        Text("两个底数：不同的层各用一个。", "Two bases: kinds of layers that each have one."),
        f"{LESSON_10}#cell-id=base",
        words.bases,
        order=lambda row: row.bases[-1] if row.bases else 0,
    ),
    Column(
        "layers",
        Text("各层", "Layers"),
        Text(
            "重复的一段里有几层哪一种。窗口层只看近处；无位置的层有注意力，没有位置；"
            "无注意力的层是递归或卷积。",
            "How many layers of which kind are in the pattern that repeats. Window layers see only what is "
            "near; layers with no positions have attention all the same; those with no attention are a "
            "recurrence or a convolution.",
        ),
        f"{LESSON_10}#cell-id=two-ideas",
        words.layers,
        order=lambda row: len(row.layers),
        choices=_layers_of,
    ),
    Column(
        "extension",
        Text("拉长", "Stretched"),
        Text(
            "代码在没有 config.json 时就用的拉长方法。大多数模型把它写在自己的文件里。",
            "The method by which the code stretches contexts even without a config.json. Most models say it "
            "in their files.",
        ),
        "08_longer_than_trained.ipynb",
        words.extension,
    ),
)
LESSONS = {
    "rotary": "05_rotary.ipynb",
    "learned": "03_learned.ipynb",
    "sinusoidal": "02_sinusoidal.ipynb",
    "t5": "04_relative.ipynb",
    "alibi": "04_relative.ipynb",
    "none": f"{LESSON_10}#cell-id=without",
}


def census_page(language: Language, link_to: LinkTo, frame: Frame, looks: Looks) -> str:
    """Return the page; ``link_to`` gives the address of a lesson's cell on these pages, if it is there."""
    rows = census_rows()
    made = census()["made"]
    about = ABOUT.format(n=len(rows))
    how = HOW.format(version=made["transformers"], date=made["date"])
    main = f"""<h1>{texts.as_html(texts.MODELS, language)}</h1>
<div class="census">
<p>{texts.as_html(about, language)}</p>
<p>{texts.as_html(how, language)}</p>
<h2 id="counted">{texts.as_html(COUNTED, language)}</h2>
{_counted(language)}
<h2 id="columns">{texts.as_html(COLUMNS_SAID, language)}</h2>
<dl>{"".join(_meaning(column, language, link_to) for column in COLUMNS)}</dl>
<h2 id="table">{texts.as_html(TABLE, language)}</h2>
{_form(rows, language)}
<div class="wide" tabindex="0" role="region" aria-label="{_said(TABLE, language)}">
<table>
<thead><tr>{_head(language)}</tr></thead>
<tbody>
{"".join(_row(row, language, link_to, made["transformers"]) for row in rows)}</tbody>
</table>
</div>
{towers_section(language, link_to)}</div>"""
    name = texts.as_html(texts.MODELS, language)
    return pages.page(name, main, language, frame, looks, about=about.show(language), wide=True)


def entries(language: Language) -> Iterator[Entry]:
    """Yield the page's entries for search: its subject, and the names of all models."""
    rows = census_rows()
    title = texts.MODELS.show(language)
    yield {"page": FILE, "title": title, "heading": "", "text": ABOUT.format(n=len(rows)).show(language)}
    named = ", ".join(row.name for row in rows)
    yield {"page": f"{FILE}#table", "title": title, "heading": TABLE.show(language), "text": named}
    towers = ", ".join(towers_table())
    yield {"page": f"{FILE}#towers", "title": title, "heading": TITLE.show(language), "text": towers}


def _counted(language: Language) -> str:
    """Return the bars of ``census_figure`` as lists, which fit on a phone, with a number beside each bar."""
    shown = []
    for number, (title, groups) in enumerate(words.census_counts()):
        most = max(count for _, count in groups)
        colors = [door.color for door in DOORS] if number == 0 else []
        rows = "".join(
            f'<li style="--share:{count / most:.3f}{f";--door:{colors[row]}" if row < len(colors) else ""}">'
            f"<span>{texts.as_html(name, language)}</span><b>{count}</b></li>"
            for row, (name, count) in enumerate(groups)
        )
        shown.append(f"<div><h3>{texts.as_html(title, language)}</h3><ul>{rows}</ul></div>")
    return f'<div class="counted">{"".join(shown)}</div>'


def _said(text: Text, language: Language) -> str:
    return html.escape(text.show(language))


def _meaning(column: Column, language: Language, link_to: LinkTo) -> str:
    name, means = texts.as_html(column.name, language), texts.as_html(column.means, language)
    return f"<dt>{_linked(name, link_to(column.cell))}</dt><dd>{means}</dd>"


def _linked(words_: str, address: str | None) -> str:
    return f'<a href="{html.escape(address)}">{words_}</a>' if address else words_


def _choices(column: Column, row: CensusRow) -> Sequence[Text]:
    return column.choices(row) if column.choices else [column.says(row)]


def _form(rows: Sequence[CensusRow], language: Language) -> str:
    """Return the menus that choose rows; a script shows them."""
    name = texts.as_html(SEARCH, language)
    fields = [f'<label>{name}<input type="search" name="name" autocomplete="off"></label>']
    for column in COLUMNS:
        there = dict.fromkeys(each for row in rows for each in _choices(column, row))
        found = sorted(there, key=lambda each: (each == words.NOTHING, each.en))
        if column.key == "base":
            continue
        options = "".join(
            f'<option value="{html.escape(each.en)}">{_said(each, language)}</option>' for each in found
        )
        fields.append(
            f'<label>{texts.as_html(column.name, language)}<select name="{column.key}">'
            f'<option value="">{_said(ALL, language)}</option>{options}</select></label>'
        )
    shown, reset = _said(SHOWN, language), texts.as_html(RESET, language)
    last = f'<p><output data-said="{shown}"></output> <button type="reset">{reset}</button></p>'
    return f'<form class="choose" hidden>{"".join(fields)}{last}</form>'


def _head(language: Language) -> str:
    heads = [("name", FAMILY), *((column.key, column.name) for column in COLUMNS)]
    said = _said(SORT, language)
    return "".join(
        f'<th scope="col" data-key="{key}" data-sort="{said}">{texts.as_html(name, language)}</th>'
        for key, name in heads
    )


def _row(row: CensusRow, language: Language, link_to: LinkTo, version: str) -> str:
    folder = html.escape(FOLDERS.format(version=version, folder=row.folder))
    beside = f' <span class="folder">{html.escape(row.folder)}/</span>' if row.folder != row.name else ""
    name = html.escape(row.name).replace("_", "_<wbr>")
    cells = [f'<th scope="row"><a href="{folder}"><code>{name}</code></a>{beside}</th>']
    for column in COLUMNS:
        said = texts.as_html(column.says(row), language)
        if column.key == "encoding":
            said = _linked(said, link_to(LESSONS[row.kind]) if row.kind in LESSONS else None)
            if row.why is not None:
                name = texts.as_html(column.says(row), language)
                said = f"<details><summary>{name}</summary>{texts.as_html(row.why, language)}</details>"
        values = html.escape("|".join(each.en for each in _choices(column, row)))
        order = f' data-order="{column.order(row):g}"' if column.order else ""
        cells.append(f'<td data-values="{values}"{order}>{said}</td>')
    return f"<tr>{''.join(cells)}</tr>\n"
