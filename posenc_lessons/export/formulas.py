"""Turn TeX into MathML, which browsers draw without a script or the network and screen readers can read.

latex2mathml converts; a few commands are rewritten for it, and spaces and bars are then set as TeX sets them.
In MathML Core ``‖`` and ``|`` are stretchy operators with room on both sides unless they are marked as
brackets, and there are no functions, so the space that TeX puts before ``sin`` after a factor must be added.
"""

import html
import re
import xml.etree.ElementTree as ElementTree
from functools import lru_cache

from latex2mathml.converter import convert

from posenc_lessons.language import BilingualValueError

FORMULAS = 8192  # how many are cached; both languages and the search have the same ones

# TeX that latex2mathml does not know, and TeX that it knows instead.
_REWRITTEN = (
    (re.compile(r"\{aligned\}"), "{split}"),
    (re.compile(r"\\\\\[\d+pt\]"), r"\\\\"),
    (re.compile(r"\\arg\\(max|min)"), r"\\mathrm{arg\\,\1}"),
    (re.compile(r"\\[bB]igg?[lr]?(?=\\?[(\[\])|]|\\[lr]floor)"), ""),  # all brackets have the ordinary size
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

MATHML = "http://www.w3.org/1998/Math/MathML"
PRIMES = ("′", "″")
BARS = {"\u2016", "\u2225", "|"}
FUNCTIONS = {"sin", "cos", "tan", "tanh", "ln", "log", "exp", "arg", "max", "min", "sup", "inf"}
THIN = "0.167em"
_ROWS = {"math", "mrow", "mstyle", "mtd", "msqrt"}  # elements with children side by side
_SCRIPTS = {"msub", "msup", "msubsup"}  # elements with a base, the first child, and scripts
_FACTORS = {"mi", "mn", "mfrac", "msqrt", "mroot", "mrow", "mstyle", *_SCRIPTS}
_CLOSING = {")", "]", "}", *BARS}

ElementTree.register_namespace("", MATHML)


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
    # Browsers know the style, not the attribute; Chromium aligns a cell only by its own name for it.
    element = _ALIGNED.sub(r'style="text-align:\1;text-align:-webkit-\1"', element)
    element = _WORDS.sub(lambda words: words[0].replace(r"\_", "_"), element)
    element = _SIGN.sub(r'\1<mo form="prefix" lspace="0" rspace="0">\2</mo>', element)
    return _spaced(element).replace("<math ", f'<math alttext="{html.escape(source)}" ', 1)


def _spaced(markup: str) -> str:
    """Return the MathML ``markup`` with bars as brackets, space before functions, none before semicolons."""
    root = ElementTree.fromstring(markup)
    for element in [*root.iter()]:
        _lower_prime(element)
        if element.text == "∞":
            element.tag = f"{{{MATHML}}}mi"  # a number, without an operator's room beside it
        if _name(element) == "mi" and element.text == ";":
            element.tag = f"{{{MATHML}}}mo"
            element.set("separator", "true")
            element.set("lspace", "0")
        if _name(element) in _ROWS:
            _pair_bars(element)
            _space_functions(element)
    return ElementTree.tostring(root, encoding="unicode")


def _lower_prime(element: ElementTree.Element) -> None:
    """Let a prime stand beside its letter: fonts draw it raised, and in a superscript it is raised twice."""
    if _name(element) not in ("msup", "msubsup") or element[-1].text not in PRIMES:
        return
    letter = ElementTree.Element(f"{{{MATHML}}}mrow")
    prime = ElementTree.SubElement(letter, f"{{{MATHML}}}mo", lspace="0", rspace="0")
    prime.text = element[-1].text
    letter.insert(0, element[0])
    element[:] = [letter, *element[1:-1]]
    element.tag = f"{{{MATHML}}}{'mrow' if len(element) == 1 else 'msub'}"


def _pair_bars(row: ElementTree.Element) -> None:
    """Make the bars of a row opening and closing brackets in turn; a bar without a partner stays."""
    cores = map(_core, row)
    bars = [core for core in cores if _name(core) == "mo" and core.text in BARS and core.get("form") is None]
    if len(bars) % 2:
        return
    for number, bar in enumerate(bars):
        bar.attrib.update(stretchy="false", fence="true", lspace="0", rspace="0")
        bar.set("form", "postfix" if number % 2 else "prefix")


def _space_functions(row: ElementTree.Element) -> None:
    children = list(row)
    for number in range(len(children) - 1, 0, -1):
        if _core(children[number]).text in FUNCTIONS and _is_factor(children[number - 1]):
            row.insert(number, ElementTree.Element(f"{{{MATHML}}}mspace", width=THIN))


def _is_factor(element: ElementTree.Element) -> bool:
    core = _core(element)
    if _name(core) == "mo":
        return core.text in _CLOSING and core.get("form") != "prefix"
    return _name(element) in _FACTORS and core.text not in FUNCTIONS


def _core(element: ElementTree.Element) -> ElementTree.Element:
    """Return ``element`` without its scripts."""
    return element[0] if _name(element) in _SCRIPTS and len(element) else element


def _name(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]
