"""The page about the style: fonts, sizes, gaps, colours and panels of all pictures, each with its reason.

Everything on it is drawn with the values that the pictures use.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence

from posenc_lessons.export import pages, texts
from posenc_lessons.export.document import Looks
from posenc_lessons.export.frame import Frame
from posenc_lessons.export.search_index import Entry
from posenc_lessons.export.style_examples import KINDS, kind_html, letters_html
from posenc_lessons.figures.colors import CHOSEN, CYCLE, KEY, QUERY, RESULT, WRONG, ramp
from posenc_lessons.figures.encoding_looks import LOOKS
from posenc_lessons.figures.four_doors import DOORS
from posenc_lessons.figures.places import SPACING
from posenc_lessons.figures.sight import NAMES, seen
from posenc_lessons.figures.theme import DARK, LIGHT
from posenc_lessons.language import Language, Text

FILE = "style.html"

ABOUT = Text(
    "这门课的图用同样的字、同样的间距、同样的颜色，这样看懂一张，就会看下一张。这里列出全部规矩和理由；"
    "页上的东西都由画图的程序现画，用的是它自己的数值。",
    "All pictures of this course share their letters, gaps and colours, so that who has read one can read "
    "the next. Here are the rules with their reasons. Everything on this page is drawn by the code of the "
    "pictures, from its own values.",
)
LETTERS = Text("字体和大小", "Letters and sizes")
LETTERS_WHY = Text(
    "文字用一种字体，数学用一种（STIX），图里、公式里、公式表里都一样，同一个符号到处一个模样。"
    "1366 像素宽的屏幕上最小 11 像素，1920 上最小 15：坐在后排也要看得清坐标轴上的数。",
    "One face for words and one for mathematics (STIX), in pictures and formulas alike: "
    "a symbol looks the same everywhere. Nothing is below 11 pixels on a screen 1366 wide or below 15 "
    "at 1920: the numbers along an axis have to reach the last row of a room.",
)
GAPS = Text("间距", "Gaps")
GAPS_WHY = Text(
    "间距只用这七种。步子大，一眼就分得出“同一组”和“另一组”。",
    "Gaps come in these seven sizes only. The steps are large enough to tell at a glance what belongs "
    "together from what does not.",
)
COLORS = Text("颜色有固定的意思", "Colours by meaning")
SIGHTS_WHY = Text(
    "每种颜色旁边是三种色盲的人看到的样子（按 Machado 等 2009 年的模型算出），和打印成灰度的样子。"
    "同一组颜色在三种色觉下都分得开。灰度里颜色会撞，所以线还用虚实、点的形状或末端的名字来区分。",
    "Beside each colour is what readers with three kinds of colour blindness see (computed by the model of "
    "Machado and others, 2009), and its grey in print. Within a group, each of them can tell colours "
    "apart. In grey some meet, so lines also differ by dashes, markers or the names at their ends.",
)
COLOR = Text("颜色", "Colour")
RAMPS = Text("热图的颜色", "Ramps of heatmaps")
RAMPS_WHY = Text(
    "从无到多一种，从负到正一种。越深越多，灰度里也成立；零几乎是纸的颜色，所以不用画框。"
    "深色页面上反过来，越亮越多。",
    "One ramp runs from nothing to much, one from minus to plus. Darker is more, in grey too; zero is nearly "
    "the paper's colour, which is why no frame is needed. On a dark page lighter is more.",
)
RAMP_NAMES = {
    "sequential": Text("从无到多", "nothing to much"),
    "diverging": Text("从负到正", "minus to plus"),
}
PANELS = Text("几种图", "Kinds of panels")

Named = Sequence[tuple[str, Text]]  # colours and their meanings
GROUPS: tuple[tuple[Text, Text, Named], ...] = (
    (
        Text("四道门", "The four doors"),
        Text(
            "只用在图的外面：标签、标题、卡片。图里不用，否则读者会把一条线当成一道门。",
            "Outside of plots only: tabs, headings, cards. In a plot a line of that colour would pass for a "
            "door.",
        ),
        tuple((door.color, door.name) for door in DOORS),
    ),
    (
        Text("图里的角色", "Roles in a plot"),
        Text(
            "查询、键、结果在每张图里都是同一种颜色。红色只表示错了，或者训练时没见过。",
            "Query, key and result have one colour in every plot. Red is only for what is wrong or was "
            "never seen in training.",
        ),
        (
            (QUERY, Text("查询", "query")),
            (KEY, Text("键", "key")),
            (RESULT, Text("算出来的结果", "what is computed")),
            (WRONG, Text("错，或没见过", "wrong, or never seen")),
            (CHOSEN, Text("读者选中的", "what the reader chose")),
        ),
    ),
    (
        Text("比赛里的各条线", "Series of a race"),
        Text(
            "冈部和伊藤的颜色。编码的颜色在所有比赛里不变；变体和它的编码同色，换成虚线。",
            "Okabe and Ito's colours. An encoding keeps its colour in all races; a variant has the colour of "
            "its encoding and is dashed.",
        ),
        tuple((color, next(look.name for look in LOOKS.values() if look.color == color)) for color in CYCLE),
    ),
)


def style_page(language: Language, frame: Frame, looks: Looks) -> str:
    """Return the page."""

    def said(text: Text) -> str:
        return texts.as_html(text, language)

    heads = "".join(f'<th scope="col">{said(name)}</th>' for name in (COLOR, *NAMES.values()))
    main = f"""<h1>{said(texts.STYLE)}</h1>
