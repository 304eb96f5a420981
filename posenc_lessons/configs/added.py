"""Name what is added to scores or embeddings, or multiplies queries, and find encodings that do the same."""

from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.configs.layers import Part
from posenc_lessons.configs.network import WARM, Network, Place, ropes_of
from posenc_lessons.configs.small import HEADS, attribute
from posenc_lessons.configs.watching import MASKED, Attended
from posenc_lessons.encodings.alibi import ALiBi, alibi_bias
from posenc_lessons.encodings.learned import LearnedEncoding
from posenc_lessons.encodings.sinusoidal import SinusoidalEncoding
from posenc_lessons.encodings.t5 import T5RelativeBias, t5_buckets
from posenc_lessons.encodings.temperature import LogTemperature, PowerTemperature, QueryTemperature


def bias_of(network: Network, place: Place, record: Attended) -> tuple[str | None, Part | None]:
    """Name what is added to scores, and return the encoding that adds the same."""
    bias = _bias(record)
    if not isinstance(bias, Tensor):
        return bias, None
    config, bias = network.small.full, bias.double()  # [H, L, L], NaN where nothing is seen
    causal = place.view[0] not in ("both_sides", "everything")
    places = torch.arange(bias.shape[-1])
    distances, visible = places - places[:, None], ~bias.isnan()
    heads = int(attribute(config, "num_attention_heads") or attribute(config, "num_heads") or HEADS)
    for signed in (False, True):
        alibi = alibi_bias(bias.shape[0], places, places, signed, dtype=torch.float64)
        if torch.allclose(alibi[visible], bias[visible], atol=1e-3):
            more = {"signed": True} if signed and not causal else {}
            return "ALiBi", Part(ALiBi, {"n_heads": heads, **more})

    def one_number_in_each(groups: Tensor) -> bool:
        """Return whether all entries of a group [L, L] have one number in each head."""
        inside = [bias[:, (groups == group) & visible[0]] for group in groups[visible[0]].unique()]
        return all(float((values.amax(-1) - values.amin(-1)).max()) < 1e-3 for values in inside)

    if not one_number_in_each(distances):
        return "by content", None
    names = ("relative_attention_num_buckets", "relative_attention_max_distance")
    buckets, farthest = (attribute(config, name) for name in names)
    both_ways = place.encoder or not causal
    t5 = buckets and farthest and t5_buckets(distances, buckets, farthest, bidirectional=both_ways)
    if isinstance(t5, Tensor) and one_number_in_each(t5):
        sizes = {"n_heads": heads, "n_buckets": buckets, "max_distance": farthest}
        return "T5", Part(T5RelativeBias, {**sizes, "bidirectional": both_ways})
    return "by distance", None


def _bias(record: Attended) -> Tensor | str | None:
    """Return what scores have beside a · product: [H, L, L], "by content" if texts differ in it, or None."""
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
    return "by content"


def _relative(scores: Tensor) -> Tensor:
    """Subtract from each row its own place's entry: a constant in a row means nothing to a softmax."""
    return scores - scores.diagonal(dim1=-2, dim2=-1)[..., None]


def _temperatures(config: Any) -> Iterator[Part]:
    """Yield the temperatures that settings in ``config``, or a model's code, could mean."""

    def numbers(*names: str) -> list[float] | None:
        values = [getattr(config, name, None) for name in names]
        return values if all(isinstance(value, (int, float)) for value in values) else None  # type: ignore[return-value]

    if (pair := numbers("attn_scale", "floor_scale")) is not None:
        yield Part(QueryTemperature, {"scale": pair[0], "step": int(pair[1])})
    if (pair := numbers("log_scaling_alpha", "log_scaling_n_floor")) is not None:
        yield Part(LogTemperature, {"scale": pair[0], "floor": int(pair[1])})
    for rope in ropes_of(config):
        beta, step = rope.get("llama_4_scaling_beta"), rope.get("original_max_position_embeddings")
        if beta and step:
            yield Part(QueryTemperature, {"scale": beta, "step": step, "plus": 0})
    yield Part(PowerTemperature, {"exponent": 0.1, "step": 2048})  # numbers in Beam's code


