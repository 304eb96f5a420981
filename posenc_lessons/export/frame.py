"""Write the parts around a page's text: the head with search, the lists of lessons and sections, the foot."""

from __future__ import annotations

import html
from dataclasses import dataclass, field

from posenc_lessons.export import texts
from posenc_lessons.export.document import DIAL
from posenc_lessons.export.made_from import MadeFrom
from posenc_lessons.export.page_address import PageAddress, link_to_other_language
from posenc_lessons.language import NAMES, Language, Text

MODES = {"light": texts.LIGHT, "dark": texts.DARK, "projector": texts.PROJECTOR}


@dataclass(frozen=True)
class Link:
    """A link: its address on the page, its words as HTML, and whether it leads to the page itself."""

    address: str
    words: str
    here: bool = False


@dataclass(frozen=True)
class Group:
    """A part of the course that is folded in the list of lessons, such as the questions."""

    name: Text
    links: tuple[Link, ...]


@dataclass(frozen=True)
class Frame:
    """The parts around the text of a page.

    ``index``: the front page's address, or None. ``course``: lessons, groups and other places, for the list
    at the left. ``sections``: the page's sections, for the list at the right. ``before``, ``after``: the
    neighbouring pages. ``entries``: the address of search's script; "" if its entries are in the page, None
    for no search. ``root``: the relative address of this language's folder. ``made``: a sentence for the
    foot. ``style``: the address of the page about the pictures' style, or None.
    """

    index: str | None = None
    course: tuple[Link | Group, ...] = ()
    sections: tuple[Link, ...] = ()
    before: Link | None = None
    after: Link | None = None
    entries: str | None = None
    root: str = ""
    made: MadeFrom | None = None
    place: PageAddress | None = field(default=None)
    style: str | None = None


def framed(main: str, frame: Frame, language: Language, wide: bool = False) -> str:
    """Return the body of a page with ``main``. ``wide``: without lists at its sides."""
    course = "" if wide or not frame.course else _course(frame, language)
    sections = "" if wide or len(frame.sections) < 2 else _sections(frame, language)
    shape = "wide-page" if wide else "with-lists" if course or sections else "alone"
    languages = f"\n{switch()}" if language == "both" else ""
    return f"""<div id="top"></div>
<a class="skip" href="#main">{texts.as_html(texts.SKIP, language)}</a>
{_head(frame, language, bool(course), bool(sections))}{languages}
<div class="room {shape}">
{course}<main id="main">
{main}
{_way_on(frame, language)}</main>
{sections}</div>
{_foot(frame, language)}
<a class="to-top" href="#top" hidden>{texts.as_html(texts.TO_TOP, language)} ↑</a>"""


def switch() -> str:
    """Return the choice of languages on a page that has both."""
    choices = {**NAMES, "both": f"{NAMES['both']} · both"}
    buttons = "".join(
        f'<label><input type="radio" name="language" value="{value}"{" checked" if value == "both" else ""}> '
        f"{name}</label>"
        for value, name in choices.items()
    )
    label = f'aria-label="{texts.LANGUAGE.show("both")}"'
    return f'<section {label}><fieldset class="languages" {label}>{buttons}</fieldset></section>'


def _head(frame: Frame, language: Language, course: bool, sections: bool) -> str:
    name = texts.as_html(texts.COURSE, language)
    sign = DIAL.replace("<svg ", '<svg aria-hidden="true" width="28" height="28" ')
    brand = f"{sign}<span>{name}</span>"
    brand = (
        f'<a class="brand" href="{frame.index}">{brand}</a>'
        if frame.index
        else f'<span class="brand">{brand}</span>'
    )
    lists = _opener("course", texts.LESSONS, "☰", language) if course else ""
    lists += _opener("sections", texts.CONTENTS, "§", language) if sections else ""
    other = link_to_other_language(frame.place) if frame.place else ""
    offered = f"{_search(frame, language)}{_themes(language)}{other}"
    return f'<header class="top">{lists}{brand}{offered}</header>'