<div class="look">
<p>{said(ABOUT)}</p>
<h2 id="letters">{said(LETTERS)}</h2>
<p>{said(LETTERS_WHY)}</p>
<p class="shown">{letters_html(language)}</p>
<h2 id="gaps">{said(GAPS)}</h2>
<p>{said(GAPS_WHY)}</p>
<ul class="gaps">{"".join(map(_gap, SPACING))}</ul>
<h2 id="colors">{said(COLORS)}</h2>
<p>{said(SIGHTS_WHY)}</p>
<div class="wide" tabindex="0" role="region" aria-label="{_quoted(COLORS, language)}">
<table class="colors">
<thead><tr>{heads}</tr></thead>
{"".join(_group(*group, language) for group in GROUPS)}</table>
</div>
<h3 id="ramps">{said(RAMPS)}</h3>
<p>{said(RAMPS_WHY)}</p>
<dl class="ramps">{"".join(_ramp(name, text, language) for name, text in RAMP_NAMES.items())}</dl>
<h2 id="panels">{said(PANELS)}</h2>
{"".join(_kinds(language))}</div>"""
    name = said(texts.STYLE)
    return pages.page(name, main, language, frame, looks, about=ABOUT.show(language), wide=True)


def entries(language: Language) -> Iterator[Entry]:
    """Yield the page's entries for search."""
    title = texts.STYLE.show(language)
    parts = (("", Text("", ""), ABOUT), ("#letters", LETTERS, LETTERS_WHY), ("#colors", COLORS, SIGHTS_WHY))
    for anchor, heading, text in parts:
        yield {
            "page": f"{FILE}{anchor}",
            "title": title,
            "heading": heading.show(language),
            "text": text.show(language),
        }


def _quoted(text: Text, language: Language) -> str:
    return html.escape(text.show(language))


def _gap(gap: int) -> str:
    return f'<li><i style="width: var(--space-{gap})"></i> {gap} px</li>'


def _group(name: Text, why: Text, colors: Named, language: Language) -> str:
    """Return the rows of a group of colours, below its name and reason."""
    head = f"<strong>{texts.as_html(name, language)}</strong> {texts.as_html(why, language)}"
    rows = "".join(_row(color, meaning, language) for color, meaning in colors)
    return f'<tbody><tr><th scope="rowgroup" colspan="{1 + len(NAMES)}">{head}</th></tr>\n{rows}</tbody>\n'


def _row(color: str, meaning: Text, language: Language) -> str:
    cells = "".join(f"<td>{_swatch(color, sight)}</td>" for sight in NAMES)
    words = texts.as_html(meaning, language)
    return f'<tr><th scope="row">{words} <code>{color}</code></th>{cells}</tr>\n'


def _swatch(color: str, sight: str) -> str:
    """Return ``color`` as seen with ``sight``, on light and on dark pages."""
    light, dark = (seen(theme.shown(color), sight) for theme in (LIGHT, DARK))
    return f'<i style="background: light-dark({light}, {dark})"></i>'


def _ramp(name: str, text: Text, language: Language) -> str:
    """Return the ramp for light and for dark pages."""
    both = zip(*(_stops(theme.ramp(name)) for theme in (LIGHT, DARK)), strict=True)
    stops = ", ".join(f"light-dark({light}, {dark})" for light, dark in both)
    bar = f'<i style="background: linear-gradient(to right, {stops})"></i>'
    return f"<dt>{texts.as_html(text, language)}</dt><dd>{bar}</dd>"


def _stops(name: str) -> list[str]:
    colors = ramp(name)[::15]  # 18 of 256, including both ends
    return ["#" + "".join(f"{round(255 * float(channel)):02X}" for channel in color) for color in colors]


def _kinds(language: Language) -> Iterator[str]:
    for kind in KINDS:
        name, why = texts.as_html(kind.name, language), texts.as_html(kind.why, language)
        yield f'<h3>{name}</h3>\n<p>{why}</p>\n<p class="shown">{kind_html(kind, language)}</p>\n'
