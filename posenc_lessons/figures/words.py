"""Draw a reader's words in a picture: as the ticks of an axis."""

from collections.abc import Sequence

from posenc_lessons.figures.ticks import Ticks

LONGEST_LABEL = 9  # characters; longer words are cut, so that labels do not reach into the picture
MOST_TICKS = 18


def cut(word: str, room: int) -> str:
    """Cut ``word`` to at most ``room`` characters."""
    return word if len(word) <= room else word[: max(room - 1, 1)] + "…" * (room > 1)


def word_ticks(words: Sequence[str]) -> Ticks:
    """Return a tick for each word; long words are cut, and some are left out if they would collide."""
    every = -(-len(words) // MOST_TICKS)
    return tuple((float(i), cut(word, LONGEST_LABEL)) for i, word in enumerate(words) if i % every == 0)


def position_ticks(words: Sequence[str], n: int) -> Ticks:
    """Return ticks for positions 0 … ``n`` − 1: the number, and the word there as far as the words reach."""
    names = [f"{i} {word}" for i, word in enumerate(words[:n])]
    return word_ticks([*names, *map(str, range(len(names), n))])
