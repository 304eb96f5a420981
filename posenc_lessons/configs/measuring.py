"""Measure what each layer of a small model does with positions.

One run shows where attention is; one with a single token changed shows who sees it; in the others each
attention gets the same vector at all positions, so that queries, keys and scores differ only by position.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

from posenc_lessons.configs.small import VOCABULARY, Small, attribute, built
from posenc_lessons.configs.turns import Turn, turn_of
from posenc_lessons.configs.watching import MASKED, Attended, Watch, watched

LENGTH, BATCH = 24, 4
#: Tokens at position 0 before those that are compared: short convolutions mix a token with some before it.
WARM = 4
#: Positions that ``probe_rotation`` asks for, and some at random, with which an encoding is compared.
POWERS = (0, 1, 2, 3, *(2**power for power in range(2, 21)), 10**6)
RANDOM = (7, 29, 101, 313, 487, 1201, 3301, 8191, 16383, 131071)
_CROSS = re.compile(r"cross|encoder_attn|EncDecAttention|encoder_decoder", re.IGNORECASE)
_SIDE = re.compile(r"speech|vision|audio|image|t2u|patcher|entity")


@dataclass
class Evidence:
    """What one layer of the small model showed.

    runs: passes through it. view: how far it sees, and the width. query, key, indexer: how they turn, and
    turns: whether that could be read. scales: rows of the text, their positions, and the length of queries
    there as a multiple of the first. bias: [H, L, L] beside the products; "content" if two texts differ in
    it. more: keys that are not the text's. values: whether they change with position. shares: an earlier
    layer with the same keys.
    """

    encoder: bool
    attends: bool = False
    runs: int = 0
    view: tuple[str, int | None] | None = None
    query: Turn | None = None
    key: Turn | None = None
    indexer: Turn | None = None
    turns: bool = True
    scales: list[tuple[Tensor, Tensor, Tensor]] = field(default_factory=list)
    head: int = 0
    bias: Tensor | str | None = None
    sink: bool = False
    more: int = 0
    values: bool = False
    shares: int | None = None

    @property
    def causal(self) -> bool:
        return self.view is not None and self.view[0] not in ("both_sides", "everything")


@dataclass
class Network:
    """A small model, how it is called, and what its layers showed.

    adds: whether positions are added before the first layer; tables: those that may have been, with their
    names and the row of position 0. positions: the farthest that were asked for; None if it counts itself.
    frequencies: those that its rotary modules have, with their factor of queries and keys.
    """

    small: Small
    module: nn.Module
    attentions: frozenset[int] = frozenset()
    tables: list[tuple[str, Tensor, int]] = field(default_factory=list)
    adds: bool = False
    layers: list[Evidence] = field(default_factory=list)
    positions: Tensor | None = None
    turns: list[Turn] = field(default_factory=list)
    frequencies: list[tuple[Tensor, float]] = field(default_factory=list)
    _runs: dict[tuple[int, ...], Watch] = field(default_factory=dict)
    _number: dict[int, int] = field(default_factory=dict)

    @property
    def accepts(self) -> set[str]:
        """Return the arguments of the model."""
        return set(inspect.signature(self.module.forward).parameters)

    def inputs(self, batch: int, length: int, positions: Tensor | None = None) -> dict[str, Any]:
        """Return inputs: each text one repeated token. ``positions`` [L], or [L, axes]."""
        tokens = (10 + torch.arange(batch) % (VOCABULARY - 20))[:, None].expand(batch, length).contiguous()
        inputs: dict[str, Any] = {"input_ids": tokens, "decoder_input_ids": tokens, "use_cache": False}
        if positions is not None:
            rows = (positions if positions.ndim == 1 else positions.mT)[
                ..., None, :
            ]  # [1, L] or [axes, 1, L]
            inputs["position_ids"] = rows.expand(*rows.shape[:-2], batch, length).contiguous()
            inputs["decoder_position_ids"] = inputs["position_ids"]
        return {name: value for name, value in inputs.items() if name in self.accepts}

    def still(self, positions: Tensor | None) -> Watch:
        """Run with the same random vector at all positions of a text; at 0 … L−1 if ``positions`` is None."""
        key = () if positions is None else (positions.ndim, *positions.flatten().tolist())
        if key not in self._runs:
            length = LENGTH
            if positions is not None:
                positions = torch.cat((positions.new_zeros(WARM, *positions.shape[1:]), positions))
                length = len(positions)

            def same(hidden: Tensor) -> Tensor:
                numbers = torch.Generator().manual_seed(hidden.shape[-1])
                rows = torch.randn(hidden.shape[0], 1, hidden.shape[-1], generator=numbers)
                return rows.expand(hidden.shape).contiguous()

            inputs = self.inputs(BATCH, length, positions)
            watch = self._runs[key] = watched(self.module, inputs, length, self.attentions, same)
            if positions is not None:  # only queries and keys are compared there
                watch.outputs.clear()
                for record in watch.attended:
                    record.scores, record.product, record.value = torch.empty(0), None, None
        return self._runs[key]

    def of_layer(self, watch: Watch, layer: int, of: str = "attention") -> Attended | None:
        """Return the first self-attention (or indexer) of a layer in a run."""
        runs = (record for record in watch.attended if record.of == of and own(record))
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


def own(record: Attended) -> bool:
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


def measure(small: Small) -> Network:
    """Build the small model and measure every layer of it."""
    network = Network(small, built(small.config))
    _wake(network.module)
    plain = watched(network.module, network.inputs(2, LENGTH), LENGTH)
    _find_layers(network, plain)
    _find_tables(network, plain)
    _who_sees_whom(network)
    near = network.still(None)
    network.positions = _far_positions(network)
    for module in network.module.modules():
        for name, buffer in module.named_buffers(recurse=False):
            if buffer.ndim == 1 and "inv_freq" in name and "original" not in name:
                scale = getattr(module, name.replace("inv_freq", "attention_scaling"), 1.0)
                network.frequencies.append((buffer.double().abs(), float(scale)))
    for number, layer in enumerate(network.layers):
        record = network.of_layer(near, number)
        if layer.attends and record is not None:
            layer.sink, layer.more, layer.bias = record.sink, record.more, _bias(record)
            layer.values = record.value is not None and _changes(record.value)
        if layer.attends:
            _turn(network, layer, number)
    return network


def _changes(values: Tensor) -> bool:
    """Return whether rows of ``values`` [..., L, d] differ, from that on which convolutions have filled."""
    return float((values - values[..., WARM : WARM + 1, :])[..., WARM:, :].abs().max()) > 1e-5


def _wake(module: nn.Module) -> None:
    """Fill matrices that begin as zeros, whose output would show nothing."""
    numbers = torch.Generator().manual_seed(7)
    for parameter in module.parameters():
        if parameter.ndim >= 2 and parameter.is_floating_point() and not parameter.detach().any():
            parameter.data = 0.05 * torch.randn(parameter.shape, generator=numbers)


def _find_layers(network: Network, plain: Watch) -> None:
    """Number the layers, several passes through one layer of a list alike, and note which of them attend."""
    modules: dict[str, set[int]] = {}
    for call in plain.calls:
        modules.setdefault(call.list, set()).add(id(call.module))
    # Some code has its feed-forward networks in a list of their own.
    attending = {plain.calls[record.layer].list for record in plain.attended if own(record)}
    attending |= {plain.calls[index].list for _, index in plain.unseen if index >= 0}
    whole = sum(map(len, modules.values())) <= (attribute(network.small.config, "num_hidden_layers") or 0)
    numbers: dict[tuple[int, int], int] = {}
    for index, call in enumerate(plain.calls):
        if _SIDE.search(call.list) or not (whole or not attending or call.list in attending):
            continue
        key = (id(call.module), index if len(modules[call.list]) == 1 else 0)
        if key not in numbers:
            numbers[key] = len(network.layers)
            network.layers.append(Evidence(bool(re.search(r"(^|\.)encoder\.", f"{call.list}."))))
        network._number[index] = numbers[key]
        network.layers[numbers[key]].runs += 1
    keys: dict[int, Tensor] = {}
    for record in plain.attended:
        if not own(record) or record.of != "attention":
            continue
        network.attentions |= {id(record.module)}
        if (number := network._number.get(record.layer)) is None:
            continue
        network.layers[number].attends = True
        if record.key is not None and number not in keys and record.key.any():
            same = (earlier for earlier, key in keys.items() if torch.equal(key, record.key))
            network.layers[number].shares = next(same, None)
            keys[number] = record.key
    for attention, index in plain.unseen:
        if index in network._number and not _CROSS.search(plain.names.get(id(attention), "")):
            network.layers[network._number[index]].attends = True
            network.attentions |= {id(attention)}


def _find_tables(network: Network, plain: Watch) -> None:
    """Find tables that were read by position, and whether the first layer's input depends on the position."""
    hidden = [call.hidden for index, call in enumerate(plain.calls) if index in network._number]
    if not hidden:
        return
    first = hidden[0] if hidden[0].shape[1] == LENGTH else hidden[0].transpose(0, 1)  # [B, L, …]
    # N-grams make the first inputs differ, and no others.
    network.adds = bool((first - first[:, 8:9])[:, 8:].abs().max() > 1e-6 * first.abs().max())
    for lookup in plain.lookups:
        if lookup.table.ndim != 2 or not lookup.indices.ndim or _SIDE.search(lookup.name):
            continue
        row = lookup.indices.reshape(-1, lookup.indices.shape[-1])[0]
        if torch.equal(row - row[:1], torch.arange(LENGTH)):
            network.tables.append((lookup.name, lookup.table, int(row[0])))
    if network.adds and not network.tables:  # sines that are computed, or a buffer that is read by slices
        width = first.shape[-1]
        for name, buffer in (*network.module.named_buffers(), *network.module.named_parameters()):
            if buffer.ndim >= 2 and buffer.shape[-1] == width and "pos" in name:
                network.tables.append((name, buffer.detach().reshape(-1, width), 0))


