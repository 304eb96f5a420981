"""The page's server serves files and nothing else."""

import http.client
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from posenc_lessons.browser.server import Server
from posenc_lessons.serving import LOOPBACK
from tests.support.pace import patience
from tests.support.site import running

FILES = {"index.html": b"<p>", "page.js": b"1", "parts/a-0123456789.bin": b"by gzip"}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    folder = tmp_path_factory.mktemp("served") / "page"
    for name, content in {**FILES, "../outside.txt": b"secret"}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    with running(Server(folder, LOOPBACK, 0)) as address:
        yield urlsplit(address).port


def ask(port: int, path: str) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=patience())
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("path", "name", "kind", "kept"),
    [
        ("/", "index.html", "text/html; charset=utf-8", "no-store"),
        ("/page.js?v=1", "page.js", "text/javascript; charset=utf-8", "no-store"),
        ("/parts/a-0123456789.bin", "parts/a-0123456789.bin", "application/octet-stream", None),
        ("/parts/a-0123456789.wasm", "parts/a-0123456789.bin", "application/wasm", None),
    ],
)
def test_a_file_is_sent_with_its_type_and_the_pages_policy(
    path: str, name: str, kind: str, kept: str | None, port: int
) -> None:
    answer, content = ask(port, path)
    assert (answer.status, content) == (200, FILES[name])
    assert (answer.headers["Content-Type"], answer.headers["Cache-Control"]) == (kind, kept)
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "script-src 'self' 'wasm-unsafe-eval';" in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Encoding"] == ("gzip" if kind == "application/wasm" else None)


OUTSIDE = ["/../outside.txt", "/%2e%2e/outside.txt", "/..%2foutside.txt", "/parts/..%5c..%5coutside.txt"]


@pytest.mark.parametrize("path", [*OUTSIDE, "//etc/passwd", "/parts/", "/nobody", "/%ff"])
def test_other_paths_are_not_found(path: str, port: int) -> None:
    answer, content = ask(port, path)
    assert answer.status == 404 and b"secret" not in content and b"page.js" not in content
