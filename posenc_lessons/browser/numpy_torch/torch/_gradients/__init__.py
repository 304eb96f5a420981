"""The derivative of each operation: from the gradient of its result to the gradients of its arguments.

A rule gets the gradient and the result of the operation, then the operation's arguments. It yields pairs
(argument, gradient). A gradient may have the shape of the result; the tape adds up the axes that broadcasting
repeated. It may also be a function, which is called only if this gradient is needed.
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
