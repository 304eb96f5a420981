"""Turn Markdown of a lesson into HTML, with formulas as MathML and links to other lessons' pages.

Browsers draw MathML without a script or the network, and screen readers can read it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from latex2mathml.converter import convert
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from posenc_lessons.export.math_spacing import spaced
from posenc_lessons.export.two_sides import DOT, heading_sides
from posenc_lessons.language import BilingualValueError, Language, Text

# Browsers may break a line between a formula and a following punctuation mark, which must not begin a line.
_BEFORE_A_MARK = re.compile(
    r"(<math (?:(?!</?math).)*</math>|<code>[^<]{0,24}</code>)([，。、；：？！）”’》,.;:?!)]+)", re.DOTALL
)

# TeX that latex2mathml does not know, and TeX that it knows instead.
_REWRITTEN = (
    (re.compile(r"\{aligned\}"), "{split}"),
    (re.compile(r"\\\\\[\d+pt\]"), r"\\\\"),
    (re.compile(r"\\arg\\(max|min)"), r"\\mathrm{arg\\,\1}"),
    (re.compile(r"\\[bB]igg?[lr]?(?=\\?[(\[\])|])"), ""),  # all brackets have the ordinary size
    (re.compile(r"\\boxed\{"), "{"),
    (re.compile(r"\\[,;!:] *(?=;)"), ""),  # no space before a semicolon
    # A thin space after the name of a function, unless brackets or a base follow: cos α.
    (
        re.compile(r"\\(sin|cos|ln|log|exp)(?= *(?:[A-Za-z0-9]|\\(?!\\|[,;!]|cdot|big|Big|left|right)))"),
        r"\\\1\\,",
    ),
)
_WORDS = re.compile(r"<mtext>[^<]*</mtext>")  # latex2mathml keeps the backslash of max\_len in them
_ALIGNED = re.compile(r'columnalign="(left|right)"')
# A minus after a bracket, a comma or an equals sign is a sign of the next number: no space between.
_SIGN = re.compile(
    r"(<mo[^>]*>(?:[(\[,=|]|&#x000(?:28|5B|2C|3D|7C|1[0-9A-F]);)</mo>)<mo>(−|-|&#x02212;)</mo>"
)

FORMULAS = 8192  # how many are cached; both languages and the search have the same ones
LinkTo = Callable[[str], "str | None"]  # a notebook's link → its address on these pages, or None


def render(source: str, language: Language, link_to: LinkTo = lambda address: None) -> str:
    """Return ``source`` (Markdown, formulas in dollars) as HTML; without ``link_to`` links are plain words.

    Raises ValueError for a formula that cannot be read.
    """
    made = str(MarkdownWithMath(renderer=_Renderer(language, link_to)).render(source))
    return _BEFORE_A_MARK.sub(r'<span class="together">\1\2</span>', made)


def inline(source: str, language: Language, link_to: LinkTo = lambda address: None) -> str:
    """Return one line of Markdown, such as a heading's words, as inline HTML."""
    return re.sub(r"</?p>", "", render(source, language, link_to)).strip()


def plain(markup: str) -> str:
    """Return the words of ``markup``, with formulas as TeX."""
    markup = re.sub(r'<math alttext="([^"]*)".*?</math>', r"\1", markup, flags=re.DOTALL)
    markup = re.sub(r"</?(?:a|code|em|span|strong)\b[^>]*>", "", markup)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


def sides(words: str, language: Language) -> str:
    """Return the HTML of ``中文 · English``; for both languages the page can hide each side."""
    number, zh, en = heading_sides(words)
    if language != "both" or not zh or not en:
        return words
    marked = side_by_side(Text(zh, en))
    return f"{number}{DOT}{marked}" if number else marked


def side_by_side(markup: Text) -> str:
    """Return both languages' HTML with a dot between them, each in a span that the page can hide."""
    zh, en = markup.zh, markup.en
    return f'<span lang="zh-Hans">{zh}</span><span class="dot">{DOT}</span><span lang="en">{en}</span>'


class _Renderer(IPythonRenderer):
    def __init__(self, language: Language, link_to: LinkTo) -> None:
        super().__init__(escape=False, exclude_anchor_links=True)
        self._language: Language = language
        self._link_to = link_to

    def inline_math(self, body: str) -> str:
        return formula(body, display=False)

    def block_math(self, body: str) -> str:
        return f'<div class="formula">{formula(body, display=True)}</div>'

    def heading(self, text: str, level: int, **attrs: Any) -> str:
        return f"<h{level}>{sides(text, self._language)}</h{level}>\n"

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


@lru_cache(FORMULAS)
def formula(tex: str, display: bool) -> str:
    """Return ``tex`` as MathML, with its source as ``alttext``. Raises ValueError if it is not TeX."""
    source = " ".join(tex.split())
    rewritten = source
    for pattern, instead in _REWRITTEN:
        rewritten = pattern.sub(instead, rewritten)
    try:
        element = convert(rewritten, display="block" if display else "inline")
    except Exception as error:  # latex2mathml raises a dozen kinds
        raise BilingualValueError(
            f"读不懂这个公式：{source}", f"this formula cannot be read: {source}"
        ) from error
    element = _ALIGNED.sub(r'style="text-align:\1"', element)  # browsers know the style, not the attribute
    element = _WORDS.sub(lambda words: words[0].replace(r"\_", "_"), element)
    element = _SIGN.sub(r'\1<mo form="prefix" lspace="0" rspace="0">\2</mo>', element)
    return spaced(element).replace("<math ", f'<math alttext="{html.escape(source)}" ', 1)
