"""The four doors: the places where a position can enter the formula of attention.

Attention by itself cannot see order. ``PositionEncoding`` has a method that does nothing for each of the four
places where order can enter. An encoding overrides the methods of its doors. Attention
(``posenc_lessons.models.MultiHeadAttention``) calls all four and knows no encoding by name.

Masks and windows stand beside the doors: they decide which keys a query sees, and so a causal mask by itself
lets some of the order in. Layers without attention, recurrence or convolution, use no door.
"""

from collections.abc import Iterable
from typing import Literal

import torch
from torch import Tensor, nn

from posenc_lessons.encodings.positions import Located, Positions, positions_of
from posenc_lessons.language import BilingualValueError

Role = Literal["query", "key"]  # what door 2 rotates
Scores = Tensor | None  # [B, H, Lq, Lk]; None for an encoding that does not read them


class PositionEncoding(nn.Module):
    """Base class of every encoding; by itself it is an encoding without positions.

    ``positions`` are always explicit, of shape [L] or [B, L] (one row per sequence), so offsets, caches and
    packed sequences need nothing special. B is the batch, H the heads, L a length; q and k mark query and
    key. For an encoding that reads several coordinates of a token (``axes``), positions are [L, axes] or
    [B, L, axes].

    All layers of a model get the same tensor of positions. A hook that needs their values (the largest,
    whether they are in order) calls ``summary_of(positions)``; results that all layers share (RoPE's cosines,
    say) come from ``computed_once(positions, name, compute)``. The host then waits for the device once per
    forward instead of once per layer. See ``posenc_lessons.encodings.known``.

    Every encoding here goes through ``torch.compile(fullgraph=True)`` and a strict ``torch.export``, forward
    and backward, with one exception: RoPE with an extension that follows the length of each text has to read
    the positions' values.

    A new encoding overrides the methods of its doors:

    >>> class Nearby(PositionEncoding):
    ...     def score_bias(self, query, key, query_positions, key_positions, scores):
    ...         distances = key_positions[..., None, :] - query_positions[..., :, None]  # [Lq, Lk] or [B, …]
    ...         return -distances.abs().to(query.dtype)[..., None, :, :]  # the same for every head
    >>> Nearby().doors
    (3,)
    >>> MultiHeadAttention(d_model=16, n_heads=2, encoding=Nearby())(torch.randn(2, 5, 16)).shape
    torch.Size([2, 5, 16])
    """

    #: True if ``score_bias`` needs the scores. The fused attention kernel does not give them, so attention
    #: does not use it for such an encoding.
    reads_scores: bool = False

    #: How many coordinates of a token the encoding reads: 1, its place; 2, a patch's row and column; 3, also
    #: its time.
    axes: int = 1

    #: True if positions have to be given, because they do not follow from the order of tokens: a picture may
    #: have any number of patches in a row. If False, tokens without positions get 0, 1, 2, … on all axes, as
    #: text does in M-RoPE.
    needs_positions: bool = False

    def add_to_embeddings(self, embeddings: Tensor, positions: Tensor) -> Tensor:
        """Door 1: return ``embeddings`` [B, L, d_model] with the positions in them."""
        return embeddings

    def turn(self, x: Tensor, positions: Tensor, role: Role = "query") -> Tensor:
        """Door 2: change queries or keys ``x`` [B, H, L, d_head]; ``role`` says which they are."""
        return x

    def score_bias(
        self, query: Tensor, key: Tensor, query_positions: Tensor, key_positions: Tensor, scores: Scores
    ) -> Tensor | None:
        """Door 3: return what to add to the scores, broadcastable to [B, H, Lq, Lk], or None for nothing.

        ``query`` [B, H, Lq, d_head] and ``key`` [B, H, Lk, d_head] come from door 2 and are not divided by
        √d_head. The scores *are* divided, so a bias made from products with query or key has to be divided by
        √d_head too. ``scores`` [B, H, Lq, Lk] is None unless ``reads_scores``; it is divided, and −inf at
        hidden keys.
        """
        return None

    def value_bias(self, weights: Tensor, query_positions: Tensor, key_positions: Tensor) -> Tensor | None:
        """Door 4: return what to add to Σ_n weights·value, [B, H, Lq, d_head], or None for nothing.

        ``weights`` [B, H, Lq, Lk] are the ones that multiply the values (after dropout).
        """
        return None

    def reads(self, positions: Positions) -> Tensor:
        """Return what this encoding reads of ``positions``: all coordinates, or the place if it has one axis.

        [L] or [B, L]; [L, axes] or [B, L, axes] for several axes.
        """
        if not isinstance(positions, Located):
            return positions
        return positions.places if self.axes == 1 else positions.coordinates

    @property
    def doors(self) -> tuple[int, ...]:
        """The numbers of the doors this encoding uses, such as ``(1,)``: it overrides their methods."""
        hooks = ("add_to_embeddings", "turn", "score_bias", "value_bias")
        return tuple(
            door
            for door, hook in enumerate(hooks, 1)
            if getattr(type(self), hook) is not getattr(PositionEncoding, hook)
        )

    @property
    def allows_cache(self) -> bool:
        """False if keys of earlier tokens change as later tokens come, so that no cache can keep them.

        An example are angles that depend on the length of the sequence.
        """
        return True

    def forward(self, embeddings: Tensor, positions: Tensor | None = None) -> Tensor:
        """Door 1 outside attention: ``encoding(embeddings)`` adds positions 0 … L−1, or those given.

        Raises:
            ValueError: this encoding does not use door 1, so it belongs inside attention; or it needs
                ``positions``, and they are not given.
        """
        if 1 not in self.doors:
            name, doors = type(self).__name__, ", ".join(map(str, self.doors)) or "–"
            raise BilingualValueError(
                f"{name} 不往嵌入里加东西（它用的门：{doors}），请交给 MultiHeadAttention(encoding=...)",
                f"{name} adds nothing to embeddings (its doors: {doors}); "
                f"give it to MultiHeadAttention(encoding=...)",
            )
        if positions is None:
            check_countable(self)
            positions = torch.arange(embeddings.shape[-2], device=embeddings.device)
            positions = positions if self.axes == 1 else positions[:, None].expand(-1, self.axes)
        return self.add_to_embeddings(embeddings, positions)


