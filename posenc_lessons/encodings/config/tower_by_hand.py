"""Reasons, written by hand, why some vision towers are not read: what they do that no encoding here does.

Each reason comes with names from the code of transformers 5.23.0 that it describes; a test finds them there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from posenc_lessons.language import Text


class Reason(NamedTuple):
    """Why a tower is not read, and names in its code that prove it."""

    why: Text
    code: tuple[str, ...]


_BY_CONVOLUTION = Reason(
    Text(
        "没有注意力，也没有位置编码：每一层只看附近几个像素（深度卷积），零填充的边缘透露位置",
        "no attention and no encoding of positions: each layer looks at the pixels nearby (a depthwise"
        " convolution), and the zeros around the picture show where its edge is",
    ),
    ("groups=dim", "padding=3"),
)
_BETWEEN_LAYERS = Reason(
    Text(
        "注意力里没有位置：每个 MLP 中间有一个 3 × 3 的深度卷积，零填充的边缘透露位置",
        "attention has no positions: inside each MLP is a depthwise 3 × 3 convolution, and the zeros around"
        " the picture show where its edge is",
    ),
    ("dwconv", "groups=dim"),
)
_AMONG_CONVOLUTIONS = Reason(
    Text(
        "注意力里没有位置，它夹在 3 × 3 的卷积之间；位置来自卷积，零填充的边缘透露位置",
        "attention has no positions and stands between 3 × 3 convolutions: positions come from these, and the"
        " zeros around the picture show where its edge is",
    ),
    ("conv_kxk", "unfolding"),
)

REASONS: Mapping[str, Reason] = {
    "convnext": _BY_CONVOLUTION,
    "convnextv2": _BY_CONVOLUTION,
    "cvt": Reason(
        Text(
            "没有位置编码：查询、键和值各由一个 3 × 3 的卷积得到，零填充的边缘透露位置",
            "no encoding of positions: queries, keys and values each come from a 3 × 3 convolution, and the"
            " zeros around the picture show where its edge is",
        ),
        ("CvtSelfAttentionConvProjection", "padding=padding"),
    ),
    "depth_pro": Reason(
        Text(
            "它把几个大小的图切成小块，交给自己的三个编码器；编码器的配置在文件里面（image_model_config、"
            "patch_model_config，默认是 dinov2），请读其中一个",
            "it cuts pictures of several sizes into pieces for its own three encoders, whose"
            " configurations are inside the file (image_model_config, patch_model_config; by default dinov2):"
            " read one of these",
        ),
        ("patch_model_config", "scaled_images_ratios"),
    ),
    "dinat": Reason(
        Text(
            "每个查询只看自己周围 kernel_size × kernel_size 的邻域（可以隔着看），分数加上按行差、列差的表"
            "（rpb）；这里没有邻域注意力，它的代码也要另装 natten",
            "each query sees only a neighbourhood of kernel_size × kernel_size around itself, which may have"
            " gaps, and a table by differences of row and column is added to its scores (rpb); there is no"
            " neighbourhood attention here, and its code needs the package natten",
        ),
        ("natten2dqkrpb", "self.rpb"),
    ),
    "focalnet": Reason(
        Text(
            "没有注意力，也没有位置编码：每层用几个越来越大的深度卷积汇集周围（focal modulation），"
            "零填充的边缘透露位置",
            "no attention and no encoding of positions: each layer gathers what is around with depthwise"
            " convolutions of growing size (focal modulation), and the zeros around the picture show where"
            " its edge is",
        ),
        ("projection_context", "groups=dim"),
    ),
    "glpn": _BETWEEN_LAYERS,
    "inkling_vision": Reason(
        Text(
            "没有注意力：每个图块各自一层层折叠成一个向量，互相看不见；图块的次序由文字模型给",
            "no attention: each patch is folded by itself, layer by layer, into one vector, and patches do"
            " not see each other; their order is the text model's matter",
        ),
        ("fold_timespace_to_depth", "plan_out_scales"),
    ),
    "levit": Reason(
        Text(
            "分数加上按 (|行差|, |列差|) 的学到的表：左右不分、上下不分，每段之间还有查询比键少的注意力；"
            "RelativeGridBias 的表分方向",
            "a learned number for (|Δrow|, |Δcolumn|) is added to a score, the same to the left and to the"
            " right, above and below, and between stages there are fewer queries than keys; RelativeGridBias"
            " has a number for each direction",
        ),
        ("abs(p1[0] - p2[0])", "LevitAttentionSubsample"),
    ),
    "mllama_vision_model": Reason(
        Text(
            "图切成几片，图块加上 (1 − tanh g) × 一张表，再加 tanh g × 这种长宽比、这一片的表；g 是学到的，"
            "片前片后另加整片的向量",
            "a picture is cut into tiles; a patch gets (1 − tanh g) times a table and tanh g times a table of"
            " its tile and of the picture's aspect ratio, with g learned, and each tile a vector before and"
            " after the layers",
        ),
        ("self.gate.tanh()", "tile_embedding", "post_tile_positional_embedding"),
    ),
    "mobilevit": _AMONG_CONVOLUTIONS,
    "mobilevitv2": Reason(_AMONG_CONVOLUTIONS.why, ("conv_kxk", "unfolding", "LinearSelfAttention")),
    "poolformer": Reason(
        Text(
            "没有注意力，也没有位置编码：每层取附近 3 × 3 的平均，切块的卷积有零填充",
            "no attention and no encoding of positions: each layer takes the mean of 3 × 3 neighbours, and"
            " the convolutions that cut patches have zeros around the picture",
        ),
        ("AvgPool2d", "padding=padding"),
    ),
    "pvt": Reason(
        Text(
            "每一段有自己的一张学到的表，段段的图块不同大小；读得出的是一个模型一张表",
            "each stage adds its own learned table, for patches of another size; what is read here is"
            " one table for a model",
        ),
        ("position_embeddings", "num_encoder_blocks"),
    ),
    "pvt_v2": Reason(_BETWEEN_LAYERS.why, ("dwconv", "groups=dim")),
    "sam2_hiera_det_model": Reason(
        Text(
            "嵌入加上一张小的学到的图，双三次放大到图的大小，再加上另一张窗口大小的，一块块铺满",
            "a small learned picture, enlarged (bicubic) to the picture's size, is added to the embeddings,"
            " and another of a window's size, repeated like tiles",
        ),
        ("pos_embed_window", "window_embed.tile", 'mode="bicubic"'),
    ),
    "segformer": _BETWEEN_LAYERS,
    "timesformer": Reason(
        Text(
            "视频：每帧的图块加上同一张学到的表，每帧再加上另一张按时间的表；注意力先沿时间、再在一帧之内",
            "for video: the patches of every frame get the rows of one learned table, and all of a frame"
            " those of another by time; attention goes through time first, then within a frame",
        ),
        ("self.position_embeddings", "self.time_embeddings"),
    ),
    "vitpose_backbone": Reason(
        Text(
            "嵌入加上一张学到的表，每个图块另外都加上表的第 0 行（原是分类词元的）",
            "a learned table is added to the embeddings, and its row 0, once a class token's, to every patch"
            " besides",
        ),
        ("self.position_embeddings[:, 1:] + self.position_embeddings[:, :1]",),
    ),
    "vjepa2": Reason(
        Text(
            "头分三份，按帧、行、列转，可是代码把频率重复成 θ₀ … θₙ₋₁ θ₀ … θₙ₋₁，配对却是相邻特征："
            "一对的两个特征转角不同，这不是旋转，长度会变",
            "parts of a head are turned by frame, row and column, but the code repeats the frequencies as"
            " θ₀ … θₙ₋₁ θ₀ … θₙ₋₁ while it pairs neighbours: the two features of a pair get different angles,"
            " which is no rotation and changes lengths",
        ),
        ("emb_sin.repeat(1, 1, 1, 2)", "x.unflatten(-1, (-1, 2))"),
    ),
    "yolos": Reason(
        Text(
            "嵌入加上一张学到的表（图块之后还有检测词元的行），而且每一层之前再加上这一层自己的一张"
            "（use_mid_position_embeddings）",
            "a learned table is added to the embeddings, with rows for detection tokens after the patches,"
            " and before each layer that layer's own (use_mid_position_embeddings)",
        ),
        ("mid_position_embeddings", "num_detection_tokens"),
    ),
}
