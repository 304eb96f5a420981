"""Two learned position tables during their training, to be looked at step by step.

Both have ``ROWS`` rows, and every training text has ``LENGTH`` tokens: rows from ``LENGTH`` on are never
read. One model copies the token ``N_BACK`` places back. The other sees a row of pixels, one part of which is
bright, and says in which eighth of the row the middle of that part is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from posenc_lessons.encodings import LearnedEncoding
from posenc_lessons.experiments.tasks.copying import copy_back
from posenc_lessons.experiments.trained.store import TrainedModels, train_as_usual
from posenc_lessons.models import MultiHeadAttention, causal_mask

if TYPE_CHECKING:
    from posenc_lessons.experiments.training import History

ROWS, D_MODEL = 48, 64
LENGTH = 32  # tokens of a training text
N_BACK = 3
SEED = 1
SETTINGS = {"steps": 400, "length": LENGTH, "seed": SEED}  # training stops after LAST: little changes later
LAST, EVERY = 160, 16  # the last step whose table is kept, and the steps from one kept table to the next
TEXTS = 512  # on which each accuracy is measured
ANSWERS = {"copy": 16, "bar": 8}


class TableHistory(nn.Module):
    """``tables`` [kept, ROWS, D_MODEL] at steps 0, ``EVERY`` … ``LAST``, and their ``accuracy`` [kept, ROWS].

    ``accuracy`` is the share of right answers at each position, 0 to 1, measured on texts of ``LENGTH``
    tokens, and from position ``LENGTH`` on with texts of ``ROWS`` tokens.
    """

    def __init__(self) -> None:
        super().__init__()
        n_tables = LAST // EVERY + 1
        self.tables = nn.Parameter(torch.zeros(n_tables, ROWS, D_MODEL))
        self.accuracy = nn.Parameter(torch.zeros(n_tables, ROWS))


class BrightBar:
    """Rows of dark pixels (0) with a bright part (1), an eighth of the row; one pixel in twenty is flipped.

    The answer, at every pixel, is the eighth of the row in which the middle of the bright part is, 0 … 7.
    """

    name = "bright bar"

    def batch(
        self, batch_size: int, length: int, generator: torch.Generator | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Draw a batch as ``Task.batch`` does."""
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
        """Return logits [B, L, answers] of ``tokens`` [B, L]."""
        x = self.embed(tokens)
        mask = causal_mask(tokens.shape[1]) if self.causal else None
        logits: Tensor = self.read_out(x + self.attention(x, mask=mask))
        return logits


def record_table(record: TableHistory, name: str, last: int = LAST, **settings: Any) -> History:
    """Train the table ``name`` as the shipped one was, up to step ``last``, and keep it in ``record``."""
    task: Any = copy_back(N_BACK) if name == "copy" else BrightBar()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(SEED)
        model = Reader(name)

    def keep(step: int) -> None:
        if step % EVERY == 0:
            record.tables.data[step // EVERY] = model.encoding.table.detach()
            record.accuracy.data[step // EVERY] = _accuracy(model, task)

    def keep_going(history: Any) -> bool:
        keep(len(history.loss))
        return len(history.loss) < last

    keep(0)
    return train_as_usual(model, task, SETTINGS, keep_going=keep_going, **settings)


TABLES = TrainedModels("table_{}", ("copy", "bar"), lambda _: TableHistory(), record_table)
table_history = TABLES.load


@torch.no_grad()
def _accuracy(model: Reader, task: Any) -> Tensor:
    """Return the share of right answers at each position, [ROWS]; see ``TableHistory``."""
    right = []
    for length in (LENGTH, ROWS):
        tokens, targets, _ = task.batch(TEXTS, length, torch.Generator().manual_seed(7))
        right.append((model(tokens).argmax(dim=-1) == targets).float().mean(dim=0))
    return torch.cat([right[0], right[1][LENGTH:]])
