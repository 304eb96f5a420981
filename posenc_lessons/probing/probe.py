"""``probe_rotation``: measure a function that is said to rotate, by calling it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.language import Text
from posenc_lessons.probing.adapters import candidates
from posenc_lessons.probing.calls import AXES, CUBE, Caller, NotARotation, eye
from posenc_lessons.probing.checks import check_idle, check_linear, check_moves, counts_tokens
from posenc_lessons.probing.frequencies import FARTHEST, Measured, measure, rule_of, wrapped
from posenc_lessons.probing.pairs import Pairs, check_blocks, find_pairs, layout_of
from posenc_lessons.probing.rotation import Rotation
from posenc_lessons.probing.turned import Turned

NEAR = list(range(CUBE))
CHECKED = (3, 5, 7, 11, 100)  # none of them is a power of two, from which the frequencies come
FAR = 1_000_000
SINGLE, HALF = 2.0**-24, 2.0**-9  # half the distance between neighbours of 1 in float32 and bfloat16


def probe_rotation(
    rotate: Any, d_head: int, *, signature: str | None = None, tables: Any = None, axes: int = 1
) -> Rotation:
    """Measure which rotation ``rotate`` is, from calls only; where it is none, say what it is.

    Args:
        rotate: ``rotate(x [..., L, d_head], positions [L])``, or a function, a module or a class with another
            ``signature``.
        d_head: features of a head.
        signature: "x, positions", "x", "x, cos, sin", "q, k, cos, sin", "q, k, positions", "x, freqs_cis" or
            "q, k, freqs_cis"; None guesses it from the names of the parameters.
        tables: what makes cos and sin (or freqs_cis) for such a function: ``tables(positions)``, or a module
            that is called as in transformers, ``tables(x, positions [1, L])``. None hands over own tables, of
            base 10000, in each order that is in use; the answer says which one fits.
        axes: above 1, positions are [axes, L], as in M-RoPE; the answer says which axis rotates which pair.

    Raises:
        ValueError: ``rotate`` raises, however it is called; bad ``d_head``, ``axes`` or ``signature``.

    >>> from posenc_lessons.encodings import apply_rotary
    >>> probe_rotation(apply_rotary, d_head=8).pairing
    'interleaved'
    """
    d_head, axes = whole_number("d_head", d_head, 1), whole_number("axes", axes, 1)
    answer: Rotation | None = None
    failure: Exception | None = None
    for order, turn in candidates(rotate, d_head, signature, tables):
        try:
            measured = _probe(turn, d_head, axes, order)
        except ValueError as error:  # it raises with these tables; perhaps not with others
            failure = failure or error
            continue
        if measured.is_rotation and measured.along == "tokens":
            return measured
        answer = answer if answer and (answer.is_rotation or not measured.is_rotation) else measured
    if answer is None:
        assert failure is not None  # there is a candidate at least
        raise failure
    return answer


def _probe(turn: Any, d_head: int, axes: int, order: str | None) -> Rotation:
    notes: list[Text] = []
    along = "tokens"
    try:
        caller = Caller(turn, d_head, axes)
        along = AXES[caller.axis]
        return _measured(caller, notes, order, getattr(turn, "differs", None))
    except NotARotation as what:
        return Rotation(False, d_head, what.text, along=along, tables=order, notes=tuple(notes))


def _measured(caller: Caller, notes: list[Text], order: str | None, differs: Any) -> Rotation:
    matrices = caller.matrices(NEAR)  # [5, d, d]
    check_linear(caller, matrices)
    in_half = torch.equal(matrices.to(torch.bfloat16).to(torch.float64), matrices)
    tolerance = 16 * (HALF if in_half else SINGLE)
    counts = counts_tokens(caller, matrices, notes)
    turned = Turned(caller, counts)
    wider = [turned.matrix(position) for position in (64, 4096, 2**18)]  # slow pairs hardly move at 4
    measured_matrices = torch.cat([matrices, *(matrix for matrix in wider if matrix is not None)])
    check_moves(measured_matrices)
    turned.pairs = pairs = find_pairs(measured_matrices, tolerance)
    scale = check_blocks(pairs, matrices, tolerance)
    check_idle(pairs, measured_matrices, scale, tolerance)
    course = measure(turned.angles, 4096 if counts else FARTHEST)
    deviation = _near_deviation(turned, course, scale, tolerance)
    _note_limits(notes, turned, course, scale, tolerance, differs)
    frequencies = course.frequencies.tolist()
    layout, widths = layout_of(pairs, caller.d_head)
    rule = rule_of(_in_order(pairs, layout, frequencies), widths, scale, exact=1e-2 if in_half else 1e-6)
    first, second = pairs.first.tolist(), pairs.second.tolist()
    return Rotation(
        is_rotation=True,
        d_head=caller.d_head,
        pairing=layout,
        pairs=tuple(zip(first, second, strict=True)),
        signs=tuple(-1 if frequency < 0 else 1 for frequency in frequencies),
        inverse_frequencies=tuple(abs(frequency) for frequency in frequencies),
        width=rule and rule.width,
        base=rule and rule.base,
        extension=rule and rule.extension,
        scale=scale,
        keeps_lengths=abs(scale - 1) <= tolerance,
        zero_is_identity=float((matrices[0] - eye(caller.d_head)).abs().max()) <= tolerance,
        modulo_2pi=course.modulo_2pi,
        along=AXES[caller.axis],
        reads_positions=not counts,
        right_up_to=course.right_up_to,
        deviation=deviation,
        far_deviation=turned.deviation(FAR, course, scale) if course.right_up_to > FAR / 2 else None,
        bfloat16_deviation=_in_bfloat16(turned, course, scale),
        tables=order,
        axis_of_pair=_axes_of_pairs(turned, course) if caller.axes > 1 else None,
        notes=tuple(notes),
    )


def _near_deviation(turned: Turned, course: Measured, scale: float, tolerance: float) -> float:
    """Return the largest deviation at positions up to 100; NotARotation if angles do not grow evenly."""
    largest = 0.0
    fastest = float(course.frequencies.abs().max())
    for position in (0, *CHECKED):
        deviation = turned.deviation(position, course, scale)
        if deviation is None or (position == 100 and course.right_up_to < 100):
            continue
        if deviation > tolerance * (1 + position * fastest):
            raise NotARotation(
                f"角度不随位置均匀增大：在位置 {position} 差了 {deviation:.2g}",
                f"its angles do not grow evenly with the position: at position {position} it is off by "
                f"{deviation:.2g}",
            )
        largest = max(largest, deviation)
    return largest


def _in_bfloat16(turned: Turned, course: Measured, scale: float) -> float | None:
    positions = [position for position in (1, 3, 100, 1000, 4095) if position <= course.right_up_to]
    off = [turned.deviation(position, course, scale, torch.bfloat16) for position in positions]
    return None if None in off else max(off)  # type: ignore[type-var]


def _in_order(pairs: Pairs, layout: str, frequencies: Sequence[float]) -> list[float]:
    """Return the sizes of ``frequencies`` in the order of the rule: by features, or the fastest first."""
    sizes = [abs(frequency) for frequency in frequencies]
    return sorted(sizes, reverse=True) if layout == "listed" else sizes


def _axes_of_pairs(turned: Turned, course: Measured) -> tuple[int, ...]:
    """Return for each pair the coordinate that rotates it; −1 for several."""
    reading = []
    for column in range(turned.caller.axes):
        turned.caller.column = column
        angles = turned.angles(1)
        assert angles is not None  # the same positions were asked before
        reading.append(wrapped(angles - course.phases).abs() > 1e-9 * course.frequencies.abs())
    turned.caller.column = -1
    table = torch.stack(reading)  # [axes, n]
    axes = table.to(torch.int64).argmax(0).tolist()
    return tuple(axis if int(table[:, i].sum()) == 1 else -1 for i, axis in enumerate(axes))


def _note_limits(
    notes: list[Text], turned: Turned, course: Measured, scale: float, tolerance: float, differs: Any
) -> None:
    pairs, caller = turned.pairs, turned.caller
    if caller.axis != -2:
        axis, name = caller.axis, AXES[caller.axis]
        notes.append(
            Text(
                f"位置沿着第 {axis} 维走（{name}），不是词元那一维：布局不同，或者把别的当成了词元。",
                f"Positions run along axis {axis} ({name}), not along the tokens: another layout, or "
                f"something else is taken for tokens.",
            )
        )
    if pairs.moved:
        notes.append(
            Text(
                "特征换了次序，位置 0 也是：查询和键必须都经过它。",
                "Features come out in another order, at position 0 too: both queries and keys must pass "
                "through it.",
            )
        )
    _note_phases(notes, course, tolerance)
    if course.right_up_to < FARTHEST and not turned.counts:
        beyond = 2 * course.right_up_to
        what = Text("报错", "it raises") if turned.angles(beyond) is None else Text("不对", "it is wrong")
        notes.append(
            Text(
                f"位置 {course.right_up_to:g} 为止都对，位置 {beyond:g} 已经{what.zh}。",
                f"Right up to position {course.right_up_to:g}; at position {beyond:g} {what.en}.",
            )
        )
    if not turned.counts and turned.depends_on_others(tolerance):
        notes.append(
            Text(
                "一个词元转多少还取决于同一次调用里最远的位置，dynamic NTK 和 LongRoPE 就是这样。",
                "How far a token turns depends on the farthest position in the call, as in dynamic NTK and "
                "LongRoPE.",
            )
        )
    if caller.changes_input:
        notes.append(Text("它改了传进去的张量。", "It changes its input in place."))
    if differs is not None and differs():
        notes.append(Text("查询和键转得不一样。", "Queries and keys are rotated differently."))


def _note_phases(notes: list[Text], course: Measured, tolerance: float) -> None:
    phases, frequencies = course.phases, course.frequencies
    if float(phases.abs().max()) <= 2 * tolerance:
        return
    if float((phases - torch.pi / 2).abs().max()) <= 2 * tolerance:
        notes.append(Text("cos 和 sin 用反了。", "Cosine and sine are swapped."))
        return
    for first in (1, -1, 2):
        if float(wrapped(phases - first * frequencies).abs().max()) <= 4 * tolerance:
            notes.append(
                Text(f"位置从 {first} 数起，不是从 0。", f"Positions are counted from {first}, not from 0.")
            )
            return
    notes.append(Text("位置 0 已经转了一个角度。", "Position 0 turns by an angle already."))
