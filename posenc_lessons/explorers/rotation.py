"""Rotary encoding, live: arrows rotate with their positions; the angle between them tells the distance."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from posenc_lessons.encodings import Pairing, apply_rotary, rotary_angles
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.caption import Colored, filled, number
from posenc_lessons.explorers.controls import Choice, Control, LogSlider, Slider, TickBox
from posenc_lessons.explorers.definition import Arrays, Parameters, Try
from posenc_lessons.figures.colors import CHOSEN, KEY, QUERY, RESULT
from posenc_lessons.figures.rotation import Rotated, dials_a_row, rotation_scene
from posenc_lessons.figures.scene import Scene
from posenc_lessons.language import Text

FARTHEST_QUERY, FARTHEST_KEY = 200, 400
AXES = 21  # the number of the query and key along the axes
USUALLY_DRAWN = 128  # the largest distance drawn, on each side

PAIRINGS = (
    (Text("相邻两个 (0, 1)", "interleaved (0, 1)"), "interleaved"),
    (Text("前后两半 (0, d/2)", "half-split (0, d/2)"), "half_split"),
)


@dataclass
class Held:
    """The arrow that a pointer rotates.

    Positions a full rotation apart look the same; the pointer's path decides between them.
    """

    slider: str  # the name of the position that rotates it
    rate: float  # radians per position
    exact: float  # the position before rounding
    pointer_angle: float  # at the last event, anticlockwise

    def rotated(self, x: float, y: float, low: int, high: int) -> int:
        """Return the position from ``low`` to ``high`` whose angle is nearest to the pointer at (x, y)."""
        angle = math.atan2(y, x)
        way = math.remainder(angle - self.pointer_angle, 2 * math.pi)
        self.pointer_angle, self.exact = angle, min(max(self.exact + way / self.rate, low), high)
        return round(self.exact)


class RotationExplorer(Explorer):
    """q at position m, k at position n; ``locked`` moves both together, which does not change the score.

    Dragging rotates the arrow that was nearest to its start.
    """

    name = "rotation"
    title = Text("旋转编码", "Rotation")
    door = 2
    first = "m"
    drag = "plane turned_query"
    grabs = frozenset({"plane", "score"})
    _held: Held | None = None
    rare = frozenset({"base", "d", "pairing", "vectors"})
    tries = (
        Try(
            Text("一起移动", "Move together"),
            {"locked": True, "m": 60, "n": 64},
            Text(
                "两支箭又走了 55 步，粉色的夹角还是 25°，分数还是 20.992。拖一支箭：两支一起转，两个数不动。",
                "Both arrows are 55 steps further on; the pink angle is still 25° and the score 20.992. Drag "
                "an arrow: both turn, and these two numbers stand still.",
            ),
        ),
        Try(
            Text("换成前面的键", "A key before"),
            {"m": 9, "n": 5},
            Text(
                "还是相距 4，方向反了：分数从 20.992 变成 24.415。RoPE 分得出前后。",
                "Still 4 apart, the other way round: the score goes from 20.992 to 24.415. RoPE tells "
                "before from after.",
            ),
        ),
        Try(
            Text("最慢的一对", "The slowest pair"),
            {"m": 5, "n": 105, "pair": 15},
            Text(
                "走了一百步，最慢的第 15 对只多转了 1.0°；再看第 0 对的表盘，早已转过十几圈。",
                "After a hundred steps pair 15, the slowest, has turned by 1.0°; the dial of pair 0 has "
                "gone round more than fifteen times.",
            ),
        ),
        Try(
            Text("底数拉到一百万", "Base one million"),
            {"base": 1e6},
            Text(
                "右下的曲线一路都高，只有小起伏：表盘大多近乎停着。长上下文的模型要的就是这个。",
                "The curve at the lower right stays high throughout: most dials all but stand still. Models "
                "with long contexts raise their base for that.",
            ),
        ),
    )

    def make_controls(self) -> dict[str, Control]:
        return {
            "m": Slider(Text("查询位置 m", "query at m"), 0, FARTHEST_QUERY, 5),
            "n": Slider(Text("键位置 n", "key at n"), 0, FARTHEST_KEY, 9),
            "locked": TickBox(Text("一起移动（n−m 不变）", "move together (n−m stays)"), False),
            "pair": Slider(Text("看第几对", "pair shown"), 0, 15, 3),
            "d": Slider(Text("维度 d", "width d"), 2, 64, 32, step=2),  # features rotate in pairs
            "base": LogSlider(Text("底数 base", "base"), 0.05, 6, 10000.0),
            "pairing": Choice(Text("怎么配对", "pairing"), PAIRINGS, "interleaved"),
            "vectors": Slider(Text("换一组 q、k", "other q and k"), 0, AXES, 0),
        }

    def _set(self, values: Parameters) -> None:
        """Set ``values`` with ``locked`` off, so that both positions can change their distance."""
        locked = values.get("locked", self.controls["locked"].value)
        super()._set({**values, "locked": False})
        super()._set({"locked": locked})

    def adjust(self) -> None:
        m, n, pair = (self.slider(name) for name in ("m", "n", "pair"))
        pair.limit(0, self.controls["d"].value // 2 - 1)
        n.disabled = self.controls["locked"].value
        if not n.disabled:
            self._gap = n.value - m.value
            m.limit(0, FARTHEST_QUERY)
        else:
            m.limit(max(0, -self._gap), min(FARTHEST_QUERY, FARTHEST_KEY - self._gap))
            n.value = m.value + self._gap

    def pointed(self, panel: str, x: float, y: float, kind: str = "press") -> Parameters:
        if panel == "score":
            m, n = (self.controls[name].value for name in ("m", "n"))
            reach = farthest_drawn(m, n)
            distance = min(max(round(x), -min(reach, FARTHEST_QUERY)), reach)
            m = min(max(m, -distance), FARTHEST_KEY - distance)
            return {"m": m, "n": m + distance}
        if panel == "dials" and kind != "drag":
            last = int(self.slider("pair").max)
            column, a_row = round(x), dials_a_row(last + 1)
            pair = a_row * round(y) + column
            return {"pair": pair} if 0 <= column < a_row and 0 <= pair <= last else {}
        if kind == "press":
            self._held = self._taken(x, y)
        if kind != "drag" or self._held is None or panel != "plane":
            return {}
        slider, m = self._held.slider, self.slider("m")
        locked = self.controls["locked"].value
        apart = self._gap if locked and slider == "n" else 0
        ends = (m.min + apart, m.max + apart) if locked else (0, self.slider(slider).max)
        position = self._held.rotated(x, y, *ends)
        return {"m": position - apart, "n": position - apart + self._gap} if locked else {slider: position}

    def _taken(self, x: float, y: float) -> Held:
        """Return the arrow that a press at (x, y) of the plane holds."""
        value, numbers = self.parameters(), self.compute(self.parameters())
        rate = float(rotary_angles(torch.tensor([1]), value["d"], value["base"])[0, value["pair"]])
        pointer = math.atan2(y, x)
        angles = {
            name: rate * value[name] + math.atan2(numbers[arrow][1], numbers[arrow][0])
            for name, arrow in (("m", "query"), ("n", "key"))
        }
        nearest = min(angles, key=lambda name: abs(math.remainder(angles[name] - pointer, 2 * math.pi)))
        return Held(nearest, rate, value[nearest], pointer)

    def compute(self, parameters: Parameters) -> Arrays:
        settings = {name: value for name, value in parameters.items() if name != "locked"}
        return vars(rotation_numbers(**settings, device=self.device))

    def scene(self, parameters: Parameters, arrays: Arrays) -> Scene:
        return rotation_scene(Rotated(**arrays))

    def caption(self, parameters: Parameters, arrays: Arrays) -> Text:
        pair, distance = parameters["pair"], arrays["distance"]
        before = angle_between(arrays["query"], arrays["key"])
        after = angle_between(arrays["turned_query"], arrays["turned_key"])
        turn = math.degrees(arrays["key_angles"][pair] - arrays["query_angles"][pair])
        template = Text(
            "q 走 {m} 步，k 走 {n} 步。从 q 到 k 原来是 {before:.1f}°；n − m = {distance} 步添上 "
            "{turn}，现在是 {after}。整个分数 {score}，第 {pair} 对占 {part}。",
            "q is {m} steps on, k {n}. From q to k it was {before:.1f}°; n − m = {distance} steps add "
            "{turn}, so now it is {after}. The score is {score}, of which pair {pair} gives {part}.",
        )
        return filled(
            template,
            distance=distance,
            pair=pair,
            before=before,
            m=Colored(str(parameters["m"]), QUERY, "plane turned_query 0 0"),
            n=Colored(str(parameters["n"]), KEY, "plane turned_key 0 0"),
            after=number(after, CHOSEN, ".1f", f"score here 0 0 {pair}", "°"),
            turn=number(turn, CHOSEN, ".1f", f"dials query 0 {pair}", "°"),
            score=number(arrays["score"], RESULT, ".3f", "score here 0 0"),
            part=number(arrays["products"][pair], CHOSEN, ".3f", f"score here 0 0 {pair}"),
        )


def farthest_drawn(m: int, n: int) -> int:
    """Return the largest distance on the score's curve: enough for a query at ``m`` and a key at ``n``."""
    return USUALLY_DRAWN if abs(n - m) <= USUALLY_DRAWN else FARTHEST_KEY


