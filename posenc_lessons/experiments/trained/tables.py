"""Two learned position tables as they were in the course of a training, to be looked at step by step.

Both have ``ROWS`` rows, and every training text has ``LENGTH`` tokens: the rows from there on are never
looked up. One model copies the token ``N_BACK`` places back; the other sees a row of pixels, of which one
stretch is bright, and says in which eighth of the row its middle is.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from posenc_lessons.encodings import LearnedEncoding
from posenc_lessons.experiments.tasks import copy_back
from posenc_lessons.experiments.trained.store import FOLDER, load_into, save
from posenc_lessons.models import MultiHeadAttention, causal_mask

TABLES = ("copy", "bar")
ROWS, D_MODEL = 48, 64
LENGTH = 32  # tokens of a training text
N_BACK = 3
STEPS = 400  # that the training is planned for; after LAST little changes any more, and it stops there
LAST, EVERY = 160, 16  # the last table kept, and from one to the next
SEED = 1
ANSWERS = {"copy": 16, "bar": 8}


class TableHistory(nn.Module):
    """``tables`` [kept, ROWS, D_MODEL] at steps 0, ``EVERY`` … ``LAST``; ``accuracy`` [kept, ROWS] then.

    ``accuracy`` is the share of right answers at each position, 0 to 1: of texts of ``LENGTH`` tokens, and
    from position ``LENGTH`` on of texts of ``ROWS``.
    """

    def __init__(self) -> None:
        super().__init__()
        kept = LAST // EVERY + 1
        self.tables = nn.Parameter(torch.zeros(kept, ROWS, D_MODEL))
        self.accuracy = nn.Parameter(torch.zeros(kept, ROWS))


@lru_cache(maxsize=len(TABLES))
def table_history(name: str) -> TableHistory:
    """The recorded training of that table, float32 on the CPU. Shared: do not change it."""
    return load_into(TableHistory(), f"table_{name}")


class BrightBar:
    """Rows of pixels, dark (0) but for a bright stretch (1) of an eighth of the row, one in twenty flipped.

    The answer, at every pixel, is the eighth of the row in which the stretch has its middle, 0 … 7.
    """

    name = "bright bar"

    def batch(
        self, batch_size: int, length: int, generator: torch.Generator | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """As ``Task.batch``."""
        width, places = length // 8, torch.arange(length)
        first = torch.randint(length - width + 1, (batch_size, 1), generator=generator)
        bright = (places >= first) & (places < first + width)
        flipped = torch.rand(batch_size, length, generator=generator) < 0.05
        eighth = ((first + width / 2) * 8 / length).to(torch.int64).clamp(max=7)
        counted = torch.ones(batch_size, length, dtype=torch.bool)
        return (bright ^ flipped).to(torch.int64), eighth.expand(batch_size, length), counted


class Reader(nn.Module):
    """Embeddings, a learned table, one head of attention, and a layer that reads the answer out."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.causal = name == "copy"
        self.encoding = LearnedEncoding(D_MODEL, ROWS)
        self.embed = nn.Embedding(ANSWERS[name], D_MODEL)
        self.attention = MultiHeadAttention(D_MODEL, n_heads=1, encoding=self.encoding)
        self.read_out = nn.Linear(D_MODEL, ANSWERS[name])

    def forward(self, tokens: Tensor) -> Tensor:
        """Logits [B, L, answers] of ``tokens`` [B, L]."""
        x = self.embed(tokens)
        mask = causal_mask(tokens.shape[1]) if self.causal else None
        logits: Tensor = self.read_out(x + self.attention(x, mask=mask))
        return logits


def trained_table(name: str, steps: int = LAST, progress: bool = True) -> TableHistory:
    """Train that table anew, as the shipped one was; of fewer ``steps`` the rest of the record is zeros."""
    from posenc_lessons.experiments.training import train  # whoever only looks does not load it

    task: Any = copy_back(N_BACK) if name == "copy" else BrightBar()
    record = TableHistory()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(SEED)
        model = Reader(name)

    def keep(done: int) -> None:
        if done % EVERY == 0:
            record.tables.data[done // EVERY] = model.encoding.table.detach()
            record.accuracy.data[done // EVERY] = _accuracy(model, task)

    def keep_going(history: Any) -> bool:
        keep(len(history.loss))
        return len(history.loss) < steps

    keep(0)
    train(model, task, steps=STEPS, length=LENGTH, seed=SEED, progress=progress, keep_going=keep_going)
    return record


@torch.no_grad()
def _accuracy(model: Reader, task: Any) -> Tensor:
    """The share of right answers at each position, [ROWS]; see ``TableHistory``."""
    found = []
    for length in (LENGTH, ROWS):
        tokens, targets, _ = task.batch(512, length, torch.Generator().manual_seed(7))
        found.append((model(tokens).argmax(dim=-1) == targets).float().mean(dim=0))
    return torch.cat([found[0], found[1][LENGTH:]])


def make_table(name: str, folder: Path = FOLDER) -> Path:
    """Train that table, and save its record where ``table_history`` looks (or in ``folder``)."""
    record = trained_table(name)
    table_history.cache_clear()
    return save(record, f"table_{name}", folder)
