"""Read and write links that restore an explorer: ``?explorer=rotation&m=5&lang=zh&mode=dark``.

A link names the explorer, the language, the mode unless it is light, and the controls whose values are not
the initial ones. No link is trusted: numbers stay within their sliders, choices within their menus, and text
is never HTML.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode

from posenc_lessons.explorers.base import Explorer
from posenc_lessons.figures.theme import LIGHT, THEMES
from posenc_lessons.language import LANGUAGES, Language, Text

LONGEST_LINK = 4000  # characters; some browsers and servers do not take much longer links


@dataclass(frozen=True)
class Request:
    """The content of a link; None, or empty, where the link does not say."""

    explorer: str | None = None
    language: Language | None = None
    mode: str | None = None  # a name in figures.theme.THEMES
    values: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[Text, ...] = ()


def read_link(query: str, explorers: Iterable[str]) -> Request:
    """Read the part of a link after its question mark; list what makes no sense in ``problems``."""
    if len(query) > LONGEST_LINK:
        too_long = Text(
            f"链接有 {len(query)} 个字符，最长 {LONGEST_LINK} 个，没有照做。",
            f"The link has {len(query)} characters and at most {LONGEST_LINK} are read; it was not followed.",
        )
        return Request(problems=(too_long,))
    try:
        fields = dict(parse_qsl(query, keep_blank_values=True, errors="strict", max_num_fields=50))
    except ValueError:  # more fields than any explorer has, or bytes that are not text
        return Request(problems=(_ignored("?", query),))
    explorer, language = fields.pop("explorer", None), fields.pop("lang", None)
    problems = []
    if explorer is not None and explorer not in set(explorers):
        problems.append(_ignored("explorer", explorer))
        explorer = None
    spoken: Language | None = next((offered for offered in LANGUAGES if offered == language), None)
    if language is not None and spoken is None:
        problems.append(_ignored("lang", language))
    mode = fields.pop("mode", None)
    if mode is not None and mode not in THEMES:
        problems.append(_ignored("mode", mode))
        mode = None
    return Request(explorer, spoken, mode, fields if explorer else {}, tuple(problems))


def write_link(explorer: Explorer, language: Language) -> str:
    """Return the part of a link after its question mark that restores ``explorer`` in its present state."""
    return link_and_omitted(explorer, language)[0]


def made_with(explorer: Explorer) -> dict[str, Any]:
    """Return the arguments of ``explorer`` that are not the defaults; these and a link restore it."""
    plain = type(explorer)()
    usual = plain.initial
    plain.close()
    return {name: value for name, value in explorer.initial.items() if value != usual[name]}


def link_and_omitted(explorer: Explorer, language: Language) -> tuple[str, tuple[str, ...]]:
    """Return ``write_link``'s result, and the names of controls whose text is too long for a link."""
    fields = {"explorer": explorer.name, "lang": language}
    if explorer.theme != LIGHT:
        fields["mode"] = explorer.theme.name
    initial = explorer.initial
    for name, value in explorer.parameters().items():
        if value != initial[name]:
            fields[name] = explorer.controls[name].as_text(value)
    rest = []
    while sum(map(len, fields.values())) > LONGEST_LINK or len(urlencode(fields)) > LONGEST_LINK:
        rest.append(max(fields, key=lambda name: len(fields[name])))
        del fields[rest[-1]]
    return urlencode(fields), tuple(rest)


def follow(explorer: Explorer, values: Mapping[str, str]) -> tuple[Text, ...]:
    """Set the controls of ``explorer`` as a link says; return what could not be followed."""
    settings: dict[str, Any] = {}
    problems = []
    for name, text in values.items():
        try:
            settings[name] = explorer.controls[name].from_text(text)
        except (KeyError, ValueError):
            problems.append(_ignored(name, text))
    # A control that the link leaves out gets its initial value, because setting others may have moved it.
    explorer.restore({**explorer.initial, **settings})
    return tuple(problems)


def _ignored(name: str, text: str) -> Text:
    name, text = (word if len(word) <= 60 else word[:60] + "…" for word in (name, text))
    return Text(
        "链接里的 {name}={text} 用不了，没有照做。", "The link's {name}={text} makes no sense here; left out."
    ).format(name=name, text=text)
