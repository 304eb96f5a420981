"""Turn Markdown of a lesson into HTML, with formulas as MathML and links to other lessons' pages."""

import html
import re
from collections.abc import Callable
from typing import Any

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from posenc_lessons.export.formulas import formula

# Browsers may break a line between a formula and the punctuation beside it, which must not be torn off.
_WITH_MARKS = re.compile(
    r"([（“‘《(]*)(<math (?:(?!</?math).)*</math>|<code>[^<]{0,24}</code>)([，。、；：？！）”’》,.;:?!)]*)",
    re.DOTALL,
)

# Gaps where a line must not end: in a difference or product, beside an equals sign, before a unit.
_UNITS = "min|minutes?|hours?|tokens?|steps?|positions?|radians?|features?|layers?|heads?|times"
_CLOSE_GAP = re.compile(
    r"<(pre|code|math)\b.*?</\1>|<[^>]*>"  # not in here
    r"|(?<=[\w)°]) (?=[−×] |= [−\d])|(?<=[−×=]) (?=[\w(−])|(?:(?<=[第式])|(?<=ion)) (?=\(?\d)"
    rf"|(?<=\d) (?=[\u4e00-\u9fff]|(?:{_UNITS})\b)",
    re.DOTALL,
)
# A quotation mark, or what holds none.
_QUOTE = re.compile(r"<(pre|code|math)\b.*?</\1>|<[^>]*>|&quot;|&#x27;|&#39;|[\"']", re.DOTALL)
_OPENS = re.compile(r"(?:^|[\s(\[/—]|<[a-z][^>]*>)$")  # what is before a quotation
_AFTER_BOLD = re.compile(r"(?<=[，。：；？！]</strong>) (?=[\u3400-\u9fff])")  # a space for Markdown only
_NUMBER = re.compile(r"\\q?quad\s*\\text\{(\(\d+\))\}\s*$")  # of an equation, at its end
# Where a formula may be broken, outside of what these signs open and close: at a wide gap, before a relation.
_BREAKS = re.compile(
    r"(?P<open>\\(?:begin|left)\b|[{(\[])|(?P<close>\\(?:end|right)\b|[})\]])"
    r"|(?P<gap>\\q?quad\b)|=|\\(?:approx|Longrightarrow)\b"
)

LinkTo = Callable[[str], "str | None"]  # a notebook's link → its address on these pages, or None


def render(source: str, link_to: LinkTo = lambda address: None) -> str:
    """Return ``source`` (Markdown, formulas in dollars) as HTML; without ``link_to`` links are plain words.

    Raises ValueError for a formula that cannot be read.
    """
    markup = str(MarkdownWithMath(renderer=_Renderer(link_to)).render(source))
    markup = _AFTER_BOLD.sub("", quoted(markup))
    return unbroken(_WITH_MARKS.sub(_together, markup))


def quoted(markup: str) -> str:
    """Return ``markup`` with curly quotation marks and apostrophes; code and formulas stay."""

    def mark(found: re.Match[str]) -> str:
        if found[0].startswith("<"):
            return found[0]
        opens = _OPENS.search(markup, max(0, found.start() - 200), found.start()) is not None
        return ("“" if opens else "”") if found[0] in ('"', "&quot;") else ("‘" if opens else "’")

    return _QUOTE.sub(mark, markup)


def _in_pieces(tex: str) -> str:
    """Return a displayed formula as MathML in parts and pieces, between which a narrow page breaks it."""
    depth = 0

    def cut(sign: re.Match[str]) -> str:
        nonlocal depth
        depth += bool(sign["open"]) - bool(sign["close"])
        if depth or sign["open"] or sign["close"]:
            return sign[0]
        return "\f" if sign["gap"] else f"\0{sign[0]}"

    parts = [part.split("\0") for part in _BREAKS.sub(cut, tex).split("\f") if part.strip()]
    written = ["".join(formula(piece, display=True) for piece in part if piece.strip()) for part in parts]
    return " ".join(f"<span>{part}</span>" for part in written) if len(written) > 1 else written[0]


def _together(found: re.Match[str]) -> str:
    marked = found[1] or found[3]
    return f'<span class="together">{found[0]}</span>' if marked else found[0]


def unbroken(markup: str) -> str:
    """Return ``markup`` with no-break spaces in short formulas, and between numbers and units."""
    return _CLOSE_GAP.sub(lambda part: "\u00a0" if part[0] == " " else part[0], markup)


def plain(markup: str) -> str:
    """Return the words of ``markup``, with formulas as TeX."""
    markup = re.sub(r'<math alttext="([^"]*)".*?</math>', r"\1", markup, flags=re.DOTALL)
    markup = re.sub(r"</?(?:a|code|em|span|strong)\b[^>]*>", "", markup)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


class _Renderer(IPythonRenderer):
    def __init__(self, link_to: LinkTo) -> None:
        super().__init__(escape=False, exclude_anchor_links=True)
        self._link_to = link_to

    def inline_math(self, body: str) -> str:
        return formula(body, display=False)

    def block_math(self, body: str) -> str:
        """Return a formula on its own line, its number at the right; a boxed one is a key result."""
        number = _NUMBER.search(body)
        bare = body[: number.start()] if number else body
        boxed = re.fullmatch(r"\s*\\boxed\{(.*)\}\s*", bare, re.DOTALL)
        written = (
            f'<span class="{"key" if boxed else "plain"}">{_in_pieces(boxed[1] if boxed else bare)}</span>'
        )
        return f'<div class="formula">{written}{f"<span>{number[1]}</span>" if number else ""}</div>'

    def heading(self, text: str, level: int, **attrs: Any) -> str:
        return f"<h{level}>{text}</h{level}>\n"

    def paragraph(self, text: str) -> str:
        # A display formula is a paragraph for the parser, but a div must not be inside of a p.
        if text.startswith('<div class="formula">') and text.endswith("</div>") and text.count("<div") == 1:
            return f"{text}\n"
        return str(super().paragraph(text)) if '<div class="formula">' not in text else f"<div>{text}</div>\n"

    def table(self, text: str) -> str:
        return f'<div class="wide" tabindex="0"><table>\n{text}</table></div>\n'

    def link(self, text: str, url: str, title: str | None = None) -> str:
        target = self._link_to(url)
        if target is None:
            return text
        return f'<a href="{html.escape(target)}">{text}</a>'

    def block_html(self, html: str) -> str:
        # Browsers choose Chinese fonts by zh-Hans.
        return str(super().block_html(re.sub(r'lang="zh"', 'lang="zh-Hans"', html)))
