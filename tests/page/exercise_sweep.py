"""Every exercise's solution, stubs, mistakes and other right answers, each with a test of its verdict, and
a run of all of them over the page's torch, in CPython and in WebAssembly.

``python tests/page/exercise_sweep.py FILE NUMPY_TORCH LESSON`` writes ``sweep(LESSON)`` to FILE.
"""

import importlib
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

# Modules that a page lacks; an exercise that imports one of them cannot be answered there.
BARRED = ("matplotlib", "PIL", "tqdm", "IPython", "ipykernel", "ipywidgets", "anywidget", "scipy")


def exercises() -> dict[str, Any]:
    """Return every exercise by its module and name, in subpackages too."""
    from posenc_lessons import exercises
    from posenc_lessons.exercises.exercise import Exercise

    match: dict[Any, str] = {}
    folder = Path(exercises.__path__[0])
    files = [file for file in folder.rglob("*.py*") if file.parent.name != "__pycache__"]
    for module in sorted({file.relative_to(folder).with_suffix("") for file in files}):
        if module.name == "__init__":
            continue
        path = ".".join(module.parts)
        for name, value in vars(importlib.import_module(f"{exercises.__name__}.{path}")).items():
            if isinstance(value, Exercise):
                match.setdefault(value, f"{path}.{name}")
    return {name: exercise for exercise, name in match.items()}


def is_filled(said: str, template: str) -> bool:
    """Return whether ``said`` is ``template`` with its {fields} filled."""
    parts = re.split(r"\{[^{}]*\}", template)
    return re.fullmatch(".+".join(map(re.escape, parts)), said, re.DOTALL) is not None


def _not_implemented(*_: Any) -> Any:
    raise NotImplementedError


def answers(exercise: Any) -> Iterator[tuple[str, Any, Callable[[Any], bool]]]:
    """Yield the name of each answer, the answer, and a test of the verdict on it."""
    yield "the solution", exercise.solution, lambda verdict: verdict.status == "passed"
    for stub in (lambda *_: ..., _not_implemented):
        yield "a stub", stub, lambda verdict: verdict.status == "not yet"
    for mistake in exercise.mistakes:
        yield (
            f"the mistake “{mistake.text.en}”",
            mistake.wrong,
            lambda verdict, text=mistake.text: verdict.status == "wrong" and verdict.message == text,
        )


def sweep(lesson: str = "") -> dict[str, Any]:
    """Return the number of answers for each exercise, and a sentence for each wrong verdict.

    With the name of a ``lesson``, only its exercises are answered.
    """
    counts, differ = {}, []
    for name, exercise in exercises().items():
        if not name.startswith(lesson):
            continue
        counts[name] = 0
        for what, answer, is_right in answers(exercise):
            counts[name] += 1
            verdict = exercise.check(answer)
            if not is_right(verdict):
                differ.append(f"{name}, {what}: {verdict.status}, {verdict.message.en}")
    return {"counts": counts, "differ": differ}


if __name__ == "__main__":
    sys.modules.update(dict.fromkeys(BARRED))  # type: ignore[arg-type]  # imports of them fail
    sys.path.insert(0, sys.argv[2])
    found = sweep(sys.argv[3])
    import torch

    Path(sys.argv[1]).write_text(json.dumps({**found, "torch": torch.__version__}), encoding="utf-8")
