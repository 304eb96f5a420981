"""A PDF printed by Chromium: the page numbers of its places, and the same pages in a smaller file."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass

import pikepdf


@dataclass(frozen=True)
class PrintedPdf:
    """A printed file, given by its bytes."""

    content: bytes

    @property
    def version(self) -> int:
        """Return the version of the Chromium that printed it, 0 if the file does not say."""
        with pikepdf.open(io.BytesIO(self.content)) as pdf:
            found = re.search(r"Skia/PDF m(\d+)", str(pdf.docinfo.get("/Producer", "")))
        return int(found[1]) if found else 0

    def pages_by_id(self) -> dict[str, int]:
        """Return the page, from 1, of every HTML element to which a link leads, by the element's id."""
        with pikepdf.open(io.BytesIO(self.content)) as pdf:
            numbers = {page.obj.objgen: number for number, page in enumerate(pdf.pages, 1)}
            places = dict(pdf.Root.get("/Dests", {}).items())
            return {name.removeprefix("/"): numbers[place[0].objgen] for name, place in places.items()}

    def packed(self) -> bytes:
        """Return the file with its small objects in streams (a third of the size) and without its dates."""
        written = io.BytesIO()
        with pikepdf.open(io.BytesIO(self.content)) as pdf:
            for date in ("/CreationDate", "/ModDate"):
                if date in pdf.docinfo:
                    del pdf.docinfo[date]
            pdf.save(written, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
        return written.getvalue()
