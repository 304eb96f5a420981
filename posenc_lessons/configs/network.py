"""A small model, how it is called, and what its runs show of each layer.

One run shows where attention is; one with a single token changed shows who sees it; in the others each
attention gets the same vector at all positions, so that queries, keys and scores differ only by position.
"""

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from posenc_lessons.configs.small import VOCABULARY, Small, attribute, built
from posenc_lessons.configs.watching import MASKED, Attended, Watch, watched

LENGTH, BATCH = 24, 4
#: Tokens at position 0 before those that are compared: short convolutions mix a token with some before it.
WARM = 4
#: Positions at which queries and keys are compared with an encoding's, as far as a model takes them.
FAR = (0, 1, 2, 3, 7, 16, 29, 64, 101, 313, 487, 1201, 3301, 8191, 16383, 131071, 10**6)
_CROSS = re.compile(r"cross|encoder_attn|EncDecAttention|encoder_decoder", re.IGNORECASE)
_SIDE = re.compile(r"speech|vision|audio|image|t2u|patcher|entity")


@dataclass
class Place:
    """A layer of the small model.

    runs: passes through it. view: how far it sees, and the width. keys_of: an earlier layer with the same
    keys.
    """

    encoder: bool
    attends: bool = False
    runs: int = 0
    view: tuple[str, int | None] = ("whole", None)
    keys_of: int | None = None


