"""Run the page's files in CPython: the same modules and the page's torch, with only NumPy installed.

``python -S -OO cpython_page.py FOLDER`` answers lines of JSON as ``node.mjs`` does: {lesson, call, args}
calls cells.py. {steps_of: 10} makes every training stop after a tenth of its steps, {steps_of: 1} after all.
An answer has ``cpu_ms``.
"""

import json
import os
import sys
import time
from typing import Any

STEPS_OF = 1


def main(folder: str) -> None:
    os.environ |= {"POSENC_LESSONS_HOME": folder, "OPENBLAS_NUM_THREADS": "1"}  # as in WebAssembly
    answers, sys.stdout = sys.stdout, sys.stderr  # the output of a cell is in its answer
    sys.path[:0] = [folder, f"{folder}/numpy_torch", f"{folder}/installed"]
    from posenc_lessons.browser import cells
    from posenc_lessons.browser.page_versions import Bar

    def interrupt(self: Any, steps: int = 1) -> None:
        """Interrupt training, as ■ does, after its share of the steps."""
        self._steps += steps
        if self._total > self._steps >= self._total / STEPS_OF:
            raise KeyboardInterrupt

    Bar.update = interrupt  # type: ignore[method-assign]
    print("{}", file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(_answer(cells, **json.loads(line))), file=answers, flush=True)


def _answer(
    cells: Any, call: str = "", args: Any = (), lesson: str = "", steps_of: int = 0
) -> dict[str, Any]:
    global STEPS_OF
    STEPS_OF = steps_of or STEPS_OF
    begun = time.process_time()
    answer = cells.answer(call, args, lesson) if call else None
    took = time.process_time() - begun
    return {"answer": answer, "cpu_ms": 1000 * took}


if __name__ == "__main__":
    main(sys.argv[1])
