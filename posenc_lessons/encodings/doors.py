"""The four doors: the only places where a position can enter attention.

Attention by itself cannot see order. ``PositionEncoding`` names the four places where order can be let in,
each a method that does nothing. An encoding overrides the methods of its doors, and attention
(``posenc_lessons.models.MultiHeadAttention``) calls all four without knowing any encoding by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import torch
from torch import Tensor, nn

from posenc_lessons.encodings.positions import positions_of
from posenc_lessons.language import BilingualValueError

Role = Literal["query", "key"]  # what door 2 is given

# (score, sequence, head, place of the query, place of the key) → score: FlexAttention asks for each pair.
ScoreMod = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor], Tensor]


class PositionEncoding(nn.Module):
    """Base of every encoding; itself the encoding that says nothing about position.

    ``positions`` are always explicit, of shape [L] or [B, L] (one row per sequence), so that offsets, caches
    and packed sequences need nothing special. B is the batch, H the heads, L a length, q and k mark query
    and key.

    All layers of a model are handed the same tensor of positions. What a hook has to know of the numbers in
    it (the largest, whether they are in order) it asks of ``summary_of(positions)``, and what all layers
    share (RoPE's cosines, say) it gets from ``worked_out_once(positions, what, work_out)``: then a device is
    waited for once per forward, not once per layer. See ``posenc_lessons.encodings.positions``.

    Every encoding here goes through ``torch.compile(fullgraph=True)`` and a strict ``torch.export``, forward
    and backward, but for one: RoPE with an extension that follows the length of each text, which has to look.
    """

    #: True when ``score_bias`` must be shown the scores. The fused attention kernel cannot show them, so it
    #: is not used for such an encoding.
    reads_scores: bool = False

    def add_to_embeddings(self, embeddings: Tensor, positions: Tensor) -> Tensor:
        """Door 1. ``embeddings`` [B, L, d_model] → the same shape, with the positions in them."""
        return embeddings

    def turn(self, x: Tensor, positions: Tensor, role: Role = "query") -> Tensor:
        """Door 2. Queries or keys ``x`` [B, H, L, d_head] → the same shape.

        Attention calls it once for each, and ``role`` says which they are.
        """
        return x

    def score_bias(
        self,
        query: Tensor,
        key: Tensor,
        query_positions: Tensor,
        key_positions: Tensor,
        scores: Tensor | None,
    ) -> Tensor | None:
        """Door 3. What to add to the scores, broadcastable to [B, H, Lq, Lk], or None for nothing.

        ``query`` [B, H, Lq, d_head] and ``key`` [B, H, Lk, d_head] have been through door 2 and are not
        divided by √d_head. The scores that the answer is added to *are* divided, so a bias made from products
        with query or key divides by √d_head too.
        ``scores`` [B, H, Lq, Lk] is None unless ``reads_scores``: divided, and −inf at hidden keys.
        """
        return None

    def score_mod(
        self, query: Tensor, key: Tensor, query_positions: Tensor, key_positions: Tensor
    ) -> ScoreMod | None:
        """Door 3 without a tensor of the size of the scores: a function that adds to one score at a time.

        For ``torch.nn.attention.flex_attention``, whose scores are divided by √d_head before they reach it;
        equal to adding ``score_bias``. None where an encoding has no such function.
        """
        return None

    def value_bias(self, weights: Tensor, query_positions: Tensor, key_positions: Tensor) -> Tensor | None:
        """Door 4. What to add to Σ_n weights·value, [B, H, Lq, d_head], or None for nothing.

        ``weights`` [B, H, Lq, Lk] are those the values are weighed with (after dropout).
        """
        return None

    @property
    def doors(self) -> tuple[int, ...]:
        """The numbers of the doors this encoding uses, e.g. ``(1,)``: those whose method it overrides."""
        hooks = ("add_to_embeddings", "turn", "score_bias", "value_bias")
        mine, silent = type(self), PositionEncoding
        return tuple(n for n, hook in enumerate(hooks, 1) if getattr(mine, hook) is not getattr(silent, hook))

    @property
    def allows_cache(self) -> bool:
        """False when what was worked out for a token changes as later ones come (angles that depend on the
        sequence's length, say): then nothing of it can be kept while decoding."""
        return True

    def forward(self, embeddings: Tensor, positions: Tensor | None = None) -> Tensor:
        """Door 1 outside attention: ``encoding(embeddings)`` adds positions 0 … L−1, or those given.

        Raises:
            ValueError: this encoding does not use door 1, so it belongs inside attention.
        """
        if 1 not in self.doors:
            name, doors = type(self).__name__, ", ".join(map(str, self.doors)) or "–"
            raise BilingualValueError(
                f"{name} 不往嵌入里加东西（它用的门：{doors}），请交给 MultiHeadAttention(encoding=...)",
                f"{name} adds nothing to embeddings (its doors: {doors}); "
                f"give it to MultiHeadAttention(encoding=...)",
            )
        if positions is None:
            positions = torch.arange(embeddings.shape[-2], device=embeddings.device)
        return self.add_to_embeddings(embeddings, positions)


def check_embeddings(embeddings: Tensor, positions: Tensor, d_model: int) -> None:
    """ValueError unless ``embeddings`` is [B, L, d_model] and ``positions`` fits it."""
    if embeddings.ndim != 3 or embeddings.shape[-1] != d_model:
        raise BilingualValueError(
            f"embeddings 的形状必须是 [B, L, {d_model}]，收到 {list(embeddings.shape)}",
            f"embeddings must have shape [B, L, {d_model}]; got {list(embeddings.shape)}",
        )
    positions_of("positions", positions, embeddings.shape[0], embeddings.shape[1], embeddings.device)
