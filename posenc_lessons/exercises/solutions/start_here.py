"""Reference solution to the warm-up of lesson 00."""


def swap_ends(words: list[str]) -> list[str]:
    """Return a new list with the first and the last word exchanged."""
    swapped = list(words)
    swapped[0], swapped[-1] = words[-1], words[0]
    return swapped
