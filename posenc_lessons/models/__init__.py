"""Models that any position encoding fits into. Needs only torch."""

from posenc_lessons.models.attention import MultiHeadAttention
from posenc_lessons.models.blocks import DecoderLayer, EncoderLayer, FeedForward, TokenEmbedding
from posenc_lessons.models.cache import Cache, KeyValueCache
from posenc_lessons.models.decoding import generate, translate
from posenc_lessons.models.latent import LatentAttention
from posenc_lessons.models.masks import causal_mask
from posenc_lessons.models.registry import COURSE_ENCODINGS, encoding_named
from posenc_lessons.models.settings import LayerOptions
from posenc_lessons.models.sinks import SinkAttention, forget_middle
from posenc_lessons.models.stacks import AttentionWeights, TransformerDecoder, TransformerEncoder
from posenc_lessons.models.transformer import DecoderOnly, Seq2Seq

__all__ = [
    "COURSE_ENCODINGS",
    "AttentionWeights",
    "Cache",
    "DecoderLayer",
    "DecoderOnly",
    "EncoderLayer",
    "FeedForward",
    "KeyValueCache",
    "LatentAttention",
    "LayerOptions",
    "MultiHeadAttention",
    "Seq2Seq",
    "SinkAttention",
    "TokenEmbedding",
    "TransformerDecoder",
    "TransformerEncoder",
    "causal_mask",
    "encoding_named",
    "forget_middle",
    "generate",
    "translate",
]
