"""JupyterLab's server keeps the reader's language and has a font."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.pages import TOKEN, Lab, jupyter_lab


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with jupyter_lab(tmp_path_factory.mktemp("empty")) as running:
        yield running


def ask(server: Lab, body: Any = None, token: str = TOKEN) -> tuple[int, Any]:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        f"{server.address}/posenc-lessons/choice", data, {"Authorization": f"token {token}"}
    )
    try:
        with urllib.request.urlopen(request) as answer:
            content = answer.read()
            return answer.status, json.loads(content) if content else None
    except urllib.error.HTTPError as error:
        error.close()
        return error.code, None


def test_the_server_keeps_the_language_only_with_the_token(server: Lab) -> None:
    assert ask(server, {"language": "zh", "chosen": False}) == (204, None)
    assert ask(server) == (200, {"language": None}), "no choice was made yet, a guess is none"
    assert ask(server, {"language": "en"}) == (204, None)
    assert ask(server) == (200, {"language": "en"})
    for wrong in ({"language": "fr"}, {}, ["en"], None):
        status, _ = ask(server, wrong) if wrong is not None else ask(server, token="wrong")
        assert status in (400, 403)
    assert ask(server) == (200, {"language": "en"})
