"""The six exercises of lesson 07 put together: a decoder made of the learner's functions learns to write."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from posenc_lessons.encodings import sinusoidal_encoding
from posenc_lessons.exercises.transformer.decoding import CACHED_STEP, GREEDY
from posenc_lessons.exercises.transformer.heads import CAUSAL_PADDING_MASK, CONTRIBUTIONS, SPLIT_HEADS
from posenc_lessons.exercises.transformer.norm import ADD_AND_NORM
from posenc_lessons.exercises.verdict import Verdict
from posenc_lessons.language import Text, joined

LETTERS = "abcdef"
TURN, END, PAD = len(LETTERS), len(LETTERS) + 1, len(LETTERS) + 2  # "now write", "done", padding
LONGEST, WIDTH, HEADS = 5, 48, 4
STEPS = 500  # after 400 steps, two of five seeds still write a few of 50 words wrong

EXERCISES = (SPLIT_HEADS, CONTRIBUTIONS, CAUSAL_PADDING_MASK, ADD_AND_NORM, CACHED_STEP, GREEDY)
NOT_YET = Text(
    "还差练习 {numbers}：做对了再来，六个都要。", "Exercises {numbers} are still open; all six are needed."
)
WORKS = Text(
    "你的六个函数合成了一个解码器。训练 {steps} 步，新抽的 50 个词里它倒着写对了 ≈ {right} 个；“{word}”写成"
    "“{written}”，一步一步走，用的是你的缓存。",
    "Your six functions make a decoder. After {steps} steps it wrote ≈ {right} of 50 fresh words backwards; "
    "of “{word}” it made “{written}”, step by step, with your cache.",
)


def put_together(
    split_heads: Callable[..., Tensor],
    contributions: Callable[..., Tensor],
    causal_padding_mask: Callable[..., Tensor],
    add_and_norm: Callable[..., Tensor],
    cached_step: Callable[..., Any],
    greedy: Callable[..., list[int]],
) -> Verdict:
    """Build a decoder of these six, train it to write words backwards, and let it write: about 15 seconds."""
    parts = split_heads, contributions, causal_padding_mask, add_and_norm, cached_step, greedy
    answered = [exercise.check(part).passed for exercise, part in zip(EXERCISES, parts, strict=True)]
    missing = [Text(f"{number}", f"{number}") for number, passed in enumerate(answered, 1) if not passed]
    if missing:
        return Verdict("not yet", NOT_YET.format(numbers=joined(missing)))
    with torch.random.fork_rng([]):
        torch.manual_seed(0)
        model = _Model(*parts[:5])
        _train(model)
        model.eval()
        generator = torch.Generator().manual_seed(1)
        words = [_word(generator) for _ in range(50)]
        right = sum(_write(model, word, greedy) == word[::-1] for word in words)
        word = "facade"[:LONGEST]
        written = _write(model, word, greedy)
    return Verdict("passed", WORKS.format(steps=STEPS, right=right, word=word, written=written))


class _Attention(nn.Module):
    def __init__(self, split: Callable[..., Tensor], contributions: Callable[..., Tensor]) -> None:
        super().__init__()
        self.split, self.contributions = split, contributions
        self.to_qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)

    def forward(self, x: Tensor, attend: Callable[[Tensor, Tensor, Tensor], Tensor]) -> Tensor:
        query, key, value = self.split(self.to_qkv(x), HEADS)
        heads = attend(query, key, value)  # [B, h, L, d_head]
        return self.contributions(heads, self.out.weight.T).sum(dim=1) + self.out.bias


class _Model(nn.Module):
    """Two layers, norms after the sums as in the paper."""

    def __init__(self, split: Any, contributions: Any, mask: Any, norm: Any, step: Any) -> None:
        super().__init__()
        self.mask, self.norm, self.step = mask, norm, step
        self.embedding = nn.Embedding(len(LETTERS) + 3, WIDTH)
        self.attentions = nn.ModuleList(_Attention(split, contributions) for _ in range(2))
        self.feeds = nn.ModuleList(
            nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.ReLU(), nn.Linear(4 * WIDTH, WIDTH))
            for _ in range(2)
        )
        self.gains = nn.ParameterList(nn.Parameter(torch.ones(WIDTH)) for _ in range(4))
        self.shifts = nn.ParameterList(nn.Parameter(torch.zeros(WIDTH)) for _ in range(4))
        self.to_logits = nn.Linear(WIDTH, len(LETTERS) + 3)
        self.register_buffer("places", sinusoidal_encoding(2 * LONGEST + 2, WIDTH))

    def _layers(self, tokens: Tensor, start: int, attends: list[Callable[..., Tensor]]) -> Tensor:
        x = self.embedding(tokens) + self.places[start : start + tokens.shape[1]]  # type: ignore[index]
        for layer, (attention, feed) in enumerate(zip(self.attentions, self.feeds, strict=True)):
            for part, y in ((0, attention(x, attends[layer])), (1, None)):
                y = feed(x) if y is None else y
                x = self.norm(x, y, self.gains[2 * layer + part], self.shifts[2 * layer + part], 1e-5)
        return self.to_logits(x)

    def forward(self, tokens: Tensor) -> Tensor:
        """Return logits [B, L, V] for tokens [B, L], all at once."""
        mask = self.mask(tokens != PAD)

        def attend(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
            scores = query @ key.mT / math.sqrt(query.shape[-1])
            return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ value

        return self._layers(tokens, 0, [attend, attend])

    def steps(self, tokens: list[int], start: int, caches: list[Any]) -> Tensor:
        """Return the same, a token at a time: logits [1, T, V]; each layer's cache in ``caches`` grows."""

        def attend_in(layer: int) -> Callable[[Tensor, Tensor, Tensor], Tensor]:
            def attend(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
                output, caches[layer] = self.step(query, key, value, caches[layer])
                return output

            return attend

        attends = [attend_in(layer) for layer in range(2)]
        logits = [self._layers(torch.tensor([[t]]), start + n, attends) for n, t in enumerate(tokens)]
        return torch.cat(logits, dim=1)


def _word(generator: torch.Generator) -> str:
    length = int(torch.randint(3, LONGEST + 1, (), generator=generator))
    return "".join(LETTERS[i] for i in torch.randint(len(LETTERS), (length,), generator=generator))


def _train(model: _Model) -> None:
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-3, total_steps=STEPS)
    generator = torch.Generator().manual_seed(2)
    for _ in range(STEPS):
        rows = []
        for _ in range(32):
            word = [LETTERS.index(letter) for letter in _word(generator)]
            row = [*word, TURN, *reversed(word), END]
            rows.append(row + [PAD] * (2 * LONGEST + 2 - len(row)))
        tokens = torch.tensor(rows)
        inputs, targets = tokens[:, :-1], tokens[:, 1:]  # the target is shifted by one
        judged = ((inputs == TURN).cumsum(dim=1) > 0) & (targets != PAD)
        loss = F.cross_entropy(model(inputs)[judged], targets[judged])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()


@torch.no_grad()
def _write(model: _Model, word: str, greedy: Callable[..., list[int]]) -> str:
    caches: list[Any] = [None, None]
    prompt = [LETTERS.index(letter) for letter in word]
    model.steps(prompt, 0, caches)
    logits: list[Tensor] = []

    def next_logits(tokens: Tensor) -> Tensor:
        new = tokens[0, len(logits) :].tolist()
        logits.extend(model.steps(new, len(prompt) + len(logits), caches).unbind(dim=1))
        return torch.stack(logits, dim=1)

    written = greedy(next_logits, TURN, END, len(word) + 1)
    return "".join(LETTERS[token] if token < TURN else "?" for token in written)
