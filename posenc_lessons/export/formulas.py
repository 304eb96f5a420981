"""TeX as MathML, which a browser draws by itself: no script, no network, and screen readers read it."""

from __future__ import annotations

import html
import re

from latex2mathml.converter import convert

from posenc_lessons.language import BilingualValueError

# What latex2mathml does not know, in words that it knows.
_REWRITTEN = (
    (re.compile(r"\{aligned\}"), "{split}"),
    (re.compile(r"\\\\\[\d+pt\]"), r"\\\\"),
    (re.compile(r"\\arg\\(max|min)"), r"\\mathrm{arg\\,\1}"),
    (re.compile(r"\\[bB]igg?[lr]?(?=\\?[(\[\])|])"), ""),  # brackets do not grow unless they are told to
    (re.compile(r"\\boxed\{"), "{"),
    # A thin space after the name of a function, unless brackets or a base follow: cos α.
    (
        re.compile(r"\\(sin|cos|ln|log|exp)(?= *(?:[A-Za-z0-9]|\\(?!\\|[,;!]|cdot|big|Big|left|right)))"),
        r"\\\1\\,",
    ),
)
_ALIGNED = re.compile(r'columnalign="(left|right)"')
# A minus after a bracket, a comma or an equals sign belongs to the number: no space between.
_SIGN = re.compile(
    r"(<mo[^>]*>(?:[(\[,=|]|&#x000(?:28|5B|2C|3D|7C|1[0-9A-F]);)</mo>)<mo>(−|-|&#x02212;)</mo>"
)


def formula(tex: str, display: bool) -> str:
    """``tex`` as a MathML element, its source kept as ``alttext``. Raises ValueError when it is not TeX."""
    source = " ".join(tex.split())
    rewritten = source
    for pattern, instead in _REWRITTEN:
        rewritten = pattern.sub(instead, rewritten)
    try:
        element = convert(rewritten, display="block" if display else "inline")
    except Exception as error:  # latex2mathml has a dozen kinds of its own
        raise BilingualValueError(
            f"读不懂这个公式：{source}",
            f"this formula cannot be read: {source}",
        ) from error
    element = _ALIGNED.sub(r'style="text-align:\1"', element)  # browsers know the style, not the attribute
    element = _SIGN.sub(r'\1<mo form="prefix" lspace="0" rspace="0">\2</mo>', element)
    return element.replace("<math ", f'<math alttext="{html.escape(source)}" ', 1)
