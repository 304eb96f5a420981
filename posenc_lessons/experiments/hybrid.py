"""Compare ways to give layers positions: all rotary, none at all, a hybrid with windows, and two controls.

In the hybrid, three of four layers rotate and see a window; the fourth sees all and has no positions, as in
Cohere 2 or EXAONE 4. It differs from all rotary in two things, and each control has one of them: in
"windowed" every layer rotates, and in "last_free" no layer has a window. All models are trained at one length
and tested at one, two and four times that length.

The command ``python -m posenc_lessons.experiments.hybrid`` does this with five seeds in about a quarter of an
hour and keeps the results with machine and date.
"""

from dataclasses import replace

from posenc_lessons.experiments.comparison import Race, Results
from posenc_lessons.experiments.recordings import RECORDED, make_record, read_record

# The answers: the token three back; the one after this token's last occurrence; a value given far back.
HYBRID = Race(
    tasks=("copy_back", "what_followed", "look_up"),
    encodings=("rotary", "none", "hybrid", "windowed", "last_free"),
    test_lengths=(32, 64, 128),
    d_model=32,
    n_heads=2,
    n_layers=4,
    window=8,
    spare_logits=False,
    steps=400,
    batch_size=32,
    learning_rate=5e-3,
    sets_apart=10_000,
)


def recorded() -> Results:
    """Return the runs that come with the course."""
    return read_record(RECORDED / "hybrid.json", Results)


if __name__ == "__main__":
    from posenc_lessons.experiments.racing import run_race

    make_record("hybrid.json", __doc__, lambda seeds: run_race(replace(HYBRID, seeds=seeds)))
