"""What a refusal must say: its own words in English, then, on a new line, in Chinese."""

from __future__ import annotations


def in_both_languages(message: str) -> str:
    r"""The pattern of a refusal that says ``message``, where ``\n`` parts the English from the Chinese.

    For ``pytest.raises(…, match=…)``: no Chinese before a line break and some after it, whatever else is
    said, also where ``message`` is the English alone.
    """
    both = r"(?=[^一-鿿]*\n[^\n]*[一-鿿])"
    return f"(?s)^{both}[^一-鿿]*" + message.replace(r"\n", r"[^一-鿿]*\n")
