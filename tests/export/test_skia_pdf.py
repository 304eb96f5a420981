"""Reading and packing a PDF of the form that Chromium's library writes; the reader below is another one."""

from __future__ import annotations

import re
import zlib

import pytest

from posenc_lessons.export.skia_pdf import SkiaPdf, read
from posenc_lessons.language import BilingualValueError

OBJECTS = {
    1: b"<</Creator (Chromium)\n/Producer (Skia/PDF m140)\n/CreationDate (D:20260101000000+00'00')>>",
    2: b"<</Type /Page\n/Parent 4 0 R\n/Contents 3 0 R>>",
    3: b"<</Length 12>> stream\nBT\nendobj ET\nendstream",
    4: b"<</Type /Pages\n/Kids [2 0 R]\n/Count 1\n/Parent 6 0 R>>",
    5: b"<</Type /Page\n/Parent 6 0 R>>",
    6: b"<</Type /Pages\n/Kids [4 0 R 5 0 R]\n/Count 2>>",
    7: b"<</first [2 0 R /XYZ 0 800 0]\n/02#2Eother.h1 [5 0 R /XYZ 0 800 0]>>",
    8: b"<</Title <FEFF4F600041>\n/Dest [5 0 R /XYZ 0 0 0]>>",
    9: b"<</Type /Catalog\n/Pages 6 0 R\n/Dests 7 0 R>>",
}


def as_skia_writes(objects: dict[int, bytes]) -> bytes:
    content, starts = b"%PDF-1.4\n", []
    for number, body in objects.items():
        starts.append(len(content))
        content += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % start for start in starts)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    trailer = b"trailer\n<</Size %d\n/Root 9 0 R\n/Info 1 0 R>>\nstartxref\n%d\n%%%%EOF\n"
    return content + head + table + trailer % (len(objects) + 1, len(content))


def unpacked(content: bytes) -> dict[int, bytes]:
    """Every object of a file with a table of places that is a stream, as a viewer finds it."""
    (start,) = map(int, re.findall(rb"startxref\n(\d+)\n%%EOF", content))

    def stream(at: int) -> tuple[bytes, bytes]:
        head, rest = content[at:].split(b" stream\n", 1)
        length = int(re.search(rb"/Length (\d+)", head)[1])  # type: ignore[index]
        assert rest[length:].startswith(b"\nendstream\nendobj")
        return head, zlib.decompress(rest[:length])

    _, table = stream(start)
    rows = [table[place : place + 7] for place in range(0, len(table), 7)]
    found = {}
    for number, row in enumerate(rows):
        kind, where, which = row[0], int.from_bytes(row[1:5], "big"), int.from_bytes(row[5:], "big")
        if kind == 1:
            assert content[where:].startswith(b"%d 0 obj\n" % number)
            found[number] = content[where:].split(b"\n", 1)[1].split(b"\nendobj\n", 1)[0]
        if kind == 2:
            head, packed = stream(int.from_bytes(rows[where][1:5], "big"))
            first = int(re.search(rb"/First (\d+)", head)[1])  # type: ignore[index]
            places = list(map(int, packed[:first].split()))
            assert places[2 * which] == number
            begin, *end = [first + place for place in places[1::2]][which : which + 2]
            found[number] = packed[begin : end[0] - 1 if end else None]
    return found


@pytest.fixture
def printed() -> SkiaPdf:
    return read(as_skia_writes(OBJECTS))


def test_what_it_says(printed: SkiaPdf) -> None:
    assert printed.version == 140
    assert list(printed.pages()) == [2, 5]
    assert printed.pages_by_id() == {"first": 1, "02.other.h1": 2}


def test_packed_it_holds_the_same_without_its_date(printed: SkiaPdf) -> None:
    found = unpacked(printed.packed())
    assert b"CreationDate" not in found[1] and b"m140" in found[1]
    assert {number: found[number] for number in range(2, 10)} == {
        number: body for number, body in OBJECTS.items() if number > 1
    }


@pytest.mark.parametrize("content", [b"", b"%PDF-1.4\n", b"<html>"])
def test_any_other_file_is_refused(content: bytes) -> None:
    with pytest.raises(BilingualValueError, match="a PDF that Chromium printed"):
        read(content)
