"""Models that any position encoding fits into, and small tasks to train them on. Needs torch and tqdm."""

from posenc_lessons.models.attention import MultiHeadAttention, causal_mask
from posenc_lessons.models.blocks import DecoderLayer, EncoderLayer, FeedForward, TokenEmbedding
from posenc_lessons.models.by_name import ENCODING_NAMES, encoding_named
from posenc_lessons.models.cache import Cache, KeyValueCache
from posenc_lessons.models.decoding import generate, translate
from posenc_lessons.models.stacks import AttentionWeights, TransformerDecoder, TransformerEncoder
from posenc_lessons.models.tasks import (
    PairTask,
    Task,
    copy_back,
    count_since_reset,
    flip_flop,
    reverse,
    rewrite_date,
    selective_copy,
    sort,
)
from posenc_lessons.models.training import History, accuracy, train
from posenc_lessons.models.transformer import DecoderOnly, Seq2Seq

__all__ = [
    "ENCODING_NAMES",
    "AttentionWeights",
    "Cache",
    "DecoderLayer",
    "DecoderOnly",
    "EncoderLayer",
    "FeedForward",
    "History",
    "KeyValueCache",
    "MultiHeadAttention",
    "PairTask",
    "Seq2Seq",
    "Task",
    "TokenEmbedding",
    "TransformerDecoder",
    "TransformerEncoder",
    "accuracy",
    "causal_mask",
    "copy_back",
    "count_since_reset",
    "encoding_named",
    "flip_flop",
    "generate",
    "reverse",
    "rewrite_date",
    "selective_copy",
    "sort",
    "train",
    "translate",
]
