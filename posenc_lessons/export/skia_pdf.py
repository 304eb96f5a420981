"""A PDF as Chromium's library Skia writes it: where its places are, and the same pages in a smaller file.

Skia writes one object after another, then a table of where each begins (ISO 32000-1, 7.5.4). Objects that
describe the text for screen readers are many, small and alike: packed together (7.5.7) they take a tenth.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from posenc_lessons.language import BilingualValueError

PACKED = 400  # objects to a stream
_REFERENCE = rb"(\d+) 0 R"
_DATES = re.compile(rb"/(?:CreationDate|ModDate) \([^)]*\)\s*")


@dataclass(frozen=True)
class SkiaPdf:
    """The objects by their numbers, and the numbers of the catalogue and of what is said of the file."""

    objects: dict[int, bytes]
    root: int
    info: int

    @property
    def version(self) -> int:
        """Of the Chromium that printed it, 0 if it does not say."""
        found = re.search(rb"Skia/PDF m(\d+)", self.objects[self.info])
        return int(found[1]) if found else 0

    def pages_by_id(self) -> dict[str, int]:
        """The page, from 1, of every element of the HTML that a link of it leads to, by the element's id."""
        pages = {number: count for count, number in enumerate(self.pages(), 1)}
        body = self._named(self.objects[self.root], b"Dests")
        found = re.finditer(rb"/(\S+) \[" + _REFERENCE, body)
        return {_name(each[1]): pages[int(each[2])] for each in found}

    def pages(self) -> Iterator[int]:
        """The numbers of the pages' objects, in order."""
        yield from self._leaves(self._named(self.objects[self.root], b"Pages"))

    def packed(self) -> bytes:
        """The file with all objects packed that may be, and without the time at which it was printed."""
        objects = dict(self.objects)
        objects[self.info] = _DATES.sub(b"", objects[self.info])
        plain = iter(sorted(number for number, body in objects.items() if not body.endswith(b"endstream")))
        free = max(objects) + 1
        within: dict[int, tuple[int, int]] = {}  # object → its stream, and its place there
        while numbers := list(islice(plain, PACKED)):
            within |= {number: (free, place) for place, number in enumerate(numbers)}
            bodies = [objects.pop(number) for number in numbers]
            objects[free] = _object_stream(numbers, bodies)
            free += 1
        return self._written(objects, within, free)

    def _written(self, objects: dict[int, bytes], within: dict[int, tuple[int, int]], last: int) -> bytes:
        """The file with its table of places as a stream (7.5.8), which is object ``last``."""
        written = bytearray(b"%PDF-1.5\n%\xd3\xeb\xe9\xe1\n")
        rows = [(0, 0, 65535)] * (last + 1)
        for number, body in sorted(objects.items()):
            rows[number] = (1, len(written), 0)
            written += b"%d 0 obj\n%b\nendobj\n" % (number, body)
        for number, (stream, place) in within.items():
            rows[number] = (2, stream, place)
        start = len(written)
        rows[last] = (1, start, 0)
        table = b"".join(
            kind.to_bytes(1, "big") + where.to_bytes(4, "big") + which.to_bytes(2, "big")
            for kind, where, which in rows
        )
        known = b"/Type /XRef /Size %d /W [1 4 2] /Root %d 0 R /Info %d 0 R"
        written += b"%d 0 obj\n%b\nendobj\n" % (
            last,
            _stream(known % (last + 1, self.root, self.info), table),
        )
        return bytes(written) + b"startxref\n%d\n%%%%EOF\n" % start

    def _named(self, body: bytes, name: bytes) -> bytes:
        """The object that ``body`` refers to as ``name``; empty where there is none."""
        found = re.search(rb"/%b " % name + _REFERENCE, body)
        return self.objects[int(found[1])] if found else b""

    def _leaves(self, branch: bytes) -> Iterator[int]:
        kids = re.search(rb"/Kids \[(.*?)\]", branch, re.DOTALL)
        for number in map(int, re.findall(_REFERENCE, kids[1] if kids else b"")):
            body = self.objects[number]
            if re.search(rb"/Type /Pages\b", body):
                yield from self._leaves(body)
            else:
                yield number


def read(content: bytes) -> SkiaPdf:
    """The objects of a PDF that Skia wrote. Raises BilingualValueError for any other file."""
    end = re.search(rb"startxref\n(\d+)\n%%EOF\s*$", content)
    trailer = re.search(rb"trailer\n<<(.*?)>>", content[int(end[1]) :], re.DOTALL) if end else None
    if end is None or trailer is None:
        raise BilingualValueError(
            "content 应当是 Chromium 打印的 PDF，收到的不是",
            "content should be a PDF that Chromium printed; it is not",
        )
    table = int(end[1])
    starts = re.findall(rb"(\d{10}) \d{5} n", content[table:])
    places = sorted(int(start) for start in starts)
    objects = {}
    for start, stop in zip(places, [*places[1:], table], strict=True):
        number, body = content[start:stop].split(b" 0 obj\n", 1)
        objects[int(number)] = body.rstrip().removesuffix(b"endobj").rstrip(b"\n")
    root, info = (re.search(rb"/%b " % name + _REFERENCE, trailer[1]) for name in (b"Root", b"Info"))
    assert root is not None and info is not None
    return SkiaPdf(objects, int(root[1]), int(info[1]))


def _object_stream(numbers: list[int], bodies: list[bytes]) -> bytes:
    places, where = [], 0
    for number, body in zip(numbers, bodies, strict=True):
        places.append(b"%d %d" % (number, where))
        where += len(body) + 1
    head = b" ".join(places) + b"\n"
    known = b"/Type /ObjStm /N %d /First %d" % (len(numbers), len(head))
    return _stream(known, head + b"\n".join(bodies))


def _stream(known: bytes, content: bytes) -> bytes:
    packed = zlib.compress(content, 9)
    return b"<<%b /Filter /FlateDecode /Length %d>> stream\n%b\nendstream" % (known, len(packed), packed)


def _name(written: bytes) -> str:
    """A name as it is; its file writes some characters as #20."""
    return re.sub(rb"#([0-9A-Fa-f]{2})", lambda code: bytes.fromhex(code[1].decode()), written).decode()
