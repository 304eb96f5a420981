"""The page above a site's two languages: it opens the one that the browser speaks, and offers both."""

from __future__ import annotations

import html
from collections.abc import Mapping

from posenc_lessons.export import pages, texts
from posenc_lessons.export.page_address import INDEX, TAGS, absolute, alternate
from posenc_lessons.language import NAMES, Language

STYLE = """:root { color-scheme: light dark; }
body { margin: 18vh auto 0; max-width: 40rem; padding: 1rem; text-align: center; font: 18px/1.7 sans-serif; }
a { display: inline-block; margin: .5rem; padding: .4rem 1.6rem; border: 1px solid; border-radius: 6px; }"""


def language_page(folders: Mapping[Language, str], address: str | None) -> str:
    """HTML; a reader without scripts chooses. ``address``: of the site, None where nobody knows it."""
    to = {one: f"{folder}{INDEX}" for one, folder in folders.items()}
    script = f'location.replace(navigator.language.startsWith("zh") ? "{to["zh"]}" : "{to["en"]}");'
    choices = "\n".join(
        f'<a href="{to[one]}" lang="{TAGS[one]}" hreflang="{TAGS[one]}">{NAMES[one]}</a>' for one in to
    )
    title = texts.COURSE.show("both")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{pages.policy(script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<meta name="description" content="{html.escape(texts.ABOUT.show("both"))}">
{_addresses(to, address)}<link rel="icon" href="data:,">
<style>
{STYLE}
</style>
</head>
<body>
<main>
<h1><span lang="zh-Hans">{texts.COURSE.zh}</span><br>{texts.COURSE.en}</h1>
{choices}
</main>
<script>{script}</script>
</body>
</html>
"""


def _addresses(to: Mapping[Language, str], address: str | None) -> str:
    """Which page a search engine should show to whom."""
    if address is None:
        return ""
    known = {"x-default": INDEX, **{TAGS[one]: file for one, file in to.items()}}
    return "".join(f"{alternate(tag, absolute(file, address))}\n" for tag, file in known.items())