class Network:
    """A small model whose layers were looked for, and that can be run at any positions.

    Attributes:
        places: its layers.
        tables: those that may be added before the first layer: name, table and the row of position 0.
        adds: whether the first layer's input depends on the position.
        positions: the farthest that it takes; None if it counts itself. at: those, or as it counts.
        frequencies: those that its rotary modules have, with their factor of queries and keys.
    """

    def __init__(self, small: Small) -> None:
        self.small, self.module = small, built(small.config)
        self.accepts = set(inspect.signature(self.module.forward).parameters)
        self.places: list[Place] = []
        self.tables: list[tuple[str, Tensor, int]] = []
        self.adds = False
        self._attentions: frozenset[int] = frozenset()
        self._runs: dict[tuple[int, ...], Watch | None] = {}
        self._number: dict[int, int] = {}  # of the layer in which a call of a module was
        _wake(self.module)
        plain = watched(self.module, self.inputs(2, LENGTH), LENGTH)
        self._find_layers(plain)
        self._find_tables(plain)
        self._who_sees_whom()
        self.positions = self._far_positions()
        self.at = torch.arange(LENGTH) if self.positions is None else self.positions
        self.frequencies = list(self._own_frequencies())  # now: a longer text may change them

    def _own_frequencies(self) -> Iterator[tuple[Tensor, float]]:
        for module in self.module.modules():
            for name, buffer in module.named_buffers(recurse=False):
                if buffer.ndim == 1 and "inv_freq" in name and "original" not in name:
                    scale = getattr(module, name.replace("inv_freq", "attention_scaling"), 1.0)
                    yield buffer.double().abs(), float(scale)

    def inputs(self, batch: int, length: int, positions: Tensor | None = None) -> dict[str, Any]:
        """Return inputs: each text one repeated token. ``positions`` [L], or [L, axes]."""
        tokens = (10 + torch.arange(batch) % (VOCABULARY - 20))[:, None].expand(batch, length).contiguous()
        inputs: dict[str, Any] = {"input_ids": tokens, "decoder_input_ids": tokens, "use_cache": False}
        if positions is not None:
            rows = positions.t()[..., None, :]  # [1, L] or [axes, 1, L]
            inputs["position_ids"] = rows.expand(*rows.shape[:-2], batch, length).contiguous()
            inputs["decoder_position_ids"] = inputs["position_ids"]
        return {name: value for name, value in inputs.items() if name in self.accepts}

    def still(self, positions: Tensor | None) -> Watch | None:
        """Run with the same random vector at all positions of a text; at 0 … L−1 if ``positions`` is None.

        Returns None for positions that the model does not take.
        """

        def same(hidden: Tensor) -> Tensor:
            numbers = torch.Generator().manual_seed(hidden.shape[-1])
            rows = torch.randn(hidden.shape[0], 1, hidden.shape[-1], generator=numbers)
            return rows.expand(hidden.shape).contiguous()

        key = () if positions is None else (positions.ndim, *positions.flatten().tolist())
        if key not in self._runs:
            if positions is not None:
                positions = torch.cat((positions.new_zeros(WARM, *positions.shape[1:]), positions))
            length = LENGTH if positions is None else len(positions)
            inputs = self.inputs(BATCH, length, positions)
            try:
                self._runs[key] = watched(self.module, inputs, length, self._attentions, same)
            except (IndexError, RuntimeError, ValueError, TypeError):
                if positions is None:
                    raise
                self._runs[key] = None
        return self._runs[key]

    def of_layer(self, watch: Watch | None, layer: int, of: str = "attention") -> Attended | None:
        """Return the first self-attention (or indexer) of a layer in a run."""
        records = watch.attended if watch is not None else []
        runs = (record for record in records if record.of == of and _is_own(record))
        return next((record for record in runs if self._number.get(record.layer) == layer), None)

    def features(self, layer: int, positions: Tensor | None, of: str = "attention") -> Tensor | None:
        """Return the queries ("attention", "indexer") or keys ("key") of a layer at ``positions``.

        [B, H, P, d], with the features in the order of the weights; None if they were not seen.
        """
        record = self.of_layer(self.still(positions), layer, "attention" if of == "key" else of)
        if record is None or record.query is None or record.query.ndim != 4:
            return None
        features = record.key if of == "key" else record.query
        if features is None or features.shape[-1] != record.query.shape[-1] or not features.any():
            return None
        features = features[..., 0 if positions is None else WARM :, :]
        scales = {1.0, *(scale for _, scale in self.frequencies)}
        order = _order_of_weights(record.query[0, 0, 0], record.linear, scales)
        return features if order is None else features[..., order]

    def _find_layers(self, plain: Watch) -> None:
        """Number the layers, several passes through one layer of a list alike, and note which attend."""
        modules: dict[str, set[int]] = {}
        for call in plain.calls:
            modules.setdefault(call.list, set()).add(id(call.module))
        # Some code has its feed-forward networks in a list of their own.
        attending = {plain.calls[record.layer].list for record in plain.attended if _is_own(record)}
        attending |= {plain.calls[index].list for _, index in plain.unseen if index >= 0}
        whole = sum(map(len, modules.values())) <= (attribute(self.small.config, "num_hidden_layers") or 0)
        numbers: dict[tuple[int, int], int] = {}
        for index, call in enumerate(plain.calls):
            if _SIDE.search(call.list) or not (whole or not attending or call.list in attending):
                continue
            key = (id(call.module), index if len(modules[call.list]) == 1 else 0)
            if key not in numbers:
                numbers[key] = len(self.places)
                self.places.append(Place(bool(re.search(r"(^|\.)encoder\.", f"{call.list}."))))
            self._number[index] = numbers[key]
            self.places[numbers[key]].runs += 1
        keys: dict[int, Tensor] = {}
        for record in plain.attended:
            if not _is_own(record) or record.of != "attention":
                continue
            self._attentions |= {id(record.module)}
            if (number := self._number.get(record.layer)) is None:
                continue
            self.places[number].attends = True
            if record.key is not None and number not in keys and record.key.any():
                same = (earlier for earlier, key in keys.items() if torch.equal(key, record.key))
                self.places[number].keys_of = next(same, None)
                keys[number] = record.key
        for attention, index in plain.unseen:
            if index in self._number and not _CROSS.search(plain.names.get(id(attention), "")):
                self.places[self._number[index]].attends = True
                self._attentions |= {id(attention)}

    def _find_tables(self, plain: Watch) -> None:
        """Find tables read by position, and whether the first layer's input depends on the position."""
        hidden = [call.hidden for index, call in enumerate(plain.calls) if index in self._number]
        if not hidden:
            return
        first = hidden[0] if hidden[0].shape[1] == LENGTH else hidden[0].transpose(0, 1)  # [B, L, …]
        # N-grams make the first inputs differ, and no others.
        self.adds = bool((first - first[:, 8:9])[:, 8:].abs().max() > 1e-6 * first.abs().max())
        for lookup in plain.lookups:
            if lookup.table.ndim != 2 or not lookup.indices.ndim or _SIDE.search(lookup.name):
                continue
            row = lookup.indices.reshape(-1, lookup.indices.shape[-1])[0]
            if torch.equal(row - row[:1], torch.arange(LENGTH)):
                self.tables.append((lookup.name, lookup.table, int(row[0])))
        if self.adds and not self.tables:  # sines that are computed, or a buffer that is read by slices
            width = first.shape[-1]
            for name, buffer in (*self.module.named_buffers(), *self.module.named_parameters()):
                if buffer.ndim >= 2 and buffer.shape[-1] == width and "pos" in name:
                    self.tables.append((name, buffer.detach().reshape(-1, width), 0))

    def _who_sees_whom(self) -> None:
        """Change one token at a time in the input of every attention, and see which outputs change."""

        def one_changed(hidden: Tensor) -> Tensor:
            numbers = torch.Generator().manual_seed(hidden.shape[-1])
            base = torch.randn(1, LENGTH, hidden.shape[-1], generator=numbers)
            changes = 3 * torch.randn(LENGTH, hidden.shape[-1], generator=numbers)
            rows = base.repeat(hidden.shape[0], 1, 1)
            rows[torch.arange(1, LENGTH + 1), torch.arange(LENGTH)] += changes
            return rows

        inputs = self.inputs(LENGTH + 1, LENGTH)
        watch = watched(self.module, inputs, LENGTH, self._attentions, one_changed)
        patterns: dict[int, list[Tensor]] = {}
        for number in range(len(self.places)):
            # Weights of a sharp softmax may be too small to see, so what the mask lets through counts first.
            if (record := self.of_layer(watch, number)) is not None:
                patterns[number] = [(record.scores[0] > MASKED).reshape(-1, LENGTH, LENGTH)[0]]
        for call, result in watch.outputs:
            number = self._number.get(call, -1)
            if result.ndim == 3 and result.shape[:2] == (LENGTH + 1, LENGTH) and number >= 0:
                changed = (result[1:] - result[:1]).abs().amax(-1).T  # [L, L]: output i, change of token j
                patterns.setdefault(number, []).append(changed > 1e-5 * result.abs().max())
        for number, seen_by in patterns.items():
            views = [_view(pattern) for pattern in (*seen_by[:2], torch.stack(seen_by[:2]).any(0))]
            self.places[number].view = next((view for view in views if view[0] != "other"), views[-1])

    def _far_positions(self) -> Tensor | None:
        """Return positions that the model takes, as far apart as it can; None if it counts by itself."""
        if "position_ids" not in self.accepts:
            return None
        tables = [len(table) - 8 for _, table, _ in self.tables]
        limit = min((*trained_lengths(self.small.full), *tables, 2**21))
        runs = (torch.tensor([at for at in FAR if at < least]) for least in (limit, 512, 128))
        return next((positions for positions in runs if self.still(positions) is not None), None)


