"""Which cells of which lesson treat which section of the study notes."""

from __future__ import annotations

CELLS: dict[str, dict[str, tuple[str, ...]]] = {
    "00_start_here": {
        "§2.3": (
            "words",
            "mistranslations",
        ),
        "§3.1": (
            "device-choice",
            "device",
        ),
        "§4.1": ("path",),
    },
    "01_why_position": {
        "§0.7": (
            "attention",
            "ten-lines",
            "sqrt",
            "sqrt-measured",
            "clinic-half",
            "clinic-half-wrong",
            "clinic-half-right",
            "clinic-row",
            "clinic-row-wrong",
            "clinic-row-right",
            "clinic-comment",
            "clinic-comment-wrong",
            "clinic-comment-right",
        ),
        "§0.8": ("four-doors",),
        "§1.1": (
            "guess",
            "attention",
            "swap-toy",
            "swap-read",
            "permutation",
            "proof",
            "proof-steps",
            "sentences-attention",
            "six-layers",
            "shuffle-explorer",
            "doors-open",
        ),
        "§1.2": (
            "additive",
            "bert-gpt",
            "additive-terms",
        ),
        "§3.8": (
            "by-hand",
            "by-hand-check",
            "notes-init",
            "package-same",
            "clinic-order",
            "clinic-order-wrong",
            "clinic-order-right",
        ),
    },
    "02_sinusoidal": {
        "§0.1": (
            "definition",
            "log-space",
            "log-space-rounding",
            "log-space-why",
            "module",
            "module-buffer",
            "module-choice",
            "module-ours",
            "dropout",
            "dropout-measured",
            "bug-colon",
            "bug-colon-evidence",
            "bug-even-odd",
            "bug-even-odd-evidence",
        ),
        "§0.2": (
            "ten-lines",
            "ten-lines-code",
            "published-table",
            "published-table-check",
        ),
        "§0.8": (
            "by-hand-clocks",
            "sinusoid-explorer",
        ),
        "§1.3": (
            "column-index",
            "by-hand",
            "by-hand-numbers",
            "bug-exponent",
            "bug-exponent-evidence",
        ),
        "§3.2": (
            "package-equal",
            "module-ours",
            "bug-attribute",
            "bug-attribute-evidence",
        ),
        "§3.6": (
            "scale",
            "scale-measured",
            "scale-why",
        ),
        "§4.3": (
            "loop",
            "loop-measured",
            "loop-why",
        ),
    },
}
