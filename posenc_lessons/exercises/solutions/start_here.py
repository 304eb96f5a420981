"""Reference solution to the warm-up of lesson 00."""

from __future__ import annotations


def swap_ends(words: list[str]) -> list[str]:
    """A new list with the first and the last word exchanged, the rest as it was."""
    swapped = list(words)
    swapped[0], swapped[-1] = words[-1], words[0]
    return swapped
