"""Check the arguments of models: ValueError (IndexError for a token), in both languages."""

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.encodings.known import hides_numbers, keep_results_of, result_of
from posenc_lessons.language import BilingualIndexError, BilingualValueError


def head_width(d_model: int, n_heads: int, d_head: int | None = None) -> int:
    """Return ``d_head``, or d_model / n_heads for None; ValueError if that is not a whole number."""
    d_model, n_heads = whole_number("d_model", d_model, 1), whole_number("n_heads", n_heads, 1)
    if d_head is not None:
        return whole_number("d_head", d_head, 1)
    if d_model % n_heads:
        raise BilingualValueError(
            f"n_heads 必须整除 d_model，收到 d_model={d_model}，n_heads={n_heads}",
            f"n_heads must divide d_model; got d_model={d_model}, n_heads={n_heads}",
        )
    return d_model // n_heads


def heads_of_keys(n_heads: int, n_kv_heads: int | None) -> int:
    """Return ``n_kv_heads``, or ``n_heads`` for None; ValueError unless it divides ``n_heads``."""
    if n_kv_heads is None:
        return n_heads
    if n_heads % whole_number("n_kv_heads", n_kv_heads, 1):
        raise BilingualValueError(
            f"n_kv_heads 必须整除 n_heads，收到 n_heads={n_heads}，n_kv_heads={n_kv_heads}",
            f"n_kv_heads must divide n_heads; got n_heads={n_heads}, n_kv_heads={n_kv_heads}",
        )
    return int(n_kv_heads)


def check_tokens(name: str, tokens: Tensor, vocab_size: int) -> None:
    """Raise ValueError unless ``tokens`` are whole numbers [B, L]; IndexError outside the vocabulary."""
    whole = not (tokens.is_floating_point() or tokens.is_complex() or tokens.dtype == torch.bool)
    if tokens.ndim != 2 or not tokens.shape[1] or not whole:
        raise BilingualValueError(
            f"{name} 必须是形状 [B, L] 的整数，长度至少为 1，收到 {tokens.dtype} {list(tokens.shape)}",
            f"{name} must be whole numbers of shape [B, L], a length of at least 1; "
            f"got {tokens.dtype} {list(tokens.shape)}",
        )
    if not tokens.numel() or hides_numbers(tokens):
        return
    first, last = torch.stack(tokens.aminmax()).tolist()
    if first < 0 or last >= vocab_size:
        outside = first if first < 0 else last
        raise BilingualIndexError(
            f"{name} 必须是 0 到 {vocab_size - 1}（词表大小 {vocab_size}），收到 {outside}",
            f"{name} must be 0 to {vocab_size - 1}, for a vocabulary of {vocab_size}; got {outside}",
        )


def check_real(name: str, real: Tensor, x: Tensor) -> None:
    """Raise ValueError unless ``real`` is a bool for each of the tokens ``x`` [B, L, …]."""
    shape = list(x.shape[:2])
    if real.dtype != torch.bool or list(real.shape) != shape:
        raise BilingualValueError(
            f"{name} 必须是形状 {shape} 的 bool，填充为 False，收到 {real.dtype} {list(real.shape)}",
            f"{name} must be bool of shape {shape}, False at padding; got {real.dtype} {list(real.shape)}",
        )


def check_inputs(
    query: Tensor, key: Tensor | None, value: Tensor | None, key_positions: object, d_model: int
) -> None:
    """Raise ValueError unless attention's inputs have fitting shapes.

    ``query`` is [B, Lq, d_model], ``key`` and ``value`` [B, Lk, d_model] or None.
    """
    if (key is None) != (value is None) or (key is None and key_positions is not None):
        raise BilingualValueError(
            "key、value 要么都给，要么都不给；都不给是自注意力，query_positions 同时也是键的位置",
            "give both key and value, or neither: that is self-attention, whose query_positions are also "
            "those of the keys",
        )
    batch = query.shape[0] if query.ndim == 3 else None
    check_vectors("query", query, d_model, batch)
    if key is not None and value is not None:
        check_vectors("key", key, d_model, batch)
        check_vectors("value", value, d_model, batch, key.shape[1])


