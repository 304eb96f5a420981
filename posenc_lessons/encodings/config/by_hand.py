"""Facts about model families that no probe finds: remarks for readers, and keys with an unusual meaning.

Each row changes or completes the family's row in ``census.json``. A comment says why it is written by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from posenc_lessons.language import Text

ONCE = Text(
    "位置只在第一层之前加一次，层里不再有",
    "positions are added once, before the first layer, and no layer adds them again",
)
_BY_KEY = Text(
    "代码给分数加的是 斜率·键的位置，而不是 −斜率·距离：每行只差一个常数，softmax 看不见，因果掩码下两者相同",
    "the code adds slope · key position instead of −slope · distance: the two differ by a constant in each"
    " row, which softmax ignores; under a causal mask they are equivalent",
)
_T5 = (
    Text(
        "同一个栈的各层共用一张表；从解码器到编码器的注意力没有位置",
        "the layers of a stack share one table; attention from decoder to encoder knows no positions",
    ),
    Text("T5 的分数不除以 √d_head", "T5 does not divide its scores by √d_head"),
)
SINK = Text(
    "每个头另有一个学到的 logit 参与 softmax（attention sink）：权重之和小于 1",
    "each head has its own learned logit in the softmax (an attention sink): weights sum to less than 1",
)
LATENT = (
    Text(
        "这是每个头里旋转的那一段；头里另有 qk_nope_head_dim 个特征从不旋转，旋转的键由所有头共用",
        "this is the part of each head that rotates: beside it are qk_nope_head_dim features that"
        " never do, and all heads share one rotated key",
    ),
    Text(
        "写了 mscale_all_dim 时，代码还把全部分数乘以 (0.1 · mscale_all_dim · ln factor + 1)²",
        "if the file has mscale_all_dim, the code also multiplies all scores by"
        " (0.1 · mscale_all_dim · ln factor + 1)²",
    ),
)


def _lacks(zh: str, en: str) -> dict[str, Any]:
    """Return a row for a kind of encoding that the library does not have, in words."""
    return {"kind": "unlike", "why": Text(zh, en)}


def _sines(order: str = "halves", **more: Any) -> dict[str, Any]:
    """Return a row for sines in one half of the features and cosines in the other."""
    return {"kind": "sinusoidal", "order": order, **more}


_FAIRSEQ = _sines(over_one_less=True, after_padding=True, missing={"pad_token_id": 1})
_SEAMLESS = {**_FAIRSEQ, "missing": {"pad_token_id": 0}}
_DISENTANGLED = _lacks(
    "3：分数再加两项，内容对距离、距离对内容，各有自己的投影（DeBERTa 的 disentangled attention）",
    "3: two terms are added to each score, content with distance and distance with content, by"
    " projections of their"
    " own (DeBERTa's disentangled attention)",
)
_SEGMENTS = _lacks(
    "3：距离的正弦编码经过自己的投影，和查询相乘后加进分数，并带两个学到的偏置（Transformer-XL 的办法）",
    "3: sines of the distance go through their own projection, are multiplied with the query and"
    " added to the"
    " scores, with two learned biases (as in Transformer-XL)",
)
_CONTENT_TABLE = _lacks(
    "3：一张按距离查的学到的表，由内容混合后加进分数（Inkling）",
    "3: a learned table of distances, mixed by content, is added to the scores (Inkling)",
)
_BOXES = Text(
    "除了一维的位置，还加上词在页面上的坐标的学到的表",
    "beside the positions in the text, learned tables of each word's place on the page are added",
)
_T5S = {
    "kind": "t5",
    "remarks": _T5,
    "missing": {"relative_attention_num_buckets": 32, "relative_attention_max_distance": 128},
    "ignored": ("n_positions", "relative_attention_num_buckets", "relative_attention_max_distance"),
}

_NO_ATTENTION = {"kind": "none", "rule": {"cycle": ["recurrent"]}}

#: By ``model_type``. The comment above some rows says why no probe finds what they say.
ROWS: Mapping[str, Mapping[str, Any]] = {
    # Files contradict the code in keys that the class does not have.
    "bert": {"fixed": {"position_embedding_type": "absolute"}},
    "gpt2": {"ignored": ("n_ctx",)},
    "gptj": {"fixed": {"rotary": True}},
    "cohere2": {"fixed": {"rotary_pct": 1.0, "position_embedding_type": "rope_gptj"}},
    "gemma2": {"ignored": ("sliding_window_size", "query_pre_attn_scalar")},
    "phi3": {"renamed": {"su": "longrope", "yarn": "longrope"}},
    "phi4_multimodal": {"renamed": {"su": "longrope", "yarn": "longrope"}},
    # A probe sees that a bias is added, but not by which rule.
    "t5": _T5S,
    "mt5": _T5S,
    "umt5": {**_T5S, "remarks": (_T5[1], Text("每一层都有自己的表", "each layer has its own table"))},
    "longt5": {**_T5S, "remarks": (*_T5, Text("编码器只看附近的块", "the encoder sees near blocks only"))},
    "switch_transformers": _T5S,
    "bloom": {"kind": "alibi", "remarks": (_BY_KEY,), "ignored": ("offset_alibi",)},
    "mpt": {
        "kind": "alibi",
        "remarks": (_BY_KEY,),
        "ignored": ("learned_pos_emb",),
        "fixed": {"attn_config.alibi": True, "attn_config.alibi_bias_max": 8},
    },
    "mpnet": _lacks(
        "1 和 3：学到的位置表，分数再加 T5 那样按桶学到的偏置",
        "1 and 3: a learned table of positions, and a bias learned for each bucket of distances, as in"
        " T5, on the scores",
    ),
    "cpmant": _lacks(
        "3：T5 那样按桶学到的偏置，桶还分提示里的和文字里的",
        "3: a bias learned for each bucket of distances, as in T5, with separate buckets for the prompt",
    ),
    # The class turns a key into a list with an entry for each layer.
    "gemma4_text": {"missing": {"global_head_dim": 512}},
    "gemma4_unified_text": {"missing": {"global_head_dim": 512}},
    "diffusion_gemma_text": {"missing": {"global_head_dim": 512}},
    # A key chooses between kinds of encoding.
    "falcon": {
        "unless": {"key": "alibi", "rows": {True: {"kind": "alibi", "remarks": (_BY_KEY,), "ignored": ()}}},
        "heads": ("num_attention_heads", "n_head"),
        "layers": ("num_hidden_layers", "n_layer"),
    },
    "esm": {
        "unless": {"key": "position_embedding_type", "rows": {"rotary": {"kind": "rotary"}}},
        "missing": {"pad_token_id": 1},
    },
    "granitemoehybrid": {
        "types": ("mamba", "attention", "linear_attention", "full_attention"),
        "unless": {
            "key": "position_embedding_type",
            "rows": {"rope": {"kind": "rotary", "fixed": {}}},
        },
    },
    "zamba2": {"unless": {"key": "use_mem_rope", "rows": {True: {"kind": "rotary"}}}},
    # A probe sees that queries without rotation are multiplied by something, but not by which formula.
    "beam": {"still_power": (0.1, 2048)},
    # These have no attention.
    **dict.fromkeys(("mamba2", "rwkv", "xlstm"), _NO_ATTENTION),
    # No encoding here assigns the coordinates of a position to pairs as this model does.
    "ernie4_5_vl_moe_text": _lacks(
        "2：M-RoPE，位置有时间、行、列三个坐标，相邻特征配对；前面的特征对由行和列轮流读，最后一段才是时间",
        "2: M-RoPE, positions of time, row and column, neighbouring features paired; row and column take"
        " turns in the first pairs, and time has the last ones",
    ),
    "hunyuan_vl_text": _lacks(
        "2：一对特征的两半各读一个坐标（xdrope）：坐标不同时，这不是旋转，长度会变；只有文字时和 RoPE 一样",
        "2: the two features of a pair read different coordinates (xdrope): where these differ it is no"
        " rotation, and lengths change; on text alone it is RoPE",
    ),
    # A probe sees an encoding that this library does not have.
    "deberta": _DISENTANGLED,
    "deberta-v2": _DISENTANGLED,
    "xlnet": _SEGMENTS,
    "funnel": _SEGMENTS,
    "inkling_text": _CONTENT_TABLE,
    "inkling2_text": _CONTENT_TABLE,
    "nanochat": _lacks(
        "2：查询和键按位置旋转，但方向相反（顺时针）：分数里 n − m 变成 m − n",
        "2: queries and keys are rotated by their positions, but the other way, clockwise: m − n"
        " instead of n − m in"
        " the scores",
    ),
    "deepseek_v4": _lacks(
        "2，值也旋转：键和值是同一个向量，最后 64 个特征按位置旋转，输出再按查询的位置转回来；压缩过的"
        "键各占几个位置",
        "2, and values too: one vector is both key and value, its last 64 features are rotated by"
        " position, and the"
        " output is rotated back by the query's; compressed keys stand for several positions",
    ),
    "reformer": _lacks(
        "1：两张学到的小表拼成一张（轴向的位置表）",
        "1: two small learned tables that make one (axial position embeddings)",
    ),
    "perceiver": _lacks(
        "1：加在输入上的学到的表；输入再由固定数目的潜在向量来读",
        "1: a learned table on the input, which a fixed number of latent vectors then reads",
    ),
    "prophetnet": _lacks(
        "1 和 3：学到的位置表，分数再加按桶学到、由内容算出的偏置",
        "1 and 3: a learned table of positions, and a bias for each bucket of distances, computed from"
        " the content",
    ),
    # These compute the products of a window only, so no softmax over all keys shows the window.
    "longformer": {
        "kind": "learned",
        "after_padding": True,
        "missing": {"pad_token_id": 1, "attention_window": 512},
        "windows": {"full_attention": "attention_window"},
        "both_sides": True,
        "halved": True,
        "remarks": (
            Text(
                "有全局注意力的词元看得见全部，也被全部看见",
                "tokens with global attention see all others and are seen by all",
            ),
        ),
    },
    "led": {
        "kind": "learned",
        "longest": ("max_decoder_position_embeddings",),
        "more_rows": 0,
        "remarks": (
            Text(
                "这是解码器的表；编码器另有一张，并且一个词元只看两边各 attention_window / 2 个词元",
                "this is the decoder's table; the encoder has another one, and a token of it sees"
                " attention_window / 2 tokens on each side",
            ),
        ),
    },
    # Its list of layers has a key and values that no other class has.
    "gpt_neo": {
        "listed": "attention_layers",
        "types": ("global", "local"),
        "rule": {"cycle": ["global", "local"]},
        "windows": {"local": "window_size"},
    },
    "neomme": {
        "remarks": (
            Text(
                "per_layer_config 没有写时，每隔一个滑动窗口层，窗口是两边各 1024",
                "without per_layer_config, every second sliding layer sees 1024 tokens on each side",
            ),
        )
    },
    "nemotron_h": {
        "listed": "layers_block_type",
        "types": ("linear_attention", "moe", "mlp", "mamba", "attention", "full_attention"),
    },
    "trocr": {"after_padding": False},
    "whisper": {
        "kind": "learned",
        "longest": ("max_target_positions",),
        "remarks": (
            Text(
                "这是解码器的表；编码器用的是正弦和余弦",
                "this is the decoder's table; the encoder has sines and cosines",
            ),
        ),
    },
    # A probe cannot call its layers, which also need the time of a sound. Its attention is Mistral's code.
    "voxtral_realtime_text": {
        "kind": "rotary",
        "rule": {"cycle": ["sliding_attention"]},
        "windows": {"sliding_attention": "sliding_window"},
        "missing": {"sliding_window": 4096, "max_position_embeddings": 131072},
    },
    "zaya": _lacks(
        "2：查询和键按位置旋转，但旋转之前先经过卷积，和相邻的词元混合：小模型看不出怎样旋转",
        "2: queries and keys are rotated, but first mixed with those of the tokens before by a"
        " convolution: no probe"
        " shows how they turn",
    ),
    "layoutlm": {"remarks": (_BOXES,)},
    "tapas": {
        "remarks": (
            Text("位置可以在每个单元格里重新从 0 数起", "positions may begin at 0 in every cell of a table"),
        )
    },
    # Sines are computed, not looked up, in another order of columns; fairseq's begin after the padding.
    **dict.fromkeys(("ctrl", "marian", "pegasus"), _sines()),
    "pegasus_x": _sines(over_one_less=True),
    "xglm": _sines(over_one_less=True, first_row=2),
    **dict.fromkeys(("m2m_100", "nllb-moe", "fsmt"), _FAIRSEQ),
    **dict.fromkeys(("seamless_m4t", "seamless_m4t_v2"), _SEAMLESS),
    **dict.fromkeys(("kosmos_2_text_model", "kosmos_2_5_text_model"), _FAIRSEQ),
    **dict.fromkeys(
        ("musicgen_decoder", "musicgen_melody_decoder"), _sines("cosines_first", over_one_less=True)
    ),
}