def _who_sees_whom(network: Network) -> None:
    """Change one token at a time in the input of every attention, and see which outputs change."""

    def one_changed(hidden: Tensor) -> Tensor:
        numbers = torch.Generator().manual_seed(hidden.shape[-1])
        base = torch.randn(1, LENGTH, hidden.shape[-1], generator=numbers)
        changes = 3 * torch.randn(LENGTH, hidden.shape[-1], generator=numbers)
        rows = base.repeat(hidden.shape[0], 1, 1)
        rows[torch.arange(1, LENGTH + 1), torch.arange(LENGTH)] += changes
        return rows

    inputs = network.inputs(LENGTH + 1, LENGTH)
    watch = watched(network.module, inputs, LENGTH, network.attentions, one_changed, factors=False)
    patterns: dict[int, list[Tensor]] = {}
    for number in range(len(network.layers)):
        # Weights of a sharp softmax may be too small to see, so what the mask lets through counts first.
        if (record := network.of_layer(watch, number)) is not None:
            visible = (record.scores[0] > MASKED).reshape(-1, LENGTH, LENGTH)[0]
            patterns[number] = [visible]
    for call, result in watch.outputs:
        number = network._number.get(call, -1)
        if result.ndim == 3 and result.shape[:2] == (LENGTH + 1, LENGTH) and number >= 0:
            changed = (result[1:] - result[:1]).abs().amax(-1).T  # [L, L]: output i, change of token j
            patterns.setdefault(number, []).append(changed > 1e-5 * result.abs().max())
    for number, seen_by in patterns.items():
        views = [_view(pattern) for pattern in (*seen_by[:2], torch.stack(seen_by[:2]).any(0))]
        network.layers[number].view = next((view for view in views if view[0] != "other"), views[-1])


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