def agreed_axes(encodings: Iterable[PositionEncoding]) -> int:
    """Return how many coordinates ``encodings`` read; ValueError if two read several, but not as many.

    An encoding that reads one coordinate fits to all others: it gets the place in the sequence.
    """
    axes = {encoding.axes: type(encoding).__name__ for encoding in encodings if encoding.axes > 1}
    if len(axes) > 1:
        listed = ", ".join(f"{name}: {number}" for number, name in axes.items())
        raise BilingualValueError(
            f"这些编码读的坐标个数不同（{listed}），而一个词元只有一组坐标",
            f"these encodings read different numbers of coordinates ({listed}); a token has one set of them",
        )
    return max(axes, default=1)


def check_countable(encoding: PositionEncoding) -> None:
    """Raise ValueError if ``encoding`` needs positions. (Called where none are given.)"""
    if encoding.needs_positions:
        name, axes = type(encoding).__name__, encoding.axes
        raise BilingualValueError(
            f"{name} 读每个词元的 {axes} 个坐标，从先后次序数不出来：请给出 positions，"
            f"一张图用 grid_positions(height, width)",
            f"{name} reads {axes} coordinates of each token, which their order does not tell: "
            f"give positions, for a picture grid_positions(height, width)",
        )


def check_embeddings(embeddings: Tensor, positions: Tensor, d_model: int, axes: int = 1) -> None:
    """Raise ValueError unless ``embeddings`` is [B, L, d_model] and ``positions`` fits it."""
    if embeddings.ndim != 3 or embeddings.shape[-1] != d_model:
        raise BilingualValueError(
            f"embeddings 的形状必须是 [B, L, {d_model}]，收到 {list(embeddings.shape)}",
            f"embeddings must have shape [B, L, {d_model}]; got {list(embeddings.shape)}",
        )
    positions_of("positions", positions, embeddings.shape[0], embeddings.shape[1], embeddings.device, axes)
