"""Cards of the distance explorer: a distance, a row of Shaw's table, a bucket, a penalty."""

import math

from posenc_lessons.encodings import alibi_slopes
from posenc_lessons.explorers.cards.card import Card, Mark, Step, Term, said
from posenc_lessons.explorers.definition import Arrays, Parameters
from posenc_lessons.explorers.distance import ALIBI_HEADS, KINDS
from posenc_lessons.language import Text

# T5's sizes, the defaults of ``t5_buckets``: buckets for both directions together, and the farthest distance.
BUCKETS, FARTHEST = 32, 128

DISTANCE = Text("距离 $n−m$", "distance $n−m$")
BUCKET = Text("桶", "bucket")


def of_cell(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return the card of a query and a key: their distance and its value."""
    m, n = mark.row, mark.column
    places = (
        Text(f"行：查询 $m = {m}$", f"row: query $m = {m}$"),
        Text(f"列：键 $n = {n}$", f"column: key $n = {n}$"),
    )
    first = Step(DISTANCE, f"{n} − {m}", float(n - m))
    if parameters["kind"] == "signed":
        terms = (
            Term(Text("键 $n$", "key $n$"), (float(n),)),
            Term(Text("减去查询 $m$", "less query $m$"), (-1.0, float(m)), f"−{m}"),
        )
        return Card(KINDS["signed"], places, "n − m", terms=terms, total=DISTANCE)
    return by_distance(n - m, parameters, places, (first,))


def of_distance(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return the card of one distance: how the encoding computes its value."""
    distance = int(arrays["distances"][mark.column])
    places = (Text(f"距离 $n−m = {said(distance)}$", f"distance $n−m = {said(distance)}$"),)
    if parameters["kind"] == "signed":
        return Card(KINDS["signed"], places, "n − m", before=(Step(DISTANCE, "", float(distance)),))
    return by_distance(distance, parameters, places, ())


def by_distance(
    distance: int, parameters: Parameters, places: tuple[Text, ...], before: tuple[Step, ...]
) -> Card:
    """Return the card of Shaw, T5 or ALiBi for a distance, after the steps ``before``."""
    kind = parameters["kind"]
    if kind == "shaw":
        clip = parameters["clip"]
        clipped = min(max(distance, -clip), clip)
        cut = Term(
            Text(f"截断到 ±{clip}", f"clipped to ±{clip}"),
            (float(clipped),),
            f"clamp({said(distance)}, −{clip}, {clip})",
        )
        shift = Term(Text("让行号从 0 起", "rows count from 0"), (float(clip),))
        formula = "clamp(n−m, −k, k) + k"
        return Card(KINDS[kind], places, formula, before, (cut, shift), Text("表的行", "row of the table"))
    if kind == "alibi":
        slope, head = float(alibi_slopes(ALIBI_HEADS)[parameters["head"] - 1]), parameters["head"]
        name = Text(f"第 {head} 头的斜率", f"slope of head {head}")
        steps = (*before, Step(name, f"2^{{−8·{head}/{ALIBI_HEADS}}}", slope))
        return Card(
            KINDS[kind],
            places,
            "−slope·|n−m|",
            steps,
            (Term(Text("斜率 × 步数", "slope × steps"), (-slope, float(abs(distance)))),),
            Text("偏置", "bias"),
        )
    steps, terms = bucket_terms(distance, parameters["bidirectional"])
    return Card(KINDS[kind], places, "", (*before, *steps), terms, BUCKET)


def bucket_terms(distance: int, bidirectional: bool) -> tuple[tuple[Step, ...], tuple[Term, ...]]:
    """Return T5's bucket of a distance as a sum: of its direction, exact buckets, and logarithmic buckets."""
    on_one_side = BUCKETS // 2 if bidirectional else BUCKETS
    exact = on_one_side // 2
    steps = abs(distance) if bidirectional else max(-distance, 0)
    terms = []
    if bidirectional and distance > 0:
        terms.append(Term(Text("键在后：上半边的桶", "later key: the upper half"), (float(on_one_side),)))
    elif bidirectional:
        terms.append(Term(Text("键不在后：下半边的桶", "no later key: the lower half"), (0.0,)))
    how = f"|{said(distance)}|" if bidirectional else f"max({said(-distance)}, 0)"
    counted = Step(Text("步数", "steps"), how, float(steps))
    if steps < exact:
        near = Text(f"不到 {exact} 步：一步一个桶", f"fewer than {exact}: a bucket each")
        return (counted,), (*terms, Term(near, (float(steps),)))
    share = math.log(steps / exact) / math.log(FARTHEST / exact) * (on_one_side - exact)
    log = Step(
        Text("对数里走了", "along the logarithm"),
        f"log({steps}/{exact}) / log({FARTHEST}/{exact}) × {on_one_side - exact}",
        share,
    )
    wide = min(math.floor(share + 1e-9), on_one_side - exact - 1)
    return (counted, log), (
        *terms,
        Term(Text(f"一步一个的 {exact} 个桶", f"the {exact} exact buckets"), (float(exact),)),
        Term(
            Text("往下取整", "rounded down"),
            (float(wide),),
            f"min(floor({said(share)}), {on_one_side - exact - 1})",
        ),
    )


CARDS = {"matrix": of_cell, "profile": of_distance}