def _opener(list_: str, name: Text, sign: str, language: Language) -> str:
    """Return the button that opens a list if it has no room beside the text."""
    said = html.escape(name.show(language))
    return (
        f'<button class="opener" type="button" popovertarget="{list_}" aria-label="{said}" title="{said}">'
        f"{sign}</button>"
    )


def _search(frame: Frame, language: Language) -> str:
    if frame.entries is None:
        return ""
    source = f' data-entries="{html.escape(frame.entries)}"' if frame.entries else ""
    label = html.escape(texts.SEARCH.show(language))
    short = html.escape(texts.SEARCH_SHORT.show(language))
    return f"""<search class="search" data-root="{html.escape(frame.root)}"{source}>
<input type="search" id="search" role="combobox" aria-label="{label}" placeholder="{short}"
aria-expanded="false" aria-controls="found" aria-autocomplete="list" aria-keyshortcuts="/"
autocomplete="off" enterkeyhint="search">
<div class="found" hidden><p role="status" data-said="{html.escape(texts.FOUND.show(language))}"></p>
<div role="listbox" id="found" aria-label="{html.escape(texts.RESULTS.show(language))}"></div></div>
</search>"""


def _themes(language: Language) -> str:
    options = "".join(
        f'<option value="{mode}">{html.escape(name.show(language))}</option>' for mode, name in MODES.items()
    )
    name = html.escape(texts.THEME.show(language))
    return f'<select class="theme" aria-label="{name}" hidden>{options}</select>'


def _course(frame: Frame, language: Language) -> str:
    parts = []
    for each in frame.course:
        if isinstance(each, Link):
            parts.append(f"<li>{_link(each, 'page')}</li>")
            continue
        inside = "".join(f"<li>{_link(link, 'page')}</li>" for link in each.links)
        unfolded = " open" if any(link.here for link in each.links) else ""
        name = texts.as_html(each.name, language)
        parts.append(f"<li><details{unfolded}><summary>{name}</summary><ul>{inside}</ul></details></li>")
    label = html.escape(texts.LESSONS.show(language))
    return f'<nav class="course" id="course" popover aria-label="{label}"><ul>{"".join(parts)}</ul></nav>\n'


def _sections(frame: Frame, language: Language) -> str:
    inside = "".join(f"<li>{_link(link, 'location')}</li>" for link in frame.sections)
    name = texts.as_html(texts.CONTENTS, language)
    label = html.escape(texts.CONTENTS.show(language))
    return (
        f'<nav class="sections" id="sections" popover aria-label="{label}">'
        f"<p>{name}</p><ul>{inside}</ul></nav>\n"
    )


def _link(link: Link, current: str) -> str:
    here = f' aria-current="{current}"' if link.here else ""
    return f'<a href="{link.address}"{here}>{link.words}</a>'


def _way_on(frame: Frame, language: Language) -> str:
    found = []
    if frame.before:
        found.append(f'<a rel="prev" href="{frame.before.address}">← {frame.before.words}</a>')
    if frame.after:
        found.append(f'<a rel="next" href="{frame.after.address}">{frame.after.words} →</a>')
    if not found:
        return ""
    return (
        f'<nav class="way" aria-label="{html.escape(texts.WAY_ON.show(language))}">{"".join(found)}</nav>\n'
    )


def _foot(frame: Frame, language: Language) -> str:
    made = f"{texts.as_html(texts.MADE, language)} <code>posenc-lessons lab</code>"
    origin = f"<p>{frame.made.as_html(language)}</p>" if frame.made else ""
    look = f' <a href="{frame.style}">{texts.as_html(texts.STYLE, language)}</a>' if frame.style else ""
    return f"<footer><p>{made}</p><p>{texts.as_html(texts.LICENCE, language)}{look}</p>{origin}</footer>"
