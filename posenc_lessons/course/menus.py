"""JupyterLab's own menus in the reader's language, while ``posenc-lessons lab`` runs it.

A reader who has set no language in JupyterLab gets the server's default one. This module, an extension of
the server that only our own settings switch on (``jupyter/jupyter_server_config.d``), makes it the lessons'
language before each page is sent. The reader's settings do not change.
"""

from typing import Any

from jupyterlab_server import settings_utils, translations_handler
from jupyterlab_server.translation_utils import SYS_LOCALE

from posenc_lessons import choices

_LOCALES = {"zh": "zh_CN", "en": "en"}


def _speak(page: Any, page_config: dict[str, Any]) -> dict[str, Any]:
    """Set the default locale to the reader's choice, else to the browser's first language if we have it."""
    browser = page.request.headers.get("Accept-Language", "")[:2]
    chosen = choices.remembered()[0].language or browser
    locale = _LOCALES.get(browser if chosen == "both" else chosen, SYS_LOCALE)
    for module in (settings_utils, translations_handler):  # for labels made by the server, and by the page
        vars(module)["SYS_LOCALE"] = locale
    return page_config


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    server.web_app.settings["page_config_hook"] = _speak