def check_vectors(
    name: str, x: Tensor, d_model: int, batch: int | None = None, length: int | None = None
) -> None:
    """Raise ValueError unless ``x`` is [batch, length, d_model]; None allows any batch or length above 0."""
    rows = x.shape[0] if batch is None and x.ndim else batch
    if x.ndim != 3 or x.shape != (rows, length or x.shape[1], d_model) or not x.shape[1]:
        shape = f"[{'B' if batch is None else batch}, {length or 'L'}, {d_model}]"
        raise BilingualValueError(
            f"{name} 的形状必须是 {shape}（批量、不小于 1 的长度、d_model），收到 {list(x.shape)}",
            f"{name} must have shape {shape} (batch, length of at least 1, d_model); got {list(x.shape)}",
        )


def mask_of_four_axes(mask: Tensor, full: tuple[int, ...]) -> Tensor:
    """Return ``mask`` with four axes that broadcast to ``full`` = (B, n_heads, Lq, Lk); else ValueError."""
    if mask.dtype != torch.bool:
        raise BilingualValueError(
            f"mask 必须是 bool，True 表示可以看，收到 {mask.dtype}。"
            f"由 1 和 0 组成的请写 mask != 0；由 0 和 −inf 组成、本要加到分数上的请写 mask == 0",
            f"mask must be bool, True where a query may look; got {mask.dtype}. From 1 and 0 make it "
            f"with mask != 0; from 0 and −inf, meant to be added to the scores, with mask == 0",
        )
    if not fits(mask.shape, full):
        raise BilingualValueError(
            f"mask 必须能广播到 [B, n_heads, Lq, Lk] = {list(full)}，收到 {list(mask.shape)}。"
            f"如果它是 [B, Lk]，请写 mask[:, None, None, :]",
            f"mask must be broadcastable to [B, n_heads, Lq, Lk] = {list(full)}; got {list(mask.shape)}. "
            f"For [B, Lk] write mask[:, None, None, :]",
        )
    if mask.ndim == 3 and mask.shape[0] > 1:
        raise BilingualValueError(
            f"mask {list(mask.shape)} 可能是每个序列一个，也可能是每个头一个："
            f"请写 mask[:, None] 或 mask[None]",
            f"mask {list(mask.shape)} could be one per sequence or one per head: "
            f"write mask[:, None] or mask[None]",
        )
    return mask if mask.ndim == 4 else mask[(None,) * (4 - mask.ndim)]


def known_to_hide_no_row(mask: Tensor | None) -> Tensor | None:
    """Mark ``mask`` as one with which every query sees a key, so that attention need not check it."""
    return None if mask is None else keep_results_of(mask, hides_no_row=True)


def check_no_row_is_hidden(mask: Tensor) -> None:
    """Raise ValueError if a query sees no key in ``mask`` [B, H, Lq, Lk]."""
    if hides_numbers(mask) or result_of(mask, "hides_no_row"):
        return
    hidden = ~mask.any(dim=-1)
    if hidden.any():
        batch, _, row = hidden.nonzero()[0].tolist()
        raise BilingualValueError(
            f"mask 让批量 {batch} 的第 {row} 行查询看不到任何键，softmax 无从分配；请至少让它看到一个键",
            f"mask hides every key from query row {row} of batch {batch}, so softmax has nothing to "
            f"distribute. Let it see at least one key",
        )


def fits(shape: torch.Size, full: tuple[int, ...]) -> bool:
    """Return True if ``shape`` broadcasts to ``full`` without enlarging it."""
    pairs = zip(reversed(shape), reversed(full), strict=False)
    # Not ``n in (1, m)``: compiled for any length, sizes are symbols, which ``in`` does not compare.
    return len(shape) <= len(full) and all(n == 1 or n == m for n, m in pairs)
