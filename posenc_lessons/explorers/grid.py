"""Positions of two and three coordinates, live: one patch of a picture, and its score with all others."""

from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.controls import Choice, Control, Slider
from posenc_lessons.explorers.definition import Arrays, Parameters, Try
from posenc_lessons.explorers.grid_captions import grid_caption
from posenc_lessons.explorers.grid_numbers import (
    FRAMES,
    LARGEST,
    REAL,
    TRAINED,
    Patches,
    grid_numbers,
)
from posenc_lessons.figures.grid import PatchScores, grid_scene
from posenc_lessons.figures.scene import Scene
from posenc_lessons.language import Text

ENCODINGS = (
    (Text("逐行编号", "raster index"), "raster"),
    (Text("正弦", "sinusoid"), "sinusoid"),
    (Text("表（随机起步）", "table, random start"), "table"),
    (Text("轴向旋转", "axial rotary"), "axial"),
    (Text("混合旋转", "mixed rotary"), "mixed"),
    (Text("M-RoPE", "M-RoPE"), "mrope"),
)
LAYOUTS = (
    (Text("连续分段", "contiguous"), "contiguous"),
    (Text("交错", "interleaved"), "interleaved"),
)
COORDINATES = (
    (Text("接着数", "counted on"), "counted"),
    (Text("压进训练范围", "squeezed"), "squeezed"),
)
ONLY_FOR = {
    **{"frame": ("mrope",), "sections": ("mrope",), "direction": ("mixed",), "spread": ("mixed",)},
    "coordinates": REAL,
}


class GridExplorer(Explorer):
    """A small picture in patches; the pointer or two sliders choose the patch whose scores are shown."""

    name = "grid"
    title = Text("二维与三维", "Grid")
    first = "side"
    rare = frozenset({"coordinates", "shift", "sections", "direction", "spread"})
    grabs = frozenset({"scores", "picture"})
    tries = (
        Try(
            Text("逐行编号", "Number them row by row"),
            {"encoding": "raster", "column": 7},
            Text(
                "31 号和 32 号挨着，却在图的两头：(3, 7) 和 (4, 0) 的分数是 5.41。"
                "正下面的邻居差 8 号，只有 3.72。",
                "Numbers 31 and 32 are neighbours at opposite edges of the picture: (3, 7) and (4, 0) have "
                "5.41. The patch right below is 8 numbers away and has 3.72.",
            ),
        ),
        Try(
            Text("换一幅大图", "A larger picture"),
            {"encoding": "raster", "side": 16, "row": 7, "column": 7},
            Text(
                "一行长了一倍，下面的邻居从差 8 号变成差 16 号，分数从 3.72 变成 2.80。"
                "再选轴向旋转：5.41，和小图里一样。再把坐标压进训练的范围：整幅又成了小图的样子，只是更细。",
                "Rows are twice as long, and the patch below is 16 numbers away, not 8: its score goes from "
                "3.72 to 2.80. Now choose axial rotary: 5.41, as in the small picture. Squeeze the "
                "coordinates: the whole map is that of the small picture, only finer.",
            ),
        ),
        Try(
            Text("整幅移动", "Shift the picture"),
            {"encoding": "sinusoid", "shift": 4},
            Text(
                "画只是挪了 4 行 4 列，分数却变了，最多 0.98。"
                "再选任何一种旋转，拖“整幅移动”：变的只有行号和列号。",
                "The picture has only moved by 4 rows and 4 columns, and yet scores change, by up to 0.98. "
                "Choose any rotary one and drag the shift: only the numbers of rows and columns change.",
            ),
        ),
        Try(
            Text("斜着看", "Look along a slant"),
            {"encoding": "mixed", "side": 16, "row": 7, "column": 7},
            Text(
                "拖“方向”，十字跟着转：轴向旋转做不到。"
                "再把“各对散开”拖到 90：十字散了，要紧的是走多远，往哪边走差别小了。",
                "Drag the direction: the cross turns with it, as that of axial rotary never does. Then drag "
                "the spread to 90: the cross dissolves, and how far counts for more than which way.",
            ),
        ),
        Try(
            Text("三帧以后", "Three frames later"),
            {"encoding": "mrope", "frame": 3},
            Text(
                "同一块，三帧以后：5.66 变成 4.90。"
                "再选“连续分段”：整幅几乎一个颜色，快的几对全给了时间，行和列只剩慢的。",
                "The same patch three frames later: 5.66 has become 4.90. Choose “contiguous”: nearly one "
                "colour everywhere, for time has the fast pairs and leaves the slow to rows and columns.",
            ),
        ),
    )

    def make_controls(self) -> dict[str, Control]:
        return {
            "encoding": Choice(Text("编码", "encoding"), ENCODINGS, "axial"),
            "row": Slider(Text("行", "row"), 0, TRAINED - 1, 3),
            "column": Slider(Text("列", "column"), 0, TRAINED - 1, 3),
            "side": Slider(Text("一边几块（训练时 8）", "patches a side (8 trained)"), 4, LARGEST, TRAINED),
            "coordinates": Choice(
                Text("大图的坐标", "coordinates of a larger picture"), COORDINATES, "counted"
            ),
            "shift": Slider(Text("整幅移动", "shift of the picture"), 0, TRAINED, 0),
            "frame": Slider(Text("几帧以后", "frames later"), 0, FRAMES - 1, 0),
            "sections": Choice(Text("各轴的对", "pairs of the axes"), LAYOUTS, "interleaved"),
            "direction": Slider(Text("方向（度）", "direction (degrees)"), 0, 359, 30),
            "spread": Slider(Text("各对散开（度）", "spread of the pairs (degrees)"), 0, 90, 0),
        }

    def adjust(self) -> None:
        for name in ("row", "column"):
            self.slider(name).limit(0, self.controls["side"].value - 1)
        for name, encodings in ONLY_FOR.items():
            self.controls[name].hidden = self.controls["encoding"].value not in encodings

    def pointed(self, panel: str, x: float, y: float, kind: str = "press") -> Parameters:
        if panel in ("scores", "picture"):
            away = self.controls["shift"].value if panel == "picture" else 0
            return {
                "row": self.controls["row"].nearest(y - away),
                "column": self.controls["column"].nearest(x - away),
            }
        return {}

    def compute(self, parameters: Parameters) -> Arrays:
        place = {name: parameters[name] for name in ("row", "column", "frame")}
        return vars(grid_numbers(Patches.of(parameters, self.device), **place))

    def scene(self, parameters: Parameters, arrays: Arrays) -> Scene:
        return grid_scene(PatchScores(**arrays))

    def caption(self, parameters: Parameters, arrays: Arrays) -> Text:
        return grid_caption(parameters, arrays)
