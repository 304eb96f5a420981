"""Greedy decoding: choose the most likely next token, again and again, with a cache."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.models.cache import Cache
from posenc_lessons.models.transformer import DecoderOnly, Seq2Seq

# (tokens [B, n], which of them are real, cache) → logits [B, n, vocab]
Step = Callable[[Tensor, Tensor | None, Cache | None], Tensor]


def generate(
    model: DecoderOnly, tokens: Tensor, n_new: int, real: Tensor | None = None, *, use_cache: bool = True
) -> Tensor:
    """Return ``tokens`` [B, L] followed by ``n_new`` new ones: [B, L + n_new]. Dropout is off meanwhile.

    Args:
        real: bool [B, L], False at padding, on either side; the first new token is predicted from the last
            real one.
        use_cache: False computes all tokens again at every step: the same result, but slower.

    Raises:
        ValueError, IndexError: as ``model(tokens)``; IndexError also when a learned table is full.

    >>> model = DecoderOnly(vocab_size=9, d_model=8, n_heads=2, n_layers=2, encoding="rotary")
    >>> generate(model, torch.tensor([[3, 1, 4]]), n_new=5).shape
    torch.Size([1, 8])
    """
    n_new = whole_number("n_new", n_new, 1)

    def step(tokens: Tensor, real: Tensor | None, cache: Cache | None) -> Tensor:
        return model(tokens, cache=cache, real=real)

    with _in_eval_mode(model):
        cache = model.new_cache() if use_cache else None
        return torch.cat((tokens, _greedy(step, tokens, real, n_new, cache)), dim=1)


def translate(
    model: Seq2Seq,
    source: Tensor,
    start: int,
    end: int,
    max_len: int,
    source_real: Tensor | None = None,
    *,
    use_cache: bool = True,
) -> Tensor:
    """Return the model's target for ``source`` [B, S]: [B, T], T ≤ max_len, without the start token.

    Each row is filled with ``end`` after its first ``end`` token. A row without ``end`` was not finished
    after ``max_len`` tokens. Dropout is off meanwhile.

    Args:
        start, end: the target tokens that open and close every target.
        source_real: bool [B, S], False at padding.
        use_cache: see ``generate``.

    Raises:
        ValueError, IndexError: as ``model.encode(source)``; IndexError for a wrong ``start``.

    >>> model = Seq2Seq(source_vocab=7, target_vocab=9, d_model=8, n_heads=2, n_layers=1)
    >>> target = translate(model, torch.tensor([[3, 1, 4]]), start=0, end=1, max_len=6)
    >>> len(target), target.shape[1] <= 6
    (1, True)
    """
    max_len = whole_number("max_len", max_len, 1)
    with _in_eval_mode(model):
        memory = model.encode(source, source_real)

        def step(tokens: Tensor, real: Tensor | None, cache: Cache | None) -> Tensor:
            return model.decode(tokens, memory, source_real, cache)

        cache = model.new_cache() if use_cache else None
        first = torch.full((len(source), 1), start, device=source.device)
        return _greedy(step, first, None, max_len, cache, end)


def _greedy(
    step: Step, tokens: Tensor, real: Tensor | None, n_new: int, cache: Cache | None, end: int | None = None
) -> Tensor:
    """Return ``n_new`` tokens [B, n_new], or fewer once every row has its ``end``."""
    logits = step(tokens, real, cache)
    logits = logits[torch.arange(len(tokens), device=tokens.device), _last_real(tokens, real)]
    new: list[Tensor] = []
    ended = torch.zeros(len(tokens), dtype=torch.bool, device=tokens.device)
    while True:
        token = logits.argmax(dim=-1)
        if end is not None:
            token = token.masked_fill(ended, end)
            ended = ended | (token == end)
        new.append(token)
        if len(new) == n_new or (end is not None and bool(ended.all())):
            return torch.stack(new, dim=1)
        token = token[:, None]
        if cache is None:
            tokens = torch.cat((tokens, token), dim=1)
            real = (
                None if real is None else torch.cat((real, torch.ones_like(token, dtype=torch.bool)), dim=1)
            )
            logits = step(tokens, real, None)[:, -1]
        else:
            logits = step(token, None, cache)[:, -1]


def _last_real(tokens: Tensor, real: Tensor | None) -> Tensor:
    """Return the index of the last real token of each row, [B]."""
    if real is None:
        return torch.full((len(tokens),), tokens.shape[1] - 1, device=tokens.device)
    return (torch.arange(tokens.shape[1], device=tokens.device) * real).argmax(dim=-1)


@contextmanager
def _in_eval_mode(model: nn.Module) -> Iterator[None]:
    """Switch gradients and dropout off for a while; restore the model's mode afterwards."""
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        model.train(was_training)
