"""Write the characters of a text backwards, or sorted."""

from collections.abc import Callable

import torch

from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.experiments.tasks.pair import PairTask


def reverse(symbols: str = "abcdefghij", shortest: int | None = None) -> PairTask:
    """Ask for the same characters backwards: the next one depends only on where it stands.

    Characters are drawn evenly from ``symbols``. All sources of a batch have the requested length; with
    ``shortest``, their lengths are drawn evenly from ``shortest`` up to that.
    """
    return _rearranging("reverse", symbols, shortest, lambda text: text[::-1])


def sort(symbols: str = "0123456789", shortest: int | None = None) -> PairTask:
    """Ask for the same characters in the order of ``symbols``: where they stand does not matter.

    Characters are drawn evenly from ``symbols``. All sources of a batch have the requested length; with
    ``shortest``, their lengths are drawn evenly from ``shortest`` up to that.
    """
    return _rearranging("sort", symbols, shortest, lambda text: "".join(sorted(text, key=symbols.index)))


def _rearranging(name: str, symbols: str, shortest: int | None, solve: Callable[[str], str]) -> PairTask:
    least = None if shortest is None else whole_number("shortest", shortest, 1)

    def draw(shape: tuple[int, int], generator: torch.Generator | None) -> list[str]:
        batch, length = shape
        rows = torch.randint(len(symbols), shape, generator=generator).tolist()
        if least is None:
            lengths = [length] * batch
        else:
            lengths = torch.randint(least, length + 1, (batch,), generator=generator).tolist()
        return ["".join(symbols[i] for i in row[:n]) for row, n in zip(rows, lengths, strict=True)]

    return PairTask(name, symbols, symbols, draw, solve, shortest=least or 1)
