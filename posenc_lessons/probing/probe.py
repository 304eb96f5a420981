"""``probe_rotation``: measure a function that is said to rotate, by calling it."""

from typing import Any

import torch

from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.language import Text
from posenc_lessons.probing.adapters import candidates, resolved
from posenc_lessons.probing.calls import (
    AXES,
    NEAR,
    Caller,
    FunctionRaises,
    NotARotation,
    Turn,
    coarse,
    eye,
    size,
)
from posenc_lessons.probing.checks import check_linear, check_moves, note_reading
from posenc_lessons.probing.frequencies import FARTHEST, Course, rule_of, wrapped
from posenc_lessons.probing.pairs import check_blocks, find_pairs, layout_of
from posenc_lessons.probing.rotation import Rotation

CHECKED = (0, 3, 5, 7, 11, 100)  # frequencies come from powers of two, of which none is here
FAR = 1_000_000
SINGLE, HALF = 2.0**-24, 2.0**-9  # half the distance between neighbours of 1 in float32 and bfloat16


def probe_rotation(rotate: Any, d_head: int, *, signature: str | None = None, tables: Any = None) -> Rotation:
    """Measure which rotation ``rotate`` is, from calls only; where it is none, say what it is.

    Args:
        rotate: ``rotate(x [..., L, d_head], positions [L])``, or a function, a module or a class with another
            ``signature``.
        d_head: features of a head.
        signature: "x", "x, positions", "x, cos, sin", "x, freqs_cis", or with "q, k" in place of "x"; None
            guesses it from the names of the parameters.
        tables: what makes cos and sin (or freqs_cis) for such a function: ``tables(positions)``, or a module
            that is called as in transformers, ``tables(x, positions [1, L])``. None hands over own tables, of
            base 10000, in each order that is in use; the answer says which one fits.

    Raises:
        ValueError: ``rotate`` raises, however it is called; bad ``d_head`` or ``signature``.

    >>> from posenc_lessons.encodings import apply_rotary
    >>> probe_rotation(apply_rotary, d_head=8).pairing
    'interleaved'
    """
    d_head = whole_number("d_head", d_head, 1)
    function, signature = resolved(rotate, d_head, signature)
    answer, failure = None, None
    for order, turn in candidates(function, d_head, signature, tables):
        try:
            measured = _probe(turn, d_head, order, has_positions="," in signature.removeprefix("q,"))
        except FunctionRaises as error:  # it raises with these tables; perhaps not with others
            failure = failure or error
            continue
        if measured.is_rotation and measured.along == "tokens":
            return measured
        if answer is None or (measured.is_rotation and not answer.is_rotation):
            answer = measured
    if answer is None:
        assert failure is not None  # there was a candidate
        raise failure
    return answer


def _probe(turn: Turn, d_head: int, order: str | None, has_positions: bool) -> Rotation:
    notes: list[Text] = []
    try:
        caller = Caller(turn, d_head)
        matrices = caller.matrices(NEAR)  # [5, d, d]
        check_linear(caller, matrices)
        in_half = coarse(matrices)
        tolerance = 16 * (HALF if in_half else SINGLE)
        note_reading(caller, matrices, notes if has_positions else [])
        wider = [caller.at(eye(d_head), far) for far in (64, 4096, 2**18)]  # slow pairs hardly move at 4
        every = torch.cat([matrices, *(columns.T[None] for columns in wider if columns is not None)])
        check_moves(every)
        pairs = find_pairs(every, tolerance)
        scale = check_blocks(pairs, matrices, tolerance)
        course = Course(caller, pairs, scale, in_half)
        deviation = _checked(course, tolerance)
    except NotARotation as what:
        return Rotation(False, d_head, what.text, tables=order, notes=tuple(notes))
    _note_limits(notes, course, tolerance)
    frequencies = course.frequencies.tolist()
    sizes = [abs(frequency) for frequency in frequencies]
    pairing, widths = layout_of(pairs, d_head)
    ordered = sorted(sizes, reverse=True) if pairing == "listed" else sizes
    rule = rule_of(ordered, widths, scale, 1e-2 if in_half else 1e-6)
    half = [course.deviation(m, torch.bfloat16) for m in (1, 3, 100, 1000, 4095) if m <= course.right_up_to]
    return Rotation(
        True,
        d_head,
        pairing=pairing,
        pairs=tuple(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)),
        signs=tuple(-1 if frequency < 0 else 1 for frequency in frequencies),
        inverse_frequencies=tuple(sizes),
        base=rule.base if rule else None,
        width=rule.width if rule else None,
        extension=rule.extension if rule else None,
        scale=scale,
        keeps_lengths=abs(scale - 1) <= tolerance,
        zero_is_identity=size(matrices[0] - eye(d_head)) <= tolerance,
        modulo_2pi=course.modulo_2pi,
        along=AXES[caller.axis],
        reads_positions=not caller.counts,
        right_up_to=course.right_up_to,
        deviation=deviation,
        far_deviation=course.deviation(FAR) if course.right_up_to > FAR / 2 else None,
        bfloat16_deviation=None if None in half else max(half),  # type: ignore[type-var]
        tables=order,
        notes=tuple(notes),
    )


def _checked(course: Course, tolerance: float) -> float:
    """Return the largest deviation at positions up to 100; NotARotation if angles do not grow evenly."""
    largest = 0.0
    for position in CHECKED:
        deviation = course.deviation(position)
        if deviation is None or (position == 100 and course.right_up_to < 100):
            continue
        if deviation > tolerance * (1 + position * size(course.frequencies)):
            zh, en = "角度不随位置均匀增大，位置", "its angles do not grow evenly; off at position"
            raise NotARotation(f"{zh} {position} 差了 {deviation:.2g}", f"{en} {position} by {deviation:.2g}")
        largest = max(largest, deviation)
    return largest


def _note_limits(notes: list[Text], course: Course, tolerance: float) -> None:
    caller, right, beyond = course.caller, course.right_up_to, 2 * course.right_up_to
    if caller.axis != -2:
        zh = f"位置沿着第 {caller.axis} 维走，不是词元那一维：是另一种布局，或者把头当成了词元。"
        en = f"Positions run along axis {caller.axis}, not -2: another layout, or heads are taken for tokens."
        notes.append(Text(zh, en))
    if course.pairs.moved:
        en = "Features come out in another order, at position 0 too: pass queries and keys."
        notes.append(Text("特征换了次序，位置 0 也是：查询和键都要经过它。", en))
    if size(course.phases) > 2 * tolerance:
        notes.append(_phases(course, tolerance))
    if right < FARTHEST and not caller.counts:
        raises = not bool(course.angles(beyond).isfinite().all())
        en = f"Right up to position {right:g}; at {beyond:g} it {'raises' if raises else 'is wrong'}."
        notes.append(Text(f"位置 {right:g} 为止都对，{beyond:g} 就{'报错' if raises else '不对了'}。", en))


def _phases(course: Course, tolerance: float) -> Text:
    """Return what the angles at position 0 mean."""
    if size(course.phases - torch.pi / 2) <= 2 * tolerance:
        return Text("cos 和 sin 用反了。", "Cosine and sine are swapped.")
    if size(wrapped(course.phases - course.frequencies)) <= 4 * tolerance:
        return Text("位置从 1 数起。", "Positions are counted from 1, not from 0.")
    return Text("位置 0 就已经转了一个角度。", "Position 0 turns by an angle already.")
