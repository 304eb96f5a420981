"""Put several texts in one batch, padded or packed, with each way to count positions and to mask.

Right and wrong ways can be run on one model and compared with each text run by itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import torch
from torch import Tensor
from torch.nn import functional as F

from posenc_lessons.models.transformer import DecoderOnly

Layout = Literal["right", "left", "packed"]
Counted = Literal["own", "column", "cache", "zero"]
LAYOUTS: tuple[Layout, ...] = get_args(Layout)


@dataclass(frozen=True)
class TextBatch:
    """Texts side by side in a rectangle.

    ``tokens``, ``text`` and ``place`` are int64 [B, L]: the token, which text it belongs to (−1 for padding),
    and how many tokens of that text come before it (0 for padding). The tokens in the last ``late`` columns
    come one by one, through a cache.
    """

    tokens: Tensor
    text: Tensor
    place: Tensor
    late: int = 0

    @property
    def real(self) -> Tensor:
        """Which tokens are real: bool [B, L], False at padding."""
        return self.text >= 0


def lay_out(texts: Sequence[Tensor], layout: Layout, pad: int, late: int = 0) -> TextBatch:
    """Lay out ``texts``, each int64 [n]: one in a row, padded with ``pad`` right or left, or all in one row.

    The last ``late`` tokens of each text stand in the last columns of its row, after padding. Packed texts
    have no late tokens.
    """
    if layout == "packed":
        whole = [torch.cat(list(texts))]
        of = [torch.cat([torch.full_like(text, number) for number, text in enumerate(texts)])]
        places = [torch.cat([torch.arange(len(text)) for text in texts])]
        return TextBatch(torch.stack(whole), torch.stack(of), torch.stack(places))
    widest = max(len(text) for text in texts) - late
    rows: list[tuple[Tensor, ...]] = []
    for number, text in enumerate(texts):
        n_early = len(text) - late
        gap = (widest - n_early, 0) if layout == "left" else (0, widest - n_early)
        values = ((text, pad), (torch.full_like(text, number), -1), (torch.arange(len(text)), 0))
        rows.append(
            tuple(
                torch.cat((F.pad(value[:n_early], gap, value=filling), value[n_early:]))
                for value, filling in values
            )
        )
    tokens, of_text, place = (torch.stack(column) for column in zip(*rows, strict=True))
    return TextBatch(tokens, of_text, place, late)


def positions_of(batch: TextBatch, counted: Counted) -> Tensor:
    """Return the positions [B, L] that ``batch`` gets by one way of counting.

    ``own``: the tokens of each text are counted from 0. ``column``: all columns of a row are counted, also
    padding and other texts. ``cache``: as ``own``, but late tokens go on from the number of tokens in the
    cache. ``zero``: as ``own``, but every late token is at position 0.
    """
    columns = torch.arange(batch.tokens.shape[1]).expand_as(batch.tokens)
    if counted == "column":
        return columns
    late = columns >= batch.tokens.shape[1] - batch.late
    if counted == "own" or not batch.late:
        return batch.place
    return torch.where(late, columns if counted == "cache" else 0, batch.place)


def mask_of(batch: TextBatch, hide: bool = True, window: int = 0, first: int = 0) -> Tensor:
    """Return the mask, bool [B, L, L]: a token may look at itself and, unless hidden, at earlier columns.

    Args:
        hide: hide padding and other texts.
        window: how many tokens a token looks at, including itself; 0 for all.
        first: with a window, how many tokens at the start of its text a token also looks at.
    """
    columns = torch.arange(batch.tokens.shape[1])
    same = batch.text[:, :, None] == batch.text[:, None, :]  # [B, L, L]
    mask = (columns <= columns[:, None]).expand_as(same)
    if hide:
        mask = mask & same
    if window:
        between = torch.where(
            same, batch.place[:, :, None] - batch.place[:, None, :], columns[:, None] - columns
        )
        first_ones = same & (batch.place[:, None, :] < first)
        mask = mask & ((between < window) | first_ones)
    return mask


@torch.no_grad()
def run_batch(model: DecoderOnly, batch: TextBatch, positions: Tensor, mask: Tensor) -> Tensor:
    """Return probabilities [B, L, n_answers]: all columns at once, then late ones one by one with a cache."""
    length = batch.tokens.shape[1]
    whole = mask[:, None]  # [B, 1, L, L]
    if not batch.late:
        return model(batch.tokens, positions=positions, mask=whole).softmax(dim=-1)
    cache, begin, logits = model.new_cache(), 0, []
    for end in range(length - batch.late, length + 1):
        part = slice(begin, end)
        logits.append(
            model(
                batch.tokens[:, part], positions=positions[:, part], mask=whole[:, :, part, :end], cache=cache
            )
        )
        begin = end
    return torch.cat(logits, dim=1).softmax(dim=-1)


@torch.no_grad()
def run_alone(model: DecoderOnly, text: Tensor) -> Tensor:
    """Return probabilities [n, n_answers] of ``text`` [n] in its own batch, positions counted from 0."""
    return model(text[None])[0].softmax(dim=-1)


def probability_moved(
    model: DecoderOnly, texts: Sequence[Tensor], batch: TextBatch, chances: Tensor
) -> Tensor:
    """Return how much probability moved, 0 to 1, compared with each text run by itself: [B, L].

    This is half the sum of absolute differences (the total variation distance), NaN at padding.
    """
    moved = torch.full(batch.tokens.shape, float("nan"), dtype=chances.dtype)
    for number, text in enumerate(texts):
        of_text = batch.text == number
        moved[of_text] = (chances[of_text] - run_alone(model, text)).abs().sum(dim=-1) / 2
    return moved
