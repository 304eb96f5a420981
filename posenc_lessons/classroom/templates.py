"""Voilà compiles the page's templates anew for each page, which is half of what a page costs; here, once."""

from __future__ import annotations

import voila.notebook_renderer  # type: ignore[import-untyped]
from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket
from voila.exporter import VoilaExporter  # type: ignore[import-untyped]


class InMemory(BytecodeCache):
    """Compiled templates by the key that Jinja gives them; it compares their sources itself."""

    def __init__(self) -> None:
        self._buckets: dict[str, Bucket] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        kept = self._buckets.get(bucket.key)
        if kept is not None and kept.checksum == bucket.checksum:
            bucket.code = kept.code

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._buckets[bucket.key] = bucket


class Exporter(VoilaExporter):
    """Voilà's exporter with the templates that were compiled for earlier pages."""

    compiled = InMemory()

    def _create_environment(self) -> Environment:
        environment: Environment = super()._create_environment()
        environment.bytecode_cache = self.compiled
        return environment


def compile_once() -> None:
    """For all pages from now on. Voilà has no setting for its exporter."""
    voila.notebook_renderer.VoilaExporter = Exporter
