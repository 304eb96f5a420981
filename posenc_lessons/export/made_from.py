"""Say which version of the course a site is made from; it depends only on the sources."""

from __future__ import annotations

import html
import re
import subprocess
from functools import cache

from posenc_lessons import __version__
from posenc_lessons.course.lessons import PACKAGE, in_checkout
from posenc_lessons.export import texts
from posenc_lessons.language import Language


def made_from(language: Language) -> str:
    """Return the version as HTML; in a clone also the commit, its date and the repository's address."""
    parts = [texts.as_html(texts.VERSION.format(version=__version__), language)]
    if last := _git("log", "-1", "--format=%cd %h", "--date=format:%Y-%m-%d", "--abbrev=9"):
        date, commit = last.split()
        parts.append(f"<time>{date}</time> (<code>{commit}</code>)")
    if source := web_address(_git("remote", "get-url", "origin")):
        parts.append(f'<a href="{html.escape(source)}">{texts.as_html(texts.SOURCE, language)}</a>')
    return " · ".join(parts)


def web_address(remote: str) -> str | None:
    """Return the web address of the repository ``remote`` of git; None for a folder or no remote."""
    remote = re.sub(r"^(?:ssh://)?git@([\w.-]+)[:/]", r"https://\1/", remote)
    remote = re.sub(r"^(https?://)[^/@]*@", r"\1", remote).removesuffix(".git")  # without a login
    return remote if remote.startswith(("https://", "http://")) else None


@cache
def _git(*words: str) -> str:
    """Return what git says of this clone; "" outside of one, without git, or if git fails."""
    if not in_checkout():
        return ""
    try:
        ran = subprocess.run(["git", *words], cwd=PACKAGE.parent, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return ran.stdout.strip() if ran.returncode == 0 else ""
