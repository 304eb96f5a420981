"""The page's server serves files and nothing else."""

from __future__ import annotations

import gzip
import http.client
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from posenc_lessons.browser.server import FOREVER
from posenc_lessons.serving import LOOPBACK
from tests.support.pace import patience
from tests.support.site import serving

PARTS = {"index.html": b"<p>", "page.js": b"1", "parts/a-0123456789.bin": bytes(range(256)) * 4096}
PARTS["parts/b-0123456789.bin"] = gzip.compress(b"\0asm")


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    folder = tmp_path_factory.mktemp("served") / "page"
    for name, content in {**PARTS, "../outside.txt": b"secret"}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    with serving(folder) as address:
        yield urlsplit(address).port


def ask(port: int, path: str, method: str = "GET", **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=patience())
    try:
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("path", "kind", "kept"),
    [
        ("/", "text/html; charset=utf-8", "no-cache"),
        ("/page.js?v=1", "text/javascript; charset=utf-8", "no-cache"),
        ("/parts/a-0123456789.bin", "application/octet-stream", "public, max-age=31536000, immutable"),
    ],
)
def test_a_file_is_sent_with_its_type_and_the_pages_policy(
    path: str, kind: str, kept: str, port: int
) -> None:
    answer, content = ask(port, path)
    assert answer.status == 200 and content == PARTS[path.partition("?")[0].strip("/") or "index.html"]
    assert answer.headers["Content-Type"] == kind and answer.headers["Cache-Control"] == kept
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "script-src 'self' 'wasm-unsafe-eval';" in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "Tornado" not in str(answer.headers)
    again, nothing = ask(port, path, **{"If-None-Match": answer.headers["ETag"]})
    assert (again.status, nothing) == (304, b"")


OUTSIDE = ["/../outside.txt", "/%2e%2e/outside.txt", "/..%2foutside.txt", "/parts/..%5c..%5coutside.txt"]


@pytest.mark.parametrize("path", [*OUTSIDE, "//etc/passwd", "/parts", "/parts/", "/nobody", "/%00", "/%ff"])
def test_other_paths_are_not_found(path: str, port: int) -> None:
    answer, content = ask(port, path)
    assert answer.status in (400, 404) and b"secret" not in content and b"<" not in content


def test_requests_for_a_range_and_for_the_head(port: int) -> None:
    answer, content = ask(port, "/parts/a-0123456789.bin", Range="bytes=1-3")
    assert (answer.status, content) == (206, b"\x01\x02\x03")
    answer, content = ask(port, "/", "HEAD")
    assert (answer.status, content, answer.headers["Content-Length"]) == (200, b"", "3")


def test_webassembly_is_sent_with_its_type_and_compressed(port: int) -> None:
    path = "/parts/b-0123456789.wasm"
    for method, sent in (("HEAD", b""), ("GET", PARTS["parts/b-0123456789.bin"])):
        answer, content = ask(port, path, method, **{"Accept-Encoding": "br, gzip"})
        assert (answer.status, content) == (200, sent)
        text = [answer.headers[name] for name in ("Content-Type", "Content-Encoding", "Cache-Control")]
        assert text == ["application/wasm", "gzip", FOREVER]
    assert ask(port, path)[0].status == 404  # to a client that cannot unpack gzip