def rotation_numbers(
    m: int,
    n: int,
    pair: int,
    d: int,
    base: float,
    pairing: Pairing,
    vectors: int,
    device: str,
) -> Rotated:
    """Return the numbers that ``rotation_scene`` draws of a query at ``m`` and a key at ``n``."""
    query, key = query_and_key(vectors, d, pairing).to(device)
    turned_query, turned_key = apply_rotary(
        torch.stack([query, key]), torch.tensor([m, n], device=device), base, pairing
    )
    reach = farthest_drawn(m, n)
    curve = score_curve(vectors, d, base, pairing, device, reach)
    # [4, d/2, 2]: the four vectors by pairs
    pairs = in_pairs(torch.stack([query, key, turned_query, turned_key]), pairing).cpu().double()
    arrows = pairs[:, pair].numpy()
    arrows = arrows / np.linalg.norm(arrows, axis=1, keepdims=True)
    query_angles, key_angles = rotary_angles(torch.tensor([m, n]), d, base).numpy()
    return Rotated(
        query=arrows[0],
        key=arrows[1],
        turned_query=arrows[2],
        turned_key=arrows[3],
        query_angles=query_angles,
        key_angles=key_angles,
        pair=pair,
        products=(pairs[2] * pairs[3]).sum(dim=-1).numpy(),
        distances=np.arange(-reach, reach + 1),
        scores=curve,
        distance=n - m,
        score=float(turned_query @ turned_key),
        m=m,
        n=n,
    )


