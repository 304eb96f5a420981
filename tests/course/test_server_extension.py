"""JupyterLab's server keeps the reader's language, has fonts, and speaks that language in its menus."""

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


def load(server: Lab, path: str, accepted: str = "en", token: str = TOKEN, data: bytes | None = None) -> Any:
    headers = {"Authorization": f"token {token}", "Accept-Language": accepted}
    return urllib.request.urlopen(urllib.request.Request(f"{server.address}/{path}", data, headers))


def ask(server: Lab, body: Any = None, token: str = TOKEN) -> tuple[int, Any]:
    data = None if body is None else json.dumps(body).encode()
    try:
        with load(server, "posenc-lessons/choice", token=token, data=data) as answer:
            content = answer.read()
            return answer.status, json.loads(content) if content else None
    except urllib.error.HTTPError as error:
        error.close()
        return error.code, None


def has_chinese_menus(server: Lab, accepted: str) -> bool:
    load(server, "lab", accepted).close()
    with load(server, "lab/api/translations/default") as answer:
        return bool(json.loads(answer.read())["data"])


def test_the_server_keeps_the_language_only_with_the_token_and_menus_have_it(server: Lab) -> None:
    assert has_chinese_menus(server, "zh-CN,zh") and not has_chinese_menus(server, "en-US")
    assert ask(server, {"language": "zh", "chosen": False}) == (204, None)
    assert ask(server) == (200, {"language": None, "solved": []}), "no choice was made yet, a guess is none"
    assert ask(server, {"language": "en"}) == (204, None)
    assert not has_chinese_menus(server, "zh-CN,zh")
    assert ask(server) == (200, {"language": "en", "solved": []})
    for wrong in ({"language": "fr"}, {}, ["en"], None):
        status, _ = ask(server, wrong) if wrong is not None else ask(server, token="wrong")
        assert status in (400, 403)
    assert ask(server) == (200, {"language": "en", "solved": []})
    assert ask(server, {"language": "both"}) == (204, None)
    assert has_chinese_menus(server, "zh-TW") and not has_chinese_menus(server, "de")


def test_the_server_has_the_titles_of_lessons_and_questions(server: Lab) -> None:
    with load(server, "posenc-lessons/titles") as answer:
        titles = json.loads(answer.read())
    assert titles["05_rotary.ipynb"] == "05 旋转位置编码（RoPE） · Rotary (RoPE)"
    assert titles["questions/which_pairing.ipynb"].endswith(" · Which pairing does this code use?")


@pytest.mark.parametrize("name", ["PosencText-Bold", "PosencSansSC-Bold", "PosencSansSC-Regular"])
def test_the_server_has_the_courses_faces(server: Lab, name: str) -> None:
    with load(server, f"posenc-lessons/{name}.woff2") as answer:
        assert answer.read(4) == b"wOF2"
