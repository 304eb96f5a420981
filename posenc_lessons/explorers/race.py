"""A race between encodings, live: trained short and tested long, results as they come."""

from __future__ import annotations

import asyncio
import datetime
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ipywidgets
import numpy as np

from posenc_lessons.experiments.race import RACE_TASKS, Race, Results, recorded_race
from posenc_lessons.experiments.race.quick import TEST_EVERY, LearningCurves, quick_race, recorded_quick_race
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.controls import Choice, Control, choice, several, whole_slider
from posenc_lessons.explorers.definition import Arrays, Parameters, Try
from posenc_lessons.explorers.layout import LABEL_WIDTH
from posenc_lessons.explorers.race_files import (
    as_complaint,
    named_file,
    results_in,
    results_named,
    results_to_add_to,
)
from posenc_lessons.explorers.race_results import (
    race_numbers,
    said_of_curves,
    said_of_results,
    task_in,
    task_name,
)
from posenc_lessons.explorers.widgets import TextBox
from posenc_lessons.figures.race import LOOKS, race_scene
from posenc_lessons.figures.scene import Scene
from posenc_lessons.language import Text, joined
from posenc_lessons.models.registry import COURSE_ENCODINGS

if TYPE_CHECKING:
    from posenc_lessons.experiments.race.background import BackgroundRace

ALL = ""  # no encoding is looked at more than the others
REACH = 0.06  # of the accuracy axis: how near a pointer must come to a curve
PAUSE = 0.3  # seconds between two looks at a race under way

QUICK = Text("快赛（约 10 秒）", "Quick race (some 10 s)")
START, STOP = Text("开始", "Start"), Text("停止", "Stop")
RECORDED = Text("录好的比赛", "Recorded race")
LOAD = Text("打开文件", "Open the file")
UPLOAD = Text("上传 JSON", "Upload JSON")
DOWNLOAD = Text("下载结果 JSON", "Download results as JSON")
WRAPPED = {"flex_flow": "row wrap", "align_items": "center"}
FILE = Text("结果文件", "results file")
RACES = (
    (Text("整场", "the full one"), "full"),
    (Text("快赛", "the quick one"), "quick"),
)

# The race under way in this kernel, whichever explorer started it: two would only slow each other down.
_under_way: BackgroundRace | None = None


