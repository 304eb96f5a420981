"""Build the lessons' extension for JupyterLab: ``python -m posenc_lessons.course.build_extension``.

This needs npm and the network. The sources in ``jupyter/extension`` follow JupyterLab's template for
extensions. The output in ``jupyter/labextensions`` is committed, so nobody else needs npm. A test compares
both with the fingerprints that ``posenc_lessons.npm`` saves.
"""

from posenc_lessons import npm
from posenc_lessons.course.lessons import PACKAGE

SOURCES = PACKAGE / "course" / "jupyter" / "extension"
OUTPUT = PACKAGE / "course" / "jupyter" / "labextensions" / "posenc-lessons"


def build() -> None:
    """Check the types of the sources, build them, and save the fingerprints of sources and output."""
    npm.build(SOURCES)
    npm.note(SOURCES, OUTPUT)


if __name__ == "__main__":
    build()