def _is_own(record: Attended) -> bool:
    """Return whether this is self-attention of the text."""
    return not _CROSS.search(record.name) and not _SIDE.search(record.name) and record.layer >= 0


def _order_of_weights(head: Tensor, linear: list[Tensor], scales: set[float]) -> Tensor | None:
    """Return an order [d] of the features of ``head``, the first one's at position 0, as in its projection.

    Features that rotate may have a factor, one of ``scales``. Code may put neighbours into halves before it
    turns them; the pairs of the *weights* are then neighbours.
    """
    for result in reversed(linear):
        same = torch.stack([head[:, None] == scale * result for scale in scales]).any(0)
        places = same.nonzero()  # [matches, (feature, place)]
        if torch.equal(places[:, 0], torch.arange(len(head))):
            order = places[:, 1].argsort()
            in_a_row = torch.equal(places[order, 1] - places[order[0], 1], torch.arange(len(head)))
            return order if in_a_row else None
    return None


def _wake(module: nn.Module) -> None:
    """Fill matrices that begin as zeros, whose output would show nothing."""
    numbers = torch.Generator().manual_seed(7)
    for parameter in module.parameters():
        if parameter.ndim >= 2 and parameter.is_floating_point() and not parameter.detach().any():
            parameter.data = 0.05 * torch.randn(parameter.shape, generator=numbers)


def _view(pattern: Tensor) -> tuple[str, int | None]:
    """Return how far tokens see, from [L, L]: query i sees key j. "other" if it is none of the known ways."""
    i, j = torch.arange(LENGTH)[:, None], torch.arange(LENGTH)
    width, most = int(pattern[-1].sum()), int(pattern.sum(1).max())
    ways: list[tuple[str, int | None, Tensor]] = [
        ("everything", None, torch.ones_like(pattern)),
        ("whole", None, j <= i),
        ("sliding", width, (j <= i) & (i - j < width)),
        ("both_sides", width - 1, (i - j).abs() < width),
        ("chunked", most, (j <= i) & (i // max(most, 1) == j // max(most, 1))),
    ]
    return next(((name, size) for name, size, way in ways if torch.equal(pattern, way)), ("other", None))


def trained_lengths(config: Any) -> list[int]:
    """Return the lengths beyond which frequencies change with the text."""
    return [
        rope.get("original_max_position_embeddings") or config.max_position_embeddings
        if rope.get("rope_type") == "longrope"
        else config.max_position_embeddings
        for rope in ropes_of(config)
        if rope.get("rope_type") in ("longrope", "dynamic")
    ]


def ropes_of(config: Any) -> list[dict[str, Any]]:
    """Return the settings of RoPE in a configuration: one for all layers, or one for each type of layer."""
    rope = attribute(config, "rope_parameters")
    if not isinstance(rope, dict) or not rope:
        return []
    nested = [value for value in rope.values() if isinstance(value, dict)]
    return nested or [rope]
