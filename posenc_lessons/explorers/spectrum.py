"""The pairs of real models by wavelength, layer by layer: base, share, extension, windows, no RoPE."""

import numpy as np

from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.caption import Colored, filled, sentences
from posenc_lessons.explorers.controls import Choice, Control, Slider, TickBox
from posenc_lessons.explorers.definition import Arrays, Parameters, Try
from posenc_lessons.explorers.spectrum_models import Kind, Layers, Model, presets, version
from posenc_lessons.figures.colors import BLUE, GREEN, PURPLE, VERMILLION
from posenc_lessons.figures.scene import Scene
from posenc_lessons.figures.spectrum import Spectrum, counts, layer_at, reach, spectrum_scene
from posenc_lessons.language import Text

KINDS: dict[Kind, Text] = {
    "window": Text("窗口", "window"),
    "full": Text("全局", "full"),
    "none": Text("无位置", "no positions"),
    "no_attention": Text("无注意力", "no attention"),
}


class SpectrumExplorer(Explorer):
    """A model's layers and the pairs of the chosen layer."""

    name = "spectrum"
    title = Text("频谱", "Spectrum")
    drag = "strip here"
    grabs = frozenset({"strip"})
    tries = (
        Try(
            Text("窗口层", "A window layer"),
            {"layer": 0},
            Text(
                "底数换成 10,000：512 个词元以外看不见，而在这个窗口里 128 对有 62 对转得满一圈。",
                "Its base is 10,000. What lies beyond 512 tokens is out of sight, and in that window 62 of "
                "128 pairs make a full turn.",
            ),
        ),
        Try(
            Text("Gemma 4：只转四分之一", "Gemma 4: a quarter turns"),
            {"model": "gemma4", "layer": 5},
            Text(
                "256 对里只有最快的 64 对转，最慢的波长是 188；其余 192 对（紫色）不动，只看内容，不看距离。",
                "Only the 64 fastest of 256 pairs turn, the slowest with a wavelength of 188. The other 192, "
                "purple, stand still: they compare content, whatever the distance.",
            ),
        ),
        Try(
            Text("Llama 4：没有位置的层", "Llama 4: no positions"),
            {"model": "llama4", "layer": 3},
            Text(
                "第 3 层没有一对转动，分数不随距离变。再点第 4 层：那里的词元只看得见自己那一段 8192 个。",
                "In layer 3 no pair turns, and the score does not depend on distance. Press layer 4: "
                "there a token sees only its own chunk of 8192.",
            ),
        ),
        Try(
            Text("YaRN 乘 32", "YaRN, 32 times"),
            {"model": "gpt_oss", "layer": 1, "plot": True},
            Text(
                "灰线是训练时的波长，点是拉长以后的：最快的几对没动，慢的那些都长了 32 倍。",
                "The pale line has the wavelengths in training, the dots those now: the fastest pairs "
                "stayed, and the slow ones became 32 times as long.",
            ),
        ),
    )

    def make_controls(self) -> dict[str, Control]:
        models = [(Text(model.title, model.title), name) for name, model in presets().items()]
        return {
            "model": Choice(Text("模型", "model"), models, "gemma3"),
            "layer": Slider(Text("第几层", "layer"), 0, 25, 5),
            "plot": TickBox(Text("按波长画出每一对", "plot every pair by wavelength"), False),
        }

    def adjust(self) -> None:
        self.slider("layer").limit(0, len(presets()[self.controls["model"].value].layers) - 1)

    def pointed(self, panel: str, x: float, y: float, kind: str = "press") -> Parameters:
        return {"layer": layer_at(x, int(self.slider("layer").max) + 1)} if panel == "strip" else {}

    def compute(self, parameters: Parameters) -> Arrays:
        model, layer = presets()[parameters["model"]], parameters["layer"]
        return {
            "title": Text(model.title, model.title),
            "kinds": [spectrum(model, kind) for kind in model.kinds],
            "layers": model.layers,
            "layer": layer,
            "context": model.context,
            "trained": model.trained(model.kinds[model.layers[layer]]),
        }

    def scene(self, parameters: Parameters, arrays: Arrays) -> Scene:
        return spectrum_scene(**arrays, plot=parameters["plot"])

    def caption(self, parameters: Parameters, arrays: Arrays) -> Text:
        chosen = arrays["kinds"][arrays["layers"][arrays["layer"]]]
        return sentences(_which(parameters, arrays, chosen), _turns(arrays, chosen))


