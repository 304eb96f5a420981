"""Write a whole HTML document by a template of ``templates/``: pages, slides, the book."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from posenc_lessons.export import assets, texts
from posenc_lessons.export.page_address import TAGS
from posenc_lessons.language import Language, Text


def document(
    template: str,
    title: str,
    language: Language,
    *,
    about: str = "",
    links: str = "",
    live: str | None = None,
    shared: str | None = None,
    styles: tuple[str, ...] = (),
    scripts: tuple[str, ...] = (),
    themes: bool = True,
    **parts: Any,
) -> str:
    """Return the document that ``template`` makes of its ``parts``.

    Args:
        title: as text. about: the description that search engines may show.
        links: HTML for search engines. live: the address of the script that runs cells and explorers.
        shared: the relative address of the site's root; None for a document by itself, a deck or the book,
            which has everything in it: these ``styles`` (names in ``page/``) and ``scripts``.
        themes: whether the page follows the reader's choice of light, dark or projector.
    """
    first = assets.read("theme_first.js") if themes else ""
    last = "\n" + "".join(scripts) if scripts else ""
    inline = [text for text in (first, last) if text]
    written = (
        templates()
        .get_template(template)
        .render(
            **words_in(language),
            title=title,
            language=language,
            tag=TAGS[language],
            about=about,
            links=Markup(links),
            icon=assets.ICON,
            sign=Markup(assets.SIGN),
            live=live,
            shared=shared,
            style_file=assets.STYLE,
            script_file=assets.SCRIPT,
            policy=Markup(assets.policy(inline, shared is not None, live is not None)),
            first=Markup(first),
            last=Markup(last),
            style=Markup(assets.styles(styles)) if shared is None else "",
            **parts,
        )
    )
    if shared is not None:
        return written
    words = written.replace(last, "")  # a script draws nothing
    return written.replace("/*fonts*/", assets.font_faces(words), 1)


@cache
def templates() -> Environment:
    """Return Jinja's environment for the templates; what they are given is escaped unless it is Markup."""
    loader = FileSystemLoader(assets.TEMPLATES)
    return Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)


@cache
def words_in(language: Language) -> Mapping[str, Any]:
    """Return the words of ``texts`` for templates: as HTML in ``words``, as plain text in ``plain``."""
    named = {name: text for name, text in vars(texts).items() if isinstance(text, Text)}
    return {
        "words": {name: Markup(texts.as_html(text, language)) for name, text in named.items()},
        "plain": {name: text.show(language) for name, text in named.items()},
    }


def as_json(value: object) -> str:
    """Return ``value`` as JSON for a script element, which no text in it can end."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
