"""The sinusoidal table, live: sliders for length, width and base, a cursor over the positions."""

import math

from posenc_lessons.encodings import sinusoidal_encoding
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.caption import filled, number
from posenc_lessons.explorers.controls import Control, LogSlider, Slider
from posenc_lessons.explorers.definition import Arrays, Parameters, Try
from posenc_lessons.figures.colors import CHOSEN, ORANGE
from posenc_lessons.figures.scene import Scene
from posenc_lessons.figures.sinusoid import sinusoid_scene
from posenc_lessons.language import Text


class SinusoidExplorer(Explorer):
    """Heatmap of the table, the cursor's row, and the similarity of that row with every other."""

    name = "sinusoid"
    title = Text("正弦编码", "Sinusoid")
    door = 1
    first = "d_model"
    rare = frozenset({"length"})
    tries = (
        Try(
            Text("走到 1003", "Walk to 1003"),
            {"length": 1024, "position": 1003},
            Text(
                "绿线落在灰线（m = 0 的那条）上：离邻居多远，点积就是多少，与走到哪里无关。拖光标 m 试试。",
                "Wherever the table has rows, the green curve of m lies on the grey one of m = 0: only the "
                "distance counts, not where one is. Drag the cursor m.",
            ),
        ),
        Try(
            Text("底数 100", "Base 100"),
            {"base": 100.0},
            Text(
                "看热图：变化剧烈的部分变宽了，相似度的尖峰变窄了，慢钟都快了起来。",
                "Look at the heatmap: the busy part is wider, and the peak of the similarity narrower. "
                "The slow clocks have sped up.",
            ),
        ),
        Try(
            Text("只有两只钟", "Two clocks only"),
            {"length": 1024, "d_model": 4, "position": 0, "offset": 622},
            Text(
                "看右下，距离 622：几乎又回到了顶，那么远的位置成了假邻居。",
                "Lower right, at distance 622: almost back at the top. A position so far away looks like a "
                "neighbour.",
            ),
        ),
        Try(
            Text("三十二只钟", "Thirty-two clocks"),
            {"length": 1024, "d_model": 64, "position": 0, "offset": 622},
            Text(
                "同样的 622：假邻居不见了。钟一多，就很难同时回到原处。",
                "The same 622: the false neighbour is gone. The more clocks, the harder for all to come "
                "back at once.",
            ),
        ),
    )

    def make_controls(self) -> dict[str, Control]:
        return {
            "length": Slider(Text("长度 L", "length L"), 2, 1024, 128),
            "d_model": Slider(Text("维度 d", "width d"), 2, 512, 64, step=2),  # pairs of sine and cosine
            "base": LogSlider(Text("底数 base", "base"), 0.05, 6, 10000.0),
            "position": Slider(Text("光标 m", "cursor m"), 0, 127, 24),
            "offset": Slider(Text("相对位置 n−m", "relative position n−m"), -24, 103, 8),
        }

    def adjust(self) -> None:
        position, last = self.slider("position"), self.controls["length"].value - 1
        position.limit(0, last)
        self.slider("offset").limit(-position.value, last - position.value)

    def pointed(self, panel: str, x: float, y: float, kind: str = "press") -> Parameters:
        if panel == "similarity":
            return {"offset": self.controls["offset"].nearest(x)}
        return {"position": self.controls["position"].nearest(y)} if panel == "heatmap" else {}

    def compute(self, parameters: Parameters) -> Arrays:
        table = sinusoidal_encoding(
            parameters["length"], parameters["d_model"], parameters["base"], device=self.device
        )
        similarity = table @ table[[parameters["position"], 0]].T
        from_cursor, from_start = similarity.T.cpu().numpy()
        return {"table": table.cpu().numpy(), "similarity": from_cursor, "from_start": from_start}

    def scene(self, parameters: Parameters, arrays: Arrays) -> Scene:
        return sinusoid_scene(**arrays, **{name: parameters[name] for name in ("position", "offset", "base")})

    def caption(self, parameters: Parameters, arrays: Arrays) -> Text:
        position, table = parameters["position"], arrays["table"]
        second = position + parameters["offset"]
        # In float64, because the last digit shown of a float32 sum would differ between machines.
        rows = table[[position, second]].astype(float)
        itself, near = rows @ rows[0]
        slowest = 2 * math.pi * parameters["base"] ** (1 - 2 / parameters["d_model"])
        template = Text(
            "位置 m = {m} 和 n = {n} 的点积是 {near}，它只看 n − m = {apart}，不看 m 在哪里；"
            "m 和自己的点积是 {self_}（= d/2）。最慢一对的波长是 {slow:,.0f} 个位置。",
            "The dot product of positions m = {m} and n = {n} is {near}; it depends on n − m = {apart}, not "
            "on m. That of m with itself is {self_} (= d/2). The slowest pair has a wavelength of "
            "{slow:,.0f} positions.",
        )
        return filled(
            template,
            m=position,
            self_=number(itself, CHOSEN, mark=f"similarity curve 0 {position}"),
            n=second,
            apart=parameters["offset"],
            near=number(near, ORANGE, mark=f"similarity curve 0 {second}"),
            slow=slowest,
        )
