"""Masks of attention by name."""

from . import bias as bias
