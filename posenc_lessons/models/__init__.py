"""Models that any position encoding fits into. Needs torch alone."""

from posenc_lessons.models.attention import MultiHeadAttention, causal_mask
from posenc_lessons.models.blocks import DecoderLayer, EncoderLayer, FeedForward, TokenEmbedding
from posenc_lessons.models.by_name import ENCODING_NAMES, encoding_named
from posenc_lessons.models.cache import Cache, KeyValueCache
from posenc_lessons.models.decoding import generate, translate
from posenc_lessons.models.stacks import AttentionWeights, TransformerDecoder, TransformerEncoder
from posenc_lessons.models.transformer import DecoderOnly, Seq2Seq

__all__ = [
    "ENCODING_NAMES",
    "AttentionWeights",
    "Cache",
    "DecoderLayer",
    "DecoderOnly",
    "EncoderLayer",
    "FeedForward",
    "KeyValueCache",
    "MultiHeadAttention",
    "Seq2Seq",
    "TokenEmbedding",
    "TransformerDecoder",
    "TransformerEncoder",
    "causal_mask",
    "encoding_named",
    "generate",
    "translate",
]