def query_and_key(seed: int, d: int, pairing: Pairing) -> Tensor:
    """Return a random query and a random key [2, d], which are similar.

    For the seed AXES they are along the two axes of each pair instead: (1, 0) and (0, 1).
    """
    if seed == AXES:
        axes = torch.eye(2)
        return axes.repeat(1, d // 2) if pairing == "interleaved" else axes.repeat_interleave(d // 2, dim=1)
    generator = torch.Generator().manual_seed(seed)
    common = torch.randn(d, generator=generator)
    return common + 0.5 * torch.randn(2, d, generator=generator)


def in_pairs(vectors: Tensor, pairing: Pairing) -> Tensor:
    """Return the features of ``vectors`` [n, d] by pairs that rotate together: [n, d/2, 2]."""
    n, d = vectors.shape
    if pairing == "interleaved":
        return vectors.reshape(n, d // 2, 2)
    return vectors.reshape(n, 2, d // 2).transpose(1, 2)


@lru_cache(maxsize=64)  # the curve does not depend on the positions, so moving them takes no time
def score_curve(vectors: int, d: int, base: float, pairing: Pairing, device: str, reach: int) -> np.ndarray:
    """Return the score at each distance from −reach to reach: [2·reach + 1]."""
    query, key = query_and_key(vectors, d, pairing).to(device)
    # The query stands in the middle of 2·reach + 1 copies of the key.
    places = torch.arange(2 * reach + 1, device=device)
    keys = apply_rotary(key.expand(len(places), d), places, base, pairing)
    scores = keys @ apply_rotary(query[None], places[[reach]], base, pairing)[0]
    return np.asarray(scores.cpu())


def angle_between(first: np.ndarray, second: np.ndarray) -> float:
    """Return the angle from ``first`` to ``second``, degrees in (−180, 180]."""
    cross = first[0] * second[1] - first[1] * second[0]
    return math.degrees(math.atan2(cross, first @ second))