class RaceExplorer(Explorer):
    """Shows the recorded race until another one is started, opened or uploaded.

    ``results`` are those of the full race, ``curves`` those of the quick one. ``start_quick()`` trains the
    quick race anew and shows it learning, ``start()`` trains what the controls say, each run in a process of
    its own; ``stop()`` ends either and keeps what is there, ``wait()`` waits for it.
    """

    name = "race"
    title = Text("长度赛跑", "Race")
    hover = True
    needs_kernel = frozenset(
        {"tasks", "encodings", "n_back", "train_length", "stretch", "steps", "n_seeds", "jobs"}
    )
    rare = needs_kernel
    plays = "step"
    tries = (
        Try(
            Text("看它们学", "Watch them learn"),
            {"race": "quick", "step": 0},
            Text(
                "按“学了几步”旁的 ▶。竖线左边，可学习的表和 RoPE 都学会了；右边只有 RoPE 跟着上去。"
                "正弦要学得更久，淡线是它学完的样子。",
                "Press ▶ beside “steps learned”. Left of the line the learned table and RoPE both learn; "
                "right of it only RoPE follows. Sinusoidal takes longer: its pale curve is where it ends.",
            ),
        ),
        Try(
            Text("学会了，能走多远？", "Learned, but how far?"),
            {"task": "copy_back", "highlight": "rotary"},
            Text(
                "竖线左边 RoPE 满分；竖线右边是没训练过的长度，到 128 还有 0.72，正弦只剩 0.11。",
                "Left of the line RoPE has all right; right of it are lengths never trained. At 128 it "
                "still has 0.72, sinusoidal 0.11.",
            ),
        ),
        Try(
            Text("不给位置也行？", "Without any encoding?"),
            {"task": "selective_copy", "highlight": "none"},
            Text(
                "“无”从 0.80 到 0.73，掉得不多；RoPE 却从 0.89 掉到 0.34。因果掩码已经漏进了顺序。",
                "“none” goes from 0.80 to 0.73 and falls little, where RoPE falls from 0.89 to 0.34. The "
                "causal mask lets order in.",
            ),
        ),
        Try(
            Text("平均数藏了什么", "What a mean hides"),
            {"task": "look_up", "highlight": "cope"},
            Text(
                "到 128 平均 0.92，短竖线却从 0.61 伸到 1.00：五个种子里，四个几乎全对，一个错了四成。",
                "A mean of 0.92 at 128, and yet the stroke reaches from 0.61 to 1.00: of five seeds four "
                "have almost all right, and one has four in ten wrong.",
            ),
        ),
        Try(
            Text("表多大才好？", "How large a table?"),
            {"task": "count_since_reset", "highlight": "shaw_long"},
            Text(
                "Shaw 的表长到 127，到 128 只有 0.44，和 RoPE 的 0.42 分不出；表只到 16，有 0.77。"
                "长出来的行，训练时没查过。",
                "With a table up to 127 Shaw has 0.44 at 128, not to be told from RoPE's 0.42; with one up "
                "to 16 it has 0.77. Training never read the added rows.",
            ),
        ),
    )

    def __init__(self, **initial: Any) -> None:
        self.results, self._source = recorded_race(), RECORDED
        self.curves = recorded_quick_race()
        self._learning = False  # whether the race under way is the quick one
        self._race: BackgroundRace | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._about_to_poll = False
        super().__init__(**initial)

    def make_controls(self) -> dict[str, Control]:
        race = self.results.race
        tasks = [(task_name(task, 3), task) for task in RACE_TASKS]
        names = [(LOOKS[encoding].name, encoding) for encoding in COURSE_ENCODINGS]
        steps = whole_slider(Text("训练步数", "training steps"), 100, 2000, 800)
        length = whole_slider(Text("训练长度", "trained length"), 16, 64, 32)
        learned = whole_slider(
            Text("学了几步", "steps learned"), 0, self.curves.race.steps, self.curves.reached
        )
        learned.widget.step = TEST_EVERY
        steps.widget.step, length.widget.step = 100, 8
        return {
            "task": choice(Text("看哪个任务", "task shown"), self._tasks(), race.tasks[0]),
            "highlight": choice(Text("突出编码", "highlight"), self._encodings(), ALL),
            "race": choice(Text("看哪场比赛", "race shown"), RACES, "full"),
            "step": learned,
            "tasks": several(
                Text("训练哪些任务", "tasks to train"), tasks, ("copy_back", "count_since_reset")
            ),
            "encodings": several(Text("哪些编码", "encodings to train"), names, COURSE_ENCODINGS),
            "n_back": whole_slider(Text("抄几步之前", "copy how far"), 1, 8, 3),
            "train_length": length,
            "stretch": whole_slider(Text("测到几倍长", "test up to, ×"), 2, 4, 4),
            "steps": steps,
            "n_seeds": whole_slider(Text("几个种子", "seeds"), 1, 5, 2),
            "jobs": whole_slider(Text("同时训练几个", "at a time"), 1, 4, 2),
        }

    def more_controls(self) -> list[ipywidgets.Widget]:
        self._make_buttons()
        row = [self._quick, self._start, self._stop, self._bar, self._progress]
        return [ipywidgets.HBox(row, layout=WRAPPED)]

    def more_settings(self) -> list[ipywidgets.Widget]:
        return [ipywidgets.HBox(self._files, layout=WRAPPED)]

    def _make_buttons(self) -> None:
        self._quick = ipywidgets.Button(icon="play", button_style="primary")
        self._start, self._stop = ipywidgets.Button(icon="play"), ipywidgets.Button(icon="stop")
        recorded, load, download = (ipywidgets.Button() for _ in range(3))
        self._stop.disabled = True
        self._upload = ipywidgets.FileUpload(accept=".json", multiple=False)
        self._file = TextBox(placeholder="race.json", layout={"width": "100%"})
        self._file.style.description_width = LABEL_WIDTH
        self._bar = ipywidgets.FloatProgress(
            0, min=0, max=1, layout={"flex": "1 1 90px", "max_width": "320px"}
        )
        self._progress = ipywidgets.HTML()
        labels = (QUICK, START, STOP, RECORDED, LOAD, UPLOAD, DOWNLOAD, FILE)
        widgets = (self._quick, self._start, self._stop, recorded, load, self._upload, download, self._file)
        for widget in widgets[:-1]:
            widget.layout.width = "auto"
        self._labels = tuple(zip(widgets, labels, strict=True))
        self._quick.on_click(self._guarded(self.start_quick))
        self._start.on_click(self._guarded(self.start))
        self._stop.on_click(self._guarded(self.stop))
        recorded.on_click(self._guarded(self.show_recorded))
        load.on_click(self._guarded(self.open_file))
        self._upload.observe(self._uploaded, "value")
        download.on_click(self._guarded(self.download))
        self._files = [self._file, load, self._upload, download, recorded]

    def _relabel(self) -> None:
        for widget, label in self._labels:
            widget.description = label.show()
        super()._relabel()
        self._show_progress()

    # ---- the picture ----

    def adjust(self) -> None:
        quick = self.controls["race"].value == "quick"
        self.controls["task"].disabled, self.controls["step"].disabled = quick, not quick

    def compute(self, parameters: Parameters) -> Arrays:
        return race_numbers(self._results(parameters), parameters["task"], parameters["highlight"])

    def _results(self, parameters: Parameters) -> Results:
        return self.results if parameters["race"] == "full" else self.curves.at(parameters["step"])

    def scene(self, parameters: Parameters, arrays: Arrays) -> Scene:
        return race_scene(**arrays)

    def caption(self, parameters: Parameters, arrays: Arrays) -> Text:
        if parameters["race"] == "quick":
            return said_of_curves(self.curves, parameters["step"])
        return said_of_results(self.results, self._source, parameters["task"], parameters["highlight"])

    def code(self, parameters: Parameters) -> str:
        drawn = """\
from posenc_lessons.explorers.race_results import race_numbers
from posenc_lessons.figures.draw import draw
from posenc_lessons.figures.race import race_scene
{run}
draw(race_scene(**race_numbers(results, {task!r}, {highlight!r})))
"""
        run = (
            self._code_of_quick(parameters)
            if parameters["race"] == "quick"
            else self._code_of_full(parameters)
        )
        return drawn.format(**parameters, run=run)

    def _code_of_quick(self, parameters: Parameters) -> str:
        made_by = "recorded_quick_race" if self.curves is recorded_quick_race() else "run_quick_race"
        return f"""\
from posenc_lessons.experiments.race.quick import {made_by}

results = {made_by}().at({parameters["step"]})"""

    def _code_of_full(self, parameters: Parameters) -> str:
        try:
            race = ",\n    ".join(f"{name}={value!r}" for name, value in asdict(self.race()).items())
        except ValueError as error:
            raise as_complaint(error) from error
        results = {RECORDED: "recorded_race()"}.get(self._source, f"load_results({self._source.en!r})")
        return f"""\
from posenc_lessons.experiments.race import Race, load_results, recorded_race, run_race

race = Race(
    {race},
)
# run_race(race, "race.json", jobs={parameters["jobs"]})   # what the start button does
results = {results}"""

    def pointed(self, panel: str, x: float, y: float, kind: str = "press") -> Parameters:
        encodings = self._results(self.parameters()).race.encodings
        on_table = panel == "table"
        near = encodings[min(max(round(y), 0), len(encodings) - 1)] if on_table else self._nearest(x, y)
        return {"highlight": near} if near in self._highlights() else {}

    def _highlights(self) -> list[str]:
        return [option for _, option in self.controls["highlight"].options]

    def _nearest(self, x: float, y: float) -> str:
        parameters = self.parameters()
        results = self._results(parameters)
        task = task_in(results, parameters["task"])
        at = np.log2(results.race.test_lengths)
        distances = {
            encoding: abs(y - np.interp(x, at, np.mean(rows, axis=0)))
            for encoding in results.race.encodings
            if (rows := results.accuracy(task, encoding))
        }
        nearest = min(distances, key=lambda each: distances[each], default=ALL)
        return nearest if distances.get(nearest, 1) < REACH else ALL

    def show_results(self, results: Results, source: Text) -> None:
        """Show ``results``, which come from ``source``."""
        self.results, self._source = results, source
        with self.one_update():
            self.controls["race"].value = "full"
            for name, options in (("task", self._tasks()), ("highlight", self._encodings())):
                control = self.named_controls[name]
                assert isinstance(control, Choice)
                there = [option for _, option in options]
                kept = control.widget.value if control.widget.value in there else there[0]
                if options != control.options:
                    control.widget.options = [(label.show(), option) for label, option in options]
                    self.named_controls[name] = replace(control, options=options)
                control.widget.value = kept
                self._initial[name] = self._initial[name] if self._initial[name] in there else there[0]

    def _tasks(self) -> list[tuple[Text, str]]:
        return [(task_name(task, self.results.race.n_back), task) for task in self.results.race.tasks]

    def _encodings(self) -> list[tuple[Text, str]]:
        names = [(LOOKS[encoding].name, encoding) for encoding in self.results.race.encodings]
        return [(Text("全部", "all"), ALL), *names]

    def show_recorded(self) -> None:
        """Show the recorded race again."""
        self.show_results(recorded_race(), RECORDED)

    def show_curves(self, curves: LearningCurves) -> None:
        """Show ``curves`` as far as they have come."""
        self.curves = curves
        self.restore({"race": "quick", "step": curves.reached})

    # ---- the race ----

    def race(self) -> Race:
        """The race that the controls describe."""
        p = self.parameters()
        length, stretch = p["train_length"], p["stretch"]
        lengths = [length * share / 4 for share in (2, 3, 4, 5, 6, 8, 12, 16) if share <= 4 * stretch]
        return Race(
            tasks=p["tasks"],
            encodings=p["encodings"],
            seeds=tuple(range(p["n_seeds"])),
            n_back=p["n_back"],
            train_length=length,
            test_lengths=tuple(int(each) for each in lengths),
            steps=p["steps"],
            device=p["device"],
        )

    def start_quick(self) -> None:
        """Train the quick race anew, all its models at once, and show how they learn."""
        from posenc_lessons.experiments.machine import machine  # training needs a kernel
        from posenc_lessons.experiments.race.background import BackgroundRace

        race = quick_race(self.controls["device"].value)
        _stop_under_way()
        training = BackgroundRace(
            race, jobs=len(race.entries()), test_every=TEST_EVERY, on_change=self._changed
        )
        self.show_curves(LearningCurves(race, datetime.date.today().isoformat(), machine(race.device), {}))
        self._begin(training, learning=True)

    def start(self) -> None:
        """Train what the controls say. With a results file, its runs are kept and added to.

        What was shown stays until a first run is finished.
        """
        from posenc_lessons.experiments.race.background import BackgroundRace  # training needs a kernel
        from posenc_lessons.experiments.race.running import begun

        try:
            race, path = self.race(), named_file(self._file.value)
            begun(race, self._to_add_to(race, path))  # refuses before a race under way is lost for nothing
            _stop_under_way()
            so_far = self._to_add_to(race, path)  # again: the race just stopped may have had one more run
            begun_race = BackgroundRace(
                race, so_far, path=path, jobs=self.controls["jobs"].value, on_change=self._changed
            )
        except ValueError as error:
            raise as_complaint(error) from error
        self._begin(begun_race, learning=False)

    def _begin(self, race: BackgroundRace, learning: bool) -> None:
        global _under_way
        _under_way = self._race = race
        self._learning, self._loop = learning, _running_loop()
        self._quick.disabled = self._start.disabled = True
        self._stop.disabled = False
        self._complain(None)
        self._poll()

    def stop(self) -> None:
        """End the race under way; finished runs stay."""
        if self._race is not None:
            self._race.stop()
            self._poll()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the race has ended, at most so long, and show what came of it; whether it has ended."""
        if self._race is None:
            return True
        ended = self._race.wait(seconds)
        self._poll()
        return ended

    def _to_add_to(self, race: Race, path: Path | None) -> Results | None:
        stopped = None if self._race is None or self._learning else self._race.results
        return results_to_add_to(race, path, stopped)

    def _changed(self) -> None:
        """From the thread that listens: look soon, in the kernel's own turn."""
        if self._loop is not None and not self._about_to_poll:
            self._about_to_poll = True
            self._loop.call_soon_threadsafe(self._loop.call_later, PAUSE, self._poll)

    def _poll(self) -> None:
        self._about_to_poll = False
        race = self._race
        if race is None:
            return
        running = race.running  # asked first: what it says then is at least as old as what follows
        if self._learning:
            curves = replace(self.curves, tested=dict(race.tested))
            if curves.tested != self.curves.tested:
                self.show_curves(curves)
        elif race.results is not self.results and race.results.runs:
            name = self._file.value.strip() or "race.json"
            self.show_results(race.results, Text(name, name))
        self._show_progress()
        if not running:
            self._quick.disabled = self._start.disabled = False
            self._stop.disabled = True
        if race.error is not None:
            self._complain(race.error.text, in_place=False)

    def _show_progress(self) -> None:
        """How far the race is, and how long it may still take."""
        race = self._race
        if race is None:
            return
        share = race.share_done
        self._bar.value = share
        finished, total = len(race.missing) - _unfinished(race), len(race.missing)
        words = Text("已训练 {done} / {total}", "{done} / {total} trained").format(done=finished, total=total)
        if race.running and 0 < share < 1:
            minutes = (time.monotonic() - race.started) * (1 - share) / share / 60
            left = Text("，还要约 {m:.0f} 分钟", ", about {m:.0f} min left").format(m=max(minutes, 1))
            words = joined((words, left), "", "")
        self._progress.value = words.show()

    def close(self) -> None:
        if self._race is not None and self._race.running:
            self._race.stop()
        super().close()

    # ---- files ----

    def open_file(self) -> None:
        """Show the results in the file that the reader named."""
        name = self._file.value
        self.show_results(results_named(name), Text(name, name))

    def download(self) -> None:
        """Hand over the results shown as a JSON file."""
        self.canvas.download("race.json", "application/json", self.results.to_json().encode())

    def _uploaded(self, change: dict[str, Any]) -> None:
        with self._guard(in_place=False):
            for file in change["new"]:
                results = results_in(bytes(file["content"]), file["name"])
                self.show_results(results, Text(file["name"], file["name"]))

    def _guarded(self, action: Callable[[], object]) -> Callable[[Any], None]:
        def act(_button: Any) -> None:
            with self._guard(in_place=False):
                action()

        return act


def _stop_under_way() -> None:
    if _under_way is not None and _under_way.running:
        _under_way.stop()


def _unfinished(race: BackgroundRace) -> int:
    return len(set(race.missing) - race.results.done())


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None  # no kernel: whoever started the race waits for it