def _bias(record: Attended) -> Tensor | str | None:
    """Return what scores have beside a · product: [H, L, L], "content" if texts differ in it, or None."""
    if record.product is None or record.scores.ndim != 4:
        return None
    product, visible = _relative(record.product), record.scores > MASKED
    rest = _relative(record.scores)
    # scores = a · product + bias, with one a for all; two texts have the same bias.
    change, change_in_scores = (product[0] - product[1])[visible[0]], (rest[0] - rest[1])[visible[0]]
    if change.numel() and change.abs().max() > 1e-7:
        rest = rest - (change * change_in_scores).sum() / (change * change).sum() * product
    rest = rest.masked_fill(~visible, 0.0)
    if rest.abs().max() < 1e-4 * max(1.0, float(record.scores[visible].abs().max())):
        return None
    if (rest[0] - rest[1]).abs().max() < 1e-3:
        return rest[0].masked_fill(~visible[0], torch.nan)
    return "content"


def _relative(scores: Tensor) -> Tensor:
    """Subtract from each row its own place's entry: a constant in a row means nothing to a softmax."""
    return scores - scores.diagonal(dim1=-2, dim2=-1)[..., None]


def _far_positions(network: Network) -> Tensor | None:
    """Return positions that the model takes, as far apart as it can; None if it counts by itself."""
    if "position_ids" not in network.accepts:
        return None
    tables = [len(table) - 8 for _, table, _ in network.tables]
    limit = min((*trained_lengths(network.small.full), *tables, 2**21))
    candidates = sorted(at for at in {*POWERS, *RANDOM} if at < limit)
    for least in (limit, 512, 128):
        positions = torch.tensor([at for at in candidates if at < least])
        try:
            network.still(positions)
        except (IndexError, RuntimeError, ValueError, TypeError):
            continue
        return positions
    return None


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


def _turn(network: Network, layer: Evidence, number: int) -> None:
    """Read how the queries, the keys and the indexer's queries of a layer change with position."""
    at = torch.arange(LENGTH) if network.positions is None else network.positions
    for positions, where, skip in ((None, torch.arange(LENGTH), WARM), (network.positions, at, 0)):
        if (query := network.features(number, positions)) is not None:
            norms = query[..., skip:, :].double().norm(dim=-1).flatten(0, 1)  # [B·H, L]
            scale = (norms / norms[:, :1].clamp(min=1e-12)).mean(0)
            rows = torch.arange(len(where))[skip:] + (WARM - skip)
            layer.scales.append((rows, where[skip:], scale))
    turns = {}
    for of in ("attention", "key", "indexer"):
        features = network.features(number, network.positions, of)
        turns[of] = None if features is None else turn_of(features, at, network.turns)
        if of == "attention" and features is not None:
            layer.head, layer.turns = features.shape[-1], turns[of] is not None
    layer.query, layer.key, layer.indexer = (turns[of] for of in ("attention", "key", "indexer"))