def spectrum(model: Model, layers: Layers) -> Spectrum:
    """Return the wavelengths of the ``layers`` of one kind."""
    speeds = layers.speeds(model.context)
    present, trained = speeds.present.numpy(), speeds.trained.numpy()
    far = layers.window or model.context
    # The angles from distance 0 to the longest, at most a whole circle.
    in_training = np.minimum(min(model.trained(layers), far) * trained, 2 * np.pi)
    in_text = np.minimum(far * present, 2 * np.pi)
    with np.errstate(divide="ignore"):  # a pair that does not turn has an infinite wavelength
        waves, waves_in_training = 2 * np.pi / present, 2 * np.pi / trained
    return Spectrum(
        name=KINDS[layers.kind],
        waves=waves,
        before=waves_in_training,
        unseen=in_text > in_training + 1e-9,
        window=layers.window,
        attention=layers.attention,
    )


VIEWS = {True: Text("窗口的", "a window of"), False: Text("上下文的", "a context of")}
SOURCES = {
    "released": Text("发布的 config.json", "the released config.json"),
    "defaults": Text("transformers {version} 的默认值", "transformers {version}'s defaults"),
}


def _which(parameters: Parameters, arrays: Arrays, chosen: Spectrum) -> Text:
    """Say which layer of which model this is, and where its numbers come from."""
    model = presets()[parameters["model"]]
    kind = model.kinds[arrays["layers"][arrays["layer"]]]
    base = Text("", "")
    if kind.rotary:
        base = Text("，底数 {base:,.0f}", ", base {base:,.0f}").format(base=kind.rotary["base"])
    template = Text(
        "{title}（{source}）共 {n} 层，第 {layer} 层：{kind}{base}。",
        "{title} ({source}) has {n} layers; layer {layer}: {kind}{base}.",
    )
    return template.format(
        title=model.title,
        source=SOURCES[model.source].format(version=version()),
        n=len(model.layers),
        layer=arrays["layer"],
        kind=chosen.name,
        base=base,
    )


def _turns(arrays: Arrays, chosen: Spectrum) -> Text:
    """Say how many pairs turn how far."""
    if not chosen.attention:
        return Text("这一层没有查询和键。", "Such a layer has no queries and keys.")
    numbers = counts(chosen, arrays["context"])
    if not np.isfinite(chosen.waves).any():
        template = Text(
            "{n} 对都不转：分数只看内容，不看距离。",
            "None of its {n} pairs turns: scores depend on content, and not on distance.",
        )
        return filled(template, n=Colored(str(len(chosen.waves)), PURPLE))
    template = Text(
        "一个头 {n} 对：在{view} {far} 个词元里"
        "转满一圈的 {full} 对，不满一圈的 {slow} 对，不转的 {still} 对；"
        "最慢的一对波长 {longest}。",
        "Of the {n} pairs of a head {full} make a full turn within {view} {far} tokens, {slow} make less, "
        "{still} do not turn; the longest wavelength is {longest}.",
    )
    line = filled(
        template,
        n=len(chosen.waves),
        view=VIEWS[chosen.window is not None],
        far=f"{reach(chosen, arrays['context']):,}",
        full=Colored(str(numbers["full"]), GREEN),
        slow=Colored(str(numbers["slow"]), BLUE),
        still=Colored(str(numbers["still"]), PURPLE),
        longest=f"{chosen.waves[np.isfinite(chosen.waves)].max():,.0f}",
    )
    if not chosen.unseen.any():
        return line
    new = Text("{n} 对遇到训练时没见过的角度。", "{n} pairs meet angles that training did not have.")
    return sentences(line, filled(new, n=Colored(str(int(chosen.unseen.sum())), VERMILLION)))