def temperature_of(
    network: Network, queries: Tensor
) -> tuple[Mapping[str, Any] | None, Part | None, str | None]:
    """Return the factor of ``queries`` [B, H, P, d] by position, the encoding that has it, or why none."""
    first = WARM if network.positions is None else 0
    norms, positions = queries[..., first:, :].double().norm(dim=-1).flatten(0, 1), network.at[first:]
    rows = torch.arange(len(positions)) + WARM  # of the text, which some code counts instead
    scale = (norms / norms[:, :1].clamp(min=1e-12)).mean(0)  # [P]
    if (scale - 1).abs().max() < 1e-3:
        return None, None, None
    small, full = network.small.config, network.small.full
    for part, whole in zip(_temperatures(small), _temperatures(full), strict=True):
        encoding: Any = part.makes(**part.settings)
        factors = [encoding.times((at + 1).double()) for at in (rows, positions)]
        if any(torch.allclose(factor / factor[0], scale, rtol=1e-3) for factor in factors):
            return {"kind": whole.makes.__name__, **whole.settings}, whole, None
    values = {str(at): round(value, 6) for at, value in zip(positions.tolist(), scale.tolist(), strict=True)}
    return values, None, "temperature"


def table_of(network: Network, encoder: bool) -> tuple[tuple[Part, ...], str | None]:
    """Return the encoding that is added before the first layer, and why there is none."""
    if not network.adds:
        return (), None
    in_a_stack = [item for item in network.tables if "encoder" in item[0]]
    mine = [item for item in in_a_stack if ("encoder." in item[0]) == encoder]
    tables = mine or network.tables
    for _, table, first in tables:
        width = table.shape[-1]
        hidden = _full_width(network, width)
        for order in ("interleaved", "halves", "cosines_first"):
            for one_less in (0, 2):  # some divide the exponent by d/2 − 1
                for offset in dict.fromkeys((first, 0, 1, 2)):
                    settings = {"order": order, "first": offset}
                    small = {**settings, "base": 10000.0 ** (width / (width - one_less))}
                    if _is_sinusoidal(table, width, small, first):
                        base = {"base": 10000.0 ** (hidden / (hidden - 2))} if one_less else {}
                        return (Part(SinusoidalEncoding, {"d_model": hidden, **settings, **base}),), None
    learned = {parameter.data_ptr() for parameter in network.module.parameters()}
    for _, table, first in tables:
        if table.data_ptr() in learned:
            rows, width = len(table) - first + network.small.rows_cut, _full_width(network, table.shape[-1])
            return (Part(LearnedEncoding, {"d_model": width, "max_len": rows}),), None
    return (), "table"


def _is_sinusoidal(table: Tensor, width: int, settings: Mapping[str, Any], first: int) -> bool:
    """Return whether the rows of ``table`` from that of position 0 on are those of the encoding."""
    if width % 2 or len(table) < first + 12:
        return False
    rows = SinusoidalEncoding(width, 16, **settings).encode(torch.arange(12))
    starts = dict.fromkeys((first, 0, settings["first"]))
    return any(
        table[row : row + 12].shape == rows.shape
        and torch.allclose(table[row : row + 12].float(), rows, atol=1e-4)
        for row in starts
    )


def _full_width(network: Network, width: int) -> int:
    """Return the width of a table at full size: that of the model, or of narrower embeddings."""
    small, full = (
        config if attribute(config, "hidden_size") else config.decoder  # of a model made of two others
        for config in (network.small.config, network.small.full)
    )
    narrower = () if width == small.hidden_size else ("embedding_size", "word_embed_proj_dim")
    return int(next(size for name in (*narrower, "hidden_size") if (size := attribute(full, name))))
