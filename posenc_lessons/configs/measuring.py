"""Measure what each layer of a small model does with positions.

Five runs: one shows where attention is; one with a single token changed shows who sees it; in the others
each attention gets the same vector at all positions, so that queries, keys and scores differ only by
position.
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

LENGTH, BATCH = 24, 8
#: Positions that ``probe_rotation`` asks for, and some at random, with which an encoding is compared.
POWERS = (0, 1, 2, 3, *(2**power for power in range(2, 21)), 10**6)
RANDOM = (7, 29, 101, 313, 487, 1201, 3301, 8191, 16383, 131071)
_CROSS = re.compile(r"cross|encoder_attn|EncDecAttention|encoder_decoder", re.IGNORECASE)
_SIDE = re.compile(r"speech|vision|audio|image|t2u|patcher|entity")


@dataclass
class Measured:
    """What one layer showed. Rotations are still maps here; ``view`` is (sees, window of the small model).

    table: the rows of a table that is added by position. bias: [H, L, L] beside the products; "content" if
    two texts differ in it; None. factor: of products in scores.
    """

    mixer: str
    encoder: bool
    attends: bool = False
    view: tuple[str, int | None] | None = None
    query: Turn | None = None
    key: Turn | None = None
    turns: bool = True
    indexer: Turn | None = None
    scales: list[tuple[Tensor, Tensor]] = field(default_factory=list)
    order: list[int] | None = None
    indexer_order: list[int] | None = None
    head: int = 0
    bias: Tensor | str | None = None
    causal: bool = True
    sink: bool = False
    values: bool = False
    runs: int = 1


@dataclass
class Network:
    """A small model, and how it is called."""

    small: Small
    module: nn.Module
    takes_positions: bool
    attentions: frozenset[int] = frozenset()
    tables: list[tuple[str, Tensor, int]] = field(default_factory=list)
    adds: bool = False
    layers: list[Measured] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    positions: Tensor | None = None
    _runs: dict[tuple[int, ...], Watch] = field(default_factory=dict)
    _number: dict[int, int] = field(default_factory=dict)

    def inputs(self, batch: int, length: int, positions: Tensor | None = None) -> dict[str, Any]:
        """Return inputs: each text one repeated token. ``positions`` [L], or [L, axes]."""
        accepted = inspect.signature(self.module.forward).parameters
        tokens = (10 + torch.arange(batch) % (VOCABULARY - 20))[:, None].expand(batch, length).contiguous()
        inputs: dict[str, Any] = {"input_ids": tokens}
        if "decoder_input_ids" in accepted:
            inputs["decoder_input_ids"] = tokens
        if "use_cache" in accepted:
            inputs["use_cache"] = False
        if positions is not None:
            by_axis = positions.T[:, None] if positions.ndim == 2 else positions
            shape = (*by_axis.shape[:-2], batch, length) if positions.ndim == 2 else (batch, length)
            inputs["position_ids"] = by_axis.expand(shape).contiguous()
            if "decoder_position_ids" in accepted:
                inputs["decoder_position_ids"] = inputs["position_ids"]
        return inputs

    def still(self, positions: Tensor | None, length: int = LENGTH) -> Watch:
        """Run with the same random vector at all positions of a text; at 0 … L−1 if ``positions`` is None."""
        key = (-1, length) if positions is None else (positions.ndim, *positions.flatten().tolist())
        if key not in self._runs:
            length = length if positions is None else len(positions)

            def same(hidden: Tensor) -> Tensor:
                numbers = torch.Generator().manual_seed(hidden.shape[-1])
                rows = torch.randn(hidden.shape[0], 1, hidden.shape[-1], generator=numbers)
                return rows.expand(hidden.shape).contiguous()

            inputs = self.inputs(BATCH, length, positions)
            self._runs[key] = watched(self.module, inputs, length, self.attentions, same)
        return self._runs[key]

    def of_layer(self, watch: Watch, layer: int, of: str = "attention") -> Attended | None:
        """Return the first self-attention (or indexer) of a layer in a run."""
        for seen in watch.attended:
            if seen.of == of and own(seen) and self._number.get(seen.layer) == layer:
                return seen
        return None


def own(seen: Attended) -> bool:
    """Return whether this is self-attention of the text."""
    return not _CROSS.search(seen.name) and not _SIDE.search(seen.name) and seen.layer >= 0


def measure(small: Small) -> Network:
    """Build the small model and measure every layer of it."""
    module = built(small.config)
    _wake(module)
    accepted = inspect.signature(module.forward).parameters
    network = Network(small, module, "position_ids" in accepted)
    plain = watched(module, network.inputs(2, LENGTH), LENGTH)
    network.attentions = frozenset(
        id(seen.module) for seen in plain.attended if own(seen) and seen.of == "attention"
    )
    _number_layers(network, plain)
    _input(network, plain)
    _who_sees_whom(network)
    near = network.still(None)
    network.positions = _far_positions(network)
    far = near if network.positions is None else network.still(network.positions)
    at = torch.arange(LENGTH) if network.positions is None else network.positions
    for number, layer in enumerate(network.layers):
        if not layer.attends:
            continue
        seen = network.of_layer(near, number)
        if seen is not None:
            layer.sink = seen.scores.shape[-1] > LENGTH
            layer.bias = _bias(seen)
            layer.values = (
                seen.value is not None and float((seen.value - seen.value[..., :1, :]).abs().max()) > 1e-5
            )
        _turns(network, layer, number, far, at)
    return network


def _wake(module: nn.Module) -> None:
    """Fill matrices that begin as zeros, whose output would show nothing."""
    numbers = torch.Generator().manual_seed(7)
    for parameter in module.parameters():
        if parameter.ndim >= 2 and parameter.is_floating_point() and not parameter.detach().any():
            parameter.data = 0.05 * torch.randn(parameter.shape, generator=numbers)


def _number_layers(network: Network, plain: Watch) -> None:
    """Give each call of a layer a number: the same to several passes through one layer of a list."""
    names = [plain.elements[call] for call in plain.calls]
    alone = {
        name: len({call for call, other in zip(plain.calls, names, strict=True) if other == name}) == 1
        for name in names
    }
    numbers: dict[tuple[int, int], int] = {}
    for call, (module, name) in enumerate(zip(plain.calls, names, strict=True)):
        if _SIDE.search(name):
            continue
        key = (module, call if alone[name] else 0)
        if key not in numbers:
            numbers[key] = len(network.layers)
            mixer = type(plain.layers[call]).__name__
            network.layers.append(Measured(mixer, bool(re.search(r"(^|\.)encoder\.", f"{name}.")), runs=0))
        network._number[call] = numbers[key]
        network.layers[numbers[key]].runs += 1
    for seen in plain.attended:
        if own(seen) and seen.of == "attention" and seen.layer in network._number:
            network.layers[network._number[seen.layer]].attends = True
    for attention, call in plain.unseen:
        if call in network._number and not _CROSS.search(plain.names.get(id(attention), "")):
            network.layers[network._number[call]].attends = True
            network.attentions |= {id(attention)}


def _input(network: Network, plain: Watch) -> None:
    """Find tables that were read by position, and whether the first layer's input depends on the position."""
    first = next((hidden for call, hidden in enumerate(plain.inputs) if call in network._number), None)
    if first is not None and first.shape[1] != LENGTH:  # [L, B, D]
        first = first.transpose(0, 1)
    if first is not None:  # n-grams make the first inputs differ, and no others
        network.adds = bool((first - first[:, 8:9])[:, 8:].abs().max() > 1e-6 * first.abs().max())
    for lookup in plain.lookups:
        if lookup.table.ndim != 2 or not lookup.indices.ndim or _SIDE.search(lookup.name):
            continue
        rows = lookup.indices.reshape(-1, lookup.indices.shape[-1])
        if rows.shape[-1] == LENGTH and torch.equal(rows[0] - rows[0, 0], torch.arange(LENGTH)):
            network.tables.append((lookup.name, lookup.table, int(rows[0, 0])))
    if network.adds and not network.tables:  # sines that are computed, or a buffer that is read by slices
        width = first.shape[-1] if first is not None else 0
        for name, buffer in (*network.module.named_buffers(), *network.module.named_parameters()):
            if buffer.ndim >= 2 and buffer.shape[-1] == width and re.search("pos", name):
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

    watch = watched(
        network.module, network.inputs(LENGTH + 1, LENGTH), LENGTH, network.attentions, one_changed
    )
    seen_by_layer: dict[int, Tensor] = {}
    for results in watch.outputs.values():
        for call, result in results:
            number = network._number.get(call)
            if number is None or number in seen_by_layer or result.ndim != 3:
                continue
            if result.shape[:2] != (LENGTH + 1, LENGTH):
                continue
            changed = (result[1:] - result[:1]).abs().amax(-1)  # [L, L]: change of token j, output i
            seen_by_layer[number] = (changed > 1e-5 * result.abs().max()).T
    for number, layer in enumerate(network.layers):
        seen, reached = network.of_layer(watch, number), seen_by_layer.get(number)
        visible = None
        if seen is not None:
            visible = (seen.scores[0] > MASKED).reshape(-1, *seen.scores.shape[-2:])[0, :, :LENGTH]
        # Weights of a sharp softmax may be too small to see, so what the mask lets through counts.
        for pattern in (visible, reached, _either(reached, visible)):
            if pattern is not None and (layer.view is None or layer.view[0] == "other"):
                layer.view = _view(pattern)
        layer.causal = layer.view is not None and layer.view[0] not in ("both_sides", "everything")


