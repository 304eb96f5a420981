"""The derivative of each operation: what its result's gradient says of its arguments.

A rule gets the gradient and the result of the operation, then the operation's own arguments, and yields
(argument, gradient) pairs, broadcast as the result is; the tape adds up what broadcasting repeated. A
gradient may be a function, which is called where it is wanted.
"""

from .._tape import COMPOSED
from . import axes, layers, numbers, places, products, shapes

__all__ = ["axes", "layers", "numbers", "places", "products", "shapes"]

COMPOSED |= set(
    [
        "addcmul",
        "addmm",
        "aminmax",
        "atleast_1d",
        "bmm",
        "cdist",
        "chunk",
        "dot",
        "expand_as",
        "hstack",
        "index_fill",
        "lerp",
        "log_softmax",
        "logit",
        "logsumexp",
        "max",
        "median",
        "min",
        "mm",
        "msort",
        "mv",
        "nanmean",
        "narrow",
        "norm",
        "outer",
        "polar",
        "put",
        "ravel",
        "reshape_as",
        "sort",
        "square",
        "std",
        "swapaxes",
        "topk",
        "unflatten",
        "var",
        "view",
        "view_as",
        "vstack",
    ]
)
