"""Set spaces and bars of formulas as TeX does, if latex2mathml and browsers would set them differently.

In MathML Core, ``‖`` and ``|`` are stretchy operators with room on both sides unless they are marked as
brackets. It also has no functions, so the space that TeX puts before ``sin`` after a factor must be added.
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

MATHML = "http://www.w3.org/1998/Math/MathML"
BARS = {"\u2016", "\u2225", "|"}
FUNCTIONS = {"sin", "cos", "tan", "tanh", "ln", "log", "exp", "arg", "max", "min", "sup", "inf"}
THIN = "0.167em"
_ROWS = {"math", "mrow", "mstyle", "mtd", "msqrt"}  # elements with children side by side
_SCRIPTS = {"msub", "msup", "msubsup"}  # elements with a base, the first child, and scripts
_FACTORS = {"mi", "mn", "mfrac", "msqrt", "mroot", "mrow", "mstyle", *_SCRIPTS}
_CLOSING = {")", "]", "}", *BARS}

ElementTree.register_namespace("", MATHML)


def spaced(markup: str) -> str:
    """Return the MathML ``markup`` with bars as brackets, space before functions, none before semicolons."""
    root = ElementTree.fromstring(markup)
    for element in root.iter():
        if _name(element) == "mi" and element.text == ";":
            element.tag = f"{{{MATHML}}}mo"
            element.set("separator", "true")
            element.set("lspace", "0")
        if _name(element) in _ROWS:
            _pair_bars(element)
            _space_functions(element)
    return ElementTree.tostring(root, encoding="unicode")


def _pair_bars(row: ElementTree.Element) -> None:
    """Make the bars of a row opening and closing brackets in turn; a bar without a partner stays."""
    bars = [core for core in map(_core, row) if _is_bar(core)]
    if len(bars) % 2:
        return
    for number, bar in enumerate(bars):
        bar.attrib.update(stretchy="false", fence="true", lspace="0", rspace="0")
        bar.set("form", "postfix" if number % 2 else "prefix")


def _is_bar(core: ElementTree.Element) -> bool:
    return _name(core) == "mo" and core.text in BARS and core.get("form") is None


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
