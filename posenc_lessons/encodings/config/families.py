"""What a model's code fixes and its configuration does not say, family by family.

Every row names the folder of ``transformers/models`` it was read from (version 5.23): ``modeling_…`` says how
features are paired and what turns, ``configuration_…`` what holds where the file is silent. The rows are
held against the code itself in ``tests/oracles/test_config_oracles.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from posenc_lessons.encodings.pairing import Pairing
from posenc_lessons.language import Text

Kind = Literal["rotary", "learned", "alibi", "t5"]

#: Which layers see a part of the text alone: all of them; all but every ``period``-th; those from
#: ``max_window_layers`` on; those with RoPE; those without.
Windows = Literal["none", "all", "period", "upper", "with_rope", "without_rope"]


@dataclass(frozen=True)
class Family:
    """One row: how to read the configurations of a ``model_type``.

    Attributes:
        names: the ``model_type``; more than one where a file may hold the text model in ``text_config``.
        folder: the folder of ``transformers/models`` that all of this was read from.
        kind: what lets positions in.
        pairing: which features make a pair.
        base: the base where the file has none, by layer type where they differ.
        rotary_share: how much of a head turns where the file does not say; None where the code turns all.
        width, heads, layers, longest, head, theta, share_keys: the names of these keys.
        windows, period: which layers see a part of the text alone, where the file has no ``layer_types``.
        pattern: the name of a key that replaces ``period``.
        without_rope: which layers have none: those with a 0 in ``no_rope_layers``, or all that see the whole
            text.
        rope: the ``rope_parameters`` where the file has none, by layer type where ``base`` is.
        old_keys: whether the code reads the keys from before ``rope_parameters`` too.
        renamed: rope types that the code takes for others.
        fixed: keys that the code has one value for, and the value.
        ignored: keys that look like positions and that the code does not read.
        missing: what the code takes for keys that are not in the file. ``rotary_dim``, ``global_head_dim``
            and ``attn_temperature_tuning`` are read for the families alone that have them here.
        remarks: what else a reader should know of these models.
    """

    names: tuple[str, ...]
    folder: str
    kind: Kind = "rotary"
    pairing: Pairing = "half_split"
    base: float | Mapping[str, float] = 10000.0
    rotary_share: float | None = None
    width: tuple[str, ...] = ("hidden_size",)
    heads: tuple[str, ...] = ("num_attention_heads",)
    layers: tuple[str, ...] = ("num_hidden_layers",)
    longest: tuple[str, ...] = ("max_position_embeddings",)
    head: str = "head_dim"
    theta: tuple[str, ...] = ("rope_theta",)
    share_keys: tuple[str, ...] = ("partial_rotary_factor",)
    windows: Windows = "none"
    period: int = 0
    pattern: tuple[str, ...] = ()
    without_rope: Literal["none", "listed", "whole"] = "none"
    rope: Mapping[str, Any] = field(default_factory=dict)
    old_keys: bool = True
    renamed: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()
    missing: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[Text, ...] = ()

    @property
    def source(self) -> str:
        """Where to look it up."""
        return f"transformers/models/{self.folder}"

    @property
    def by_type(self) -> bool:
        """Whether layers of different types have frequencies of their own."""
        return isinstance(self.base, Mapping)


_ONCE = Text(
    "位置只在第一层之前加一次，层里不再有",
    "positions are added once, before the first layer, and no layer adds them again",
)
_BY_KEY = Text(
    "代码给分数加的是 斜率·键的位置，而不是 −斜率·距离：每行只差一个常数，softmax 看不见，因果掩码下两者相同",
    "the code adds slope · key position instead of −slope · distance: a number apart in each row, which"
    " softmax does not see, so under the causal mask both are one",
)
_GPT2_SIZES: Mapping[str, Any] = {
    "width": ("n_embd", "hidden_size"),
    "heads": ("n_head",),
    "layers": ("n_layer",),
}
_GEMMA = {"head_dim": 256}

FAMILIES: tuple[Family, ...] = (
    Family(
        ("gpt2",),
        "gpt2",
        "learned",
        longest=("n_positions",),
        ignored=("n_ctx",),
        remarks=(_ONCE,),
        **_GPT2_SIZES,
    ),
    Family(("bert",), "bert", "learned", fixed={"position_embedding_type": "absolute"}, remarks=(_ONCE,)),
    Family(
        ("t5",),
        "t5",
        "t5",
        width=("d_model",),
        heads=("num_heads",),
        layers=("num_layers",),
        missing={"relative_attention_num_buckets": 32, "relative_attention_max_distance": 128},
        remarks=(
            Text(
                "同一个栈的各层共用一张表；从解码器到编码器的注意力没有位置",
                "the layers of a stack share one table; attention from decoder to encoder knows no positions",
            ),
            Text("T5 的分数不除以 √d_head", "T5 does not divide its scores by √d_head"),
        ),
    ),
    Family(
        ("bloom",),
        "bloom",
        "alibi",
        width=("hidden_size", "n_embed"),
        heads=("n_head", "num_attention_heads"),
        layers=("n_layer", "num_hidden_layers"),
        ignored=("offset_alibi",),
        remarks=(_BY_KEY,),
    ),
    Family(
        ("mpt",),
        "mpt",
        "alibi",
        width=("d_model",),
        heads=("n_heads",),
        layers=("n_layers",),
        fixed={"attn_config.alibi": True, "attn_config.alibi_bias_max": 8},
        ignored=("learned_pos_emb",),
        remarks=(_BY_KEY,),
    ),
    Family(
        ("gpt_neox",),
        "gpt_neox",
        rotary_share=0.25,
        theta=("rope_theta", "rotary_emb_base"),
        share_keys=("partial_rotary_factor", "rotary_pct"),
    ),
    Family(
        ("gptj",),
        "gptj",
        pairing="interleaved",
        longest=("n_positions",),
        fixed={"rotary": True},
        missing={"rotary_dim": 64},
        **_GPT2_SIZES,
    ),
    Family(("phi",), "phi", rotary_share=0.5),
    Family(("llama",), "llama"),
    Family(("qwen2",), "qwen2", windows="upper"),
    Family(("qwen3",), "qwen3", windows="upper", missing={"head_dim": 128}),
    Family(("mistral",), "mistral", windows="all", missing={"sliding_window": 4096}),
    Family(("mixtral",), "mixtral", base=1e6, windows="all"),
    Family(("gemma",), "gemma", missing=_GEMMA),
    Family(
        ("gemma2",),
        "gemma2",
        windows="period",
        period=2,
        ignored=("sliding_window_size",),
        missing={**_GEMMA, "sliding_window": 4096},
    ),
    Family(
        ("gemma3_text", "gemma3"),
        "gemma3",
        base={"full_attention": 1e6, "sliding_attention": 1e4},
        windows="period",
        period=6,
        pattern=("sliding_window_pattern", "_sliding_window_pattern"),
        # Files of the larger models leave out what the class has.
        missing={
            **_GEMMA,
            "num_attention_heads": 8,
            "max_position_embeddings": 131072,
            "sliding_window": 4096,
        },
    ),
    Family(
        ("gemma4_text", "gemma4"),
        "gemma4",
        base={"full_attention": 1e6, "sliding_attention": 1e4},
        windows="period",
        period=6,
        rope={
            "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
            "full_attention": {"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1e6},
        },
        old_keys=False,
        missing={**_GEMMA, "global_head_dim": 512, "max_position_embeddings": 131072, "sliding_window": 512},
    ),
    Family(
        ("phi3",), "phi3", rotary_share=1.0, windows="all", renamed={"su": "longrope", "yarn": "longrope"}
    ),
    Family(
        ("gpt_oss",),
        "gpt_oss",
        base=150000.0,
        windows="period",
        period=2,
        rope={
            "rope_type": "yarn",
            "factor": 32.0,
            "beta_fast": 32.0,
            "beta_slow": 1.0,
            "truncate": False,
            "original_max_position_embeddings": 4096,
        },
        missing={"head_dim": 64, "sliding_window": 128, "max_position_embeddings": 131072},
        remarks=(
            Text(
                "每个头另有一个学到的 logit 参与 softmax（attention sink）：权重之和小于 1",
                "each head has a learned logit of its own in the softmax (an attention sink): weights sum to"
                " less than 1",
            ),
        ),
    ),
    Family(
        ("smollm3",),
        "smollm3",
        base=2e6,
        windows="without_rope",
        without_rope="listed",
        ignored=("max_window_layers",),
    ),
    Family(
        ("cohere2",),
        "cohere2",
        pairing="interleaved",
        windows="period",
        period=4,
        pattern=("sliding_window_pattern",),
        without_rope="whole",
        fixed={"rotary_pct": 1.0, "position_embedding_type": "rope_gptj"},
        missing={"sliding_window": 4096},
    ),
    Family(
        ("llama4_text", "llama4"),
        "llama4",
        pairing="interleaved",
        base=500000.0,
        windows="with_rope",
        without_rope="listed",
        missing={
            "head_dim": 128,
            "attention_chunk_size": 8192,
            "attn_temperature_tuning": True,
            "attn_scale": 0.1,
            "floor_scale": 8192,
        },
    ),
    Family(
        ("deepseek_v3",),
        "deepseek_v3",
        pairing="interleaved",
        head="qk_rope_head_dim",
        remarks=(
            Text(
                "这是每个头里转动的那一段；头里另有 qk_nope_head_dim 个特征从不转，转动的键由所有头共用",
                "this is the part of each head that turns: beside it are qk_nope_head_dim features that never"
                " do, and all heads share one turning key",
            ),
            Text(
                "写了 mscale_all_dim 时，代码还把全部分数乘以 (0.1 · mscale_all_dim · ln factor + 1)²",
                "where there is mscale_all_dim, the code multiplies all scores by"
                " (0.1 · mscale_all_dim · ln factor + 1)² besides",
            ),
        ),
    ),
)
BY_NAME: Mapping[str, Family] = {name: family for family in FAMILIES for name in family.names}
