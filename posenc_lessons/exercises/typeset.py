"""How a message is set in HTML: its first sentence, its formulas and code, and what is wrong in a value."""

import html
import re

_LEAD = r"(?m).+?(?:[。！？：；]|[.!?:;](?=\s)|$)"
_CODE = r"""
    (?: [a-z][\w.]*\w | [A-Z][a-z]\w+ | \.\w+ ) \( (?:[^()√ᵀ·^]|\([^()]*\))* \) (?:\[\w+\])?
    | (?<!\w)\.[A-Za-z]\w*          # .shape
    | \b[a-z]\w*\[[^][]*\]           # x[order]
    | \[\w[\w./·−]*(?:,\ [\w./·−]+)*\]  # a shape: [B, h, L, d_head]
    | \b\w+=-?[\w.]*\w               # dim=-1
    | \b(?:torch|nn|itertools)(?:\.\w+)+
    | \b[a-z]\w*_\w{2,}\b | __\w+__  # max_len
"""
_LETTER, _BRACKETS = "A-Za-zθφΔ", r"\((?:[^()]|\([^()]*\))*\)"
_FORMULA = rf"""
    √(?P<root>[{_LETTER}]+(?:_\w)?)
    | (?<![a-z][a-z])(?P<base>[{_LETTER}])_(?P<below>[A-Za-z0-9](?!\w)|{_BRACKETS}|\{{[^{{}}]*\}})
    | \^(?P<above>\w+|{_BRACKETS})
"""
_CODE_OR_FORMULA = re.compile(f"(?P<code>{_CODE})|{_FORMULA}", re.VERBOSE | re.ASCII)


def in_two(message: str) -> tuple[str, str]:
    """Return the first sentence of ``message``, or what stands before its colon, and the rest: a hint."""
    first = re.match(_LEAD, message)
    lead, hint = message[: first.end() if first else 0], message[first.end() if first else 0 :].strip()
    if hint and lead[-1] in ":;：；":
        lead = lead[:-1] + ("。" if lead[-1] in "：；" else ".")
        if re.match(r"(?:a|[a-z]{2,}),? (?!\*)", hint):  # an English word, not a name such as dim=-1
            hint = hint[0].upper() + hint[1:]
    return lead, hint


def typeset(text: str) -> str:
    """Return ``text`` as HTML, with code such as dim=-1 in its own font and formulas such as √d_k set."""
    parts, at = [], 0
    for match in _CODE_OR_FORMULA.finditer(text):
        parts += [html.escape(text[at : match.start()]), _as_html(match)]
        at = match.end()
    return "".join([*parts, html.escape(text[at:])]).replace("\n", "<br>")


def _as_html(match: re.Match[str]) -> str:
    if code := match["code"]:
        return f"<code>{html.escape(code)}</code>"
    if root := match["root"]:
        base, _, below = root.partition("_")
        inside = f"<msub><mi>{base}</mi><mi>{below}</mi></msub>" if below else f"<mi>{base}</mi>"
        return f"<math><msqrt>{inside}</msqrt></math>"
    if above := match["above"]:
        return f"<sup>{_inside(above)}</sup>"
    return f"<i>{match['base']}</i><sub>{_inside(match['below'])}</sub>"


def _inside(raised: str) -> str:
    """Return what is raised or lowered, without the brackets that only hold it together."""
    return html.escape(raised[1:-1] if raised[0] in "({" else raised)


def marked(value: str, right: str) -> str:
    """Return ``value`` as HTML; what differs from ``right`` at the same place is marked."""
    words = re.compile(r"[^][(),\s]+")
    pairs = [*zip(words.findall(value), words.findall(right), strict=False)]
    wrong = [_number(one) != _number(other) for one, other in pairs]
    if len(words.findall(value)) != len(words.findall(right)):
        return html.escape(value)
    mark = '<mark style="background:#f6c7c3;color:#1f1f1f;border-radius:3px">{}</mark>'
    marks = iter(mark if bad else "{}" for bad in wrong)
    return words.sub(lambda word: next(marks).format(html.escape(word[0])), value)


def _number(word: str) -> float | str:
    try:
        return float(word)
    except ValueError:
        return word
