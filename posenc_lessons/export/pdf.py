"""Print the book with a Chromium that is installed; nothing is downloaded."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from posenc_lessons.export import book
from posenc_lessons.language import BilingualError, Language

COMMANDS = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
    *("microsoft-edge", "microsoft-edge-stable", "msedge", "brave-browser"),
)
PATHS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "%ProgramFiles%/Google/Chrome/Application/chrome.exe",
    "%ProgramFiles(x86)%/Google/Chrome/Application/chrome.exe",
    "%LocalAppData%/Google/Chrome/Application/chrome.exe",
    "%ProgramFiles(x86)%/Microsoft/Edge/Application/msedge.exe",
    "%ProgramFiles%/Microsoft/Edge/Application/msedge.exe",
)
QUIET = (
    *("--headless", "--disable-gpu", "--no-first-run", "--no-default-browser-check", "--disable-extensions"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
SECONDS = 600


class NoBrowser(BilingualError):
    """The error for a Chromium that was not found or did not print."""


def book_pdf(notebooks: Mapping[str, Any], language: Language) -> dict[str, bytes]:
    """Return one PDF of all notebooks; ``language`` is zh or en. Raises NoBrowser."""
    return {f"posenc_lessons.{language}.pdf": print_page(book.book_html(notebooks, language))}


def find_browser() -> str:
    """Return the path of a Chromium, Chrome or Edge; ``POSENC_CHROMIUM`` names one. Raises NoBrowser."""
    named = os.environ.get("POSENC_CHROMIUM")
    if named:
        if Path(named).is_file():
            return named
        raise NoBrowser(f"POSENC_CHROMIUM 指的文件不存在：{named}", f"POSENC_CHROMIUM names no file: {named}")
    on_path = (shutil.which(command) for command in COMMANDS)
    usual = (os.path.expandvars(place) for place in PATHS)
    path = next((path for path in [*on_path, *usual] if path and Path(path).is_file()), None)
    if path is None:
        raise NoBrowser(
            "生成 PDF 需要 Chromium、Chrome 或 Edge，这里没有找到。请安装一个，或用 POSENC_CHROMIUM 指明它在"
            "哪里；也可以先用 --to site 导出，再从浏览器里打印。",
            "making a PDF takes Chromium, Chrome or Edge, and none was found. Install one, or name it in"
            " POSENC_CHROMIUM; or export with --to site and print from your browser.",
        )
    return path


def print_page(markup: str) -> bytes:
    """Return the PDF of an HTML page that needs no other file, with bookmarks. Raises NoBrowser."""
    program = find_browser()
    with tempfile.TemporaryDirectory(prefix="posenc-print-", ignore_cleanup_errors=True) as home:
        page, printed = Path(home, "page.html"), Path(home, "page.pdf")
        page.write_text(markup, encoding="utf-8")
        command = [program, *QUIET, f"--user-data-dir={Path(home, 'profile')}"]
        command += ["--no-pdf-header-footer", "--generate-pdf-document-outline"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command.append("--no-sandbox")  # as root, in a container, it does not start with one
        command += [f"--print-to-pdf={printed}", page.as_uri()]
        try:
            ran = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise _failed(program, str(error)) from error
        if not printed.is_file():
            raise _failed(program, ran.stderr.decode(errors="replace").strip()[-400:])
        return printed.read_bytes()


def _failed(program: str, why: str) -> NoBrowser:
    return NoBrowser(f"{program} 没有生成 PDF：{why}", f"{program} made no PDF: {why}")
