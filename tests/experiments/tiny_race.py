"""A race that takes a moment."""

from __future__ import annotations

from posenc_lessons.experiments.race import Race

TINY = Race(
    tasks=("copy_back", "count_since_reset"),
    encodings=("none", "rotary"),
    seeds=(0,),
    train_length=8,
    test_lengths=(5, 8, 9),
    steps=3,
    batch_size=4,
    d_model=8,
    n_heads=2,
    n_layers=1,
    test_sequences=8,
)