def _either(one: Tensor | None, other: Tensor | None) -> Tensor | None:
    return None if one is None or other is None else one | other


def _view(seen: Tensor) -> tuple[str, int | None]:
    """Return how far tokens see, from [L, L]: query i sees key j. "other" if it is none of the known ways."""
    i, j = torch.arange(LENGTH)[:, None], torch.arange(LENGTH)
    if seen.all():
        return "everything", None
    if torch.equal(seen, j <= i):
        return "whole", None
    width = int(seen[-1].sum())
    if torch.equal(seen, (j <= i) & (i - j < width)):
        return "sliding", width
    if torch.equal(seen, (i - j).abs() < width):
        return "both_sides", width - 1
    most = int(seen.sum(1).max())
    if torch.equal(seen, (j <= i) & (i // most == j // most)):
        return "chunked", most
    return "other", None


def _bias(seen: Attended) -> Tensor | str | None:
    """Return what scores have beside a · product: [H, L, L], "content" if texts differ in it, or None."""
    if seen.product is None or seen.scores.ndim != 4:
        return None
    scores = seen.scores[..., :LENGTH]
    if seen.product.numel() != scores.numel():
        return None
    product, visible = _relative(seen.product.reshape(scores.shape)), scores > MASKED
    rest = _relative(scores)
    # scores = a · product + bias, with one a for all; two texts have the same bias.
    change, change_in_scores = (product[0] - product[1])[visible[0]], (rest[0] - rest[1])[visible[0]]
    if change.numel() and change.abs().max() > 1e-7:
        rest = rest - (change * change_in_scores).sum() / (change * change).sum() * product
    rest = rest.masked_fill(~visible, 0.0)
    if rest.abs().max() < 1e-4 * max(1.0, float(scores[visible].abs().max())):
        return None
    if (rest[0] - rest[1]).abs().max() < 1e-3:
        return rest[0].masked_fill(~visible[0], torch.nan)
    return "content"


def _relative(scores: Tensor) -> Tensor:
    """Subtract from each row its own place's entry: a constant in a row means nothing to a softmax."""
    return scores - scores.diagonal(dim1=-2, dim2=-1)[..., None]


def _far_positions(network: Network) -> Tensor | None:
    """Return positions that the model takes, as far apart as it can; None if it counts by itself."""
    if not network.takes_positions:
        return None
    rows = min((tiny for _, tiny in network.small.rows.values()), default=None)
    longest = [
        rope["original_max_position_embeddings"]
        if rope.get("rope_type") == "longrope"
        else network.small.full.max_position_embeddings
        for rope in ropes_of(network.small.full)
        if rope.get("rope_type") in ("longrope", "dynamic")
    ]
    limit = min((*longest, *((rows - 8,) if rows else ()), 2**21))
    candidates = sorted(at for at in {*POWERS, *RANDOM} if at < limit)
    for chosen in (candidates, [at for at in candidates if at < 512]):
        positions = torch.tensor(chosen)
        try:
            network.still(positions)
        except (IndexError, RuntimeError, ValueError, TypeError):
            continue
        return positions
    return None


def ropes_of(config: Any) -> list[dict[str, Any]]:
    """Return the settings of RoPE in a configuration: one for all layers, or one for each type of layer."""
    rope = attribute(config, "rope_parameters")
    if not isinstance(rope, dict) or not rope:
        return []
    nested = [value for value in rope.values() if isinstance(value, dict)]
    return nested or [rope]


def _turns(network: Network, layer: Measured, number: int, far: Watch, at: Tensor) -> None:
    seen = network.of_layer(far, number)
    for watch, where in ((network.still(None), torch.arange(LENGTH)), (far, at)):
        run = network.of_layer(watch, number)
        if run is not None and run.query is not None and run.query.ndim == 4:
            norms = run.query.double().norm(dim=-1).flatten(0, 1)  # [B·H, L]
            layer.scales.append((where, (norms / norms[:, :1].clamp(min=1e-12)).mean(0)))
    if seen is not None and seen.query is not None and seen.query.ndim == 4:
        layer.head = seen.query.shape[-1]
        layer.query = turn_of(seen.query, at, network.turns)
        layer.key = (
            turn_of(seen.key, at, network.turns) if seen.key is not None and seen.key.ndim == 4 else None
        )
        layer.turns = layer.query is not None
        layer.order = _order(seen.query, seen.linear)
    indexer = network.of_layer(far, number, "indexer")
    if indexer is not None and indexer.query is not None:
        layer.indexer = turn_of(indexer.query, at, network.turns)
        layer.indexer_order = _order(indexer.query, indexer.linear)


def _order(query: Tensor, linear: list[Tensor]) -> list[int] | None:
    """Return the place in the projection of each feature of the first head at position 0, or None.

    Code may put neighbours into halves before it turns them; the pairs of the *weights* are then neighbours.
    """
    head = query[0, 0, 0]
    for result in reversed(linear):
        if result.shape[0] != query.shape[0]:
            continue
        projected = result.reshape(-1, result.shape[-1])[0]
        places = [(projected == value).nonzero().flatten().tolist() for value in head]
        if all(len(place) == 1 for place in places):
            return [place[0] for place in places]
    return None
