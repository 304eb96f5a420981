"""Serve the reader's language, the lessons' titles and the course's fonts from JupyterLab's server.

The extension in ``jupyter/extension`` asks for them before any kernel runs: ``posenc-lessons/choice``,
``posenc-lessons/titles``, and ``posenc-lessons/font.js`` on a machine without a Chinese font.
"""

import json
from functools import cache
from typing import Any

from jupyter_server.base.handlers import APIHandler, AuthenticatedFileHandler
from jupyter_server.utils import url_path_join
from tornado import web

from posenc_lessons import choices, progress
from posenc_lessons.course.lessons import PACKAGE, lesson_files, shipped_lessons
from posenc_lessons.language import LANGUAGES

SCRIPTS = PACKAGE / "explorers" / "panel"  # font.js and the modules that it imports
FONTS = {  # folder: names of its fonts
    PACKAGE / "figures" / "fonts": "PosencSansSC-Regular[.]woff2",
    PACKAGE / "export" / "fonts": r"[\w-]+[.]woff2",
}


class ChoiceHandler(APIHandler):
    """GET ``{"language": …, "solved": […]}``: the choice, null before the first, and solved exercises.

    POST a language to change it. With ``"chosen": false`` it is a page's guess, which is not saved; kernels
    that start later speak it.
    """

    @web.authenticated
    def get(self) -> None:
        remembered, _ = choices.remembered()
        solved = sorted(progress.so_far()[0].solved)
        self.finish(json.dumps({"language": remembered.language, "solved": solved}))

    @web.authenticated
    def post(self) -> None:
        body = self.get_json_body()
        body = body if isinstance(body, dict) else {}
        language = body.get("language")
        if language not in LANGUAGES:
            raise web.HTTPError(400, f"language must be one of {', '.join(LANGUAGES)}, got {language!r}")
        if body.get("chosen") is False:
            choices.guess(language)
        elif (problem := choices.remember(language=language)) is not None:
            raise web.HTTPError(500, problem.show("en"))
        self.set_status(204)
        self.finish()


@cache
def titles() -> dict[str, str]:
    """Return the title of each notebook of the course, ``05 中文 · English``, by its path.

    Raises LessonsMissing as ``shipped_lessons`` does.
    """
    folder = shipped_lessons()
    books = {path.as_posix(): json.loads((folder / path).read_bytes()) for path in lesson_files(folder)}
    sources = {path: "".join(book["cells"][0]["source"]) for path, book in books.items()}
    return {path: source.splitlines()[0].removeprefix("# ") for path, source in sources.items()}


class TitlesHandler(APIHandler):
    """GET the titles."""

    @web.authenticated
    def get(self) -> None:
        self.finish(json.dumps(titles()))


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    base = url_path_join(server.web_app.settings["base_url"], "posenc-lessons")
    server.web_app.add_handlers(
        ".*$",
        [
            (f"{base}/choice", ChoiceHandler),
            (f"{base}/titles", TitlesHandler),
            (rf"{base}/(\w+[.]js)", AuthenticatedFileHandler, {"path": str(SCRIPTS)}),
            *(
                (f"{base}/({name})", AuthenticatedFileHandler, {"path": str(folder)})
                for folder, name in FONTS.items()
            ),
        ],
    )
