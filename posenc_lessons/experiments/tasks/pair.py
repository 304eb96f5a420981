"""A task for a model that reads one text and writes another, character by character."""

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import whole_number

Inputs = tuple[Tensor, Tensor]


@dataclass(frozen=True)
class PairTask:
    """Random source texts, and the text that a model must write for each.

    A character is a token. On both sides 0 is padding, 1 the start and 2 the end; the characters of
    ``source_symbols`` and ``target_symbols`` are 3, 4, … in their order.

    Args:
        name: the name in progress bars.
        source_symbols, target_symbols: the characters that may stand in a source and in an answer.
        draw: takes (batch_size, length) and a generator; draws so many sources of at most that length.
        solve: returns the right answer to a source; ValueError for a text that has none.
        shortest: the smallest length that can be drawn.
        tidy: brings a typed source into the form of drawn ones.
    """

    name: str
    source_symbols: str
    target_symbols: str
    draw: Callable[[tuple[int, int], torch.Generator | None], list[str]]
    solve: Callable[[str], str]
    shortest: int = 1
    tidy: Callable[[str], str] = str

    pad: ClassVar[int] = 0
    start: ClassVar[int] = 1
    end: ClassVar[int] = 2
    first_symbol: ClassVar[int] = 3

    @property
    def source_vocab(self) -> int:
        """Return how many source tokens there are."""
        return self.first_symbol + len(self.source_symbols)

    @property
    def target_vocab(self) -> int:
        """Return how many target tokens there are, which is the width of a model's logits."""
        return self.first_symbol + len(self.target_symbols)

    def batch(
        self, batch_size: int, length: int, generator: torch.Generator | None = None
    ) -> tuple[Inputs, Tensor, Tensor]:
        """Draw ``((source, target_so_far), targets, counted)``.

        ``source`` [batch_size, length] is padded if a text is shorter. ``targets`` [batch_size, T] are the
        answers, each followed by the end token. ``target_so_far`` [batch_size, T], the decoder's input in
        training, is the start token and then the targets, one step later. Padding does not count.

        Raises:
            ValueError: batch_size below 1, or a length below ``shortest``.
        """
        shape = (whole_number("batch_size", batch_size, 1), whole_number("length", length, self.shortest))
        sources = self.draw(shape, generator)
        answers = [
            [*_tokens(self.solve(source), self.target_symbols, self.first_symbol), self.end]
            for source in sources
        ]
        longest = max(map(len, answers))
        targets = torch.tensor([row + [self.pad] * (longest - len(row)) for row in answers])
        so_far = targets.roll(1, dims=1)
        so_far[:, 0] = self.start
        source = torch.stack([self.encode(text, length) for text in sources])
        return (source, so_far), targets, targets != self.pad

    def encode(self, text: str, length: int | None = None) -> Tensor:
        """Turn a typed source into tokens [len], or [length] with padding.

        Raises:
            ValueError: a character that is not in ``source_symbols``.
        """
        text = self.tidy(text)
        length = len(text) if length is None else length
        tokens = _tokens(text, self.source_symbols, self.first_symbol)
        return torch.tensor(tokens + [self.pad] * (length - len(text)), dtype=torch.long)

    def decode(self, tokens: Tensor | Iterable[int]) -> str:
        """Return the text of target tokens [T], up to the end token."""
        before_end = itertools.takewhile(lambda token: token != self.end, map(int, tokens))
        first = self.first_symbol
        return "".join(self.target_symbols[token - first] for token in before_end if token >= first)


def _tokens(text: str, symbols: str, first: int) -> list[int]:
    return [first + symbols.index(symbol) for symbol in text]
