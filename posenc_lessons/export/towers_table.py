"""The table of vision towers on the page "What real models use"."""

from __future__ import annotations

import html

from posenc_lessons.encodings.config import read_config
from posenc_lessons.encodings.config.rotary_words import axes_of
from posenc_lessons.encodings.config.tower_by_hand import REASONS
from posenc_lessons.encodings.config.tower_words import reason
from posenc_lessons.encodings.config.towers import Tower, TowerKind, census, towers_table
from posenc_lessons.export import texts
from posenc_lessons.export.markdown import LinkTo
from posenc_lessons.language import Language, Text

FOLDERS = "https://github.com/huggingface/transformers/tree/v{version}/src/transformers/models/{folder}"
LESSON = "11_more_coordinates.ipynb"
TITLE = Text("看图的部分", "Vision towers")
ABOUT = Text(
    "多模态模型里看图的那一部分，和只看图的模型，一共 {n} 种（transformers {version}，{date} 看的）。"
    "{read} 种的编码这门课的软件包里有，posenc-lessons config --part vision 就读得出；"
    "另外 {refused} 种它不读，会说为什么。展开可以看细节，说的都是代码的默认值。",
    "The part of a multimodal model that sees pictures, and models of pictures alone: {n} types in "
    "transformers {version}, looked at on {date}. The encodings of {read} are in this course's package, and "
    "posenc-lessons config --part vision reads them; the other {refused} are refused, with the reason. "
    "Unfold a row for details, which are about the code's defaults.",
)
TYPE, ENCODING = Text("模型", "Model type"), Text("编码", "Encoding")
NAMES: dict[TowerKind, Text] = {
    "axial": Text("轴向 RoPE", "axial RoPE"),
    "table": Text("学到的表", "learned table"),
    "row_column": Text("行和列的表", "tables of rows and columns"),
    "sinusoidal": Text("正弦和余弦", "sines and cosines"),
    "bias": Text("偏置表", "bias table"),
    "network": Text("偏置网络（Swin v2）", "bias network (Swin v2)"),
    "vectors": Text("乘查询的偏置（SAM）", "bias times query (SAM)"),
    "switched": Text("由文件定", "switched by the file"),
    "unlike": Text("别的", "another"),
    "unseen": Text("未能查看", "not looked at"),
}
CELLS: dict[TowerKind, str] = {
    "axial": f"{LESSON}#cell-id=axial",
    "table": f"{LESSON}#cell-id=table-stretched",
    "row_column": f"{LESSON}#cell-id=table-stretched",
    "bias": f"{LESSON}#cell-id=swin",
    "network": f"{LESSON}#cell-id=swin",
    "vectors": f"{LESSON}#cell-id=swin",
    "switched": f"{LESSON}#cell-id=swin",
}


def towers_section(language: Language, link_to: LinkTo) -> str:
    """Return the heading, an introduction, and the table of all vision towers by name."""
    towers, made = towers_table(), census()["made"]
    read = sum(tower.read for tower in towers.values())
    about = ABOUT.format(
        n=len(towers),
        read=read,
        refused=len(towers) - read,
        version=made["transformers"],
        date=made["date"],
    )
    rows = "".join(_row(tower, language, link_to, made["transformers"]) for tower in towers.values())
    heads = "".join(f'<th scope="col">{texts.as_html(name, language)}</th>' for name in (TYPE, ENCODING))
    said = html.escape(TITLE.show(language))
    return f"""<h2 id="towers">{texts.as_html(TITLE, language)}</h2>
<p>{texts.as_html(about, language)}</p>
<div class="wide" tabindex="0" role="region" aria-label="{said}">
<table>
<tbody>
<tr class="heads">{heads}</tr>
{rows}</tbody>
</table>
</div>
"""


def says(tower: Tower) -> Text:
    """Describe the encodings of a tower by the defaults of its code, or why it is not read."""
    if not tower.read:
        return reason(tower)
    layer = read_config({"model_type": tower.name}, part="vision").layers[0]
    found = list(layer.remarks)
    if tower.kind == "axial":
        found.insert(0, axes_of(layer.settings))
    return Text("；".join(each.zh for each in found), "; ".join(each.en for each in found))


def _row(tower: Tower, language: Language, link_to: LinkTo, version: str) -> str:
    folder = html.escape(FOLDERS.format(version=version, folder=tower.folder))
    beside = (
        f' <span class="folder">{html.escape(tower.folder)}/</span>' if tower.folder != tower.name else ""
    )
    name = html.escape(tower.name).replace("_", "_<wbr>")
    lesson = link_to(CELLS[tower.kind]) if tower.kind in CELLS else None
    name_of_kind = NAMES["unlike" if tower.name in REASONS else tower.kind]
    if tower.kind != tower.beside and tower.beside in ("table", "row_column"):
        other = NAMES[tower.beside]
        name_of_kind = Text(f"{name_of_kind.zh}，{other.zh}", f"{name_of_kind.en}, {other.en}")
    encoding = texts.as_html(name_of_kind, language)
    details = texts.as_html(says(tower), language)
    more = f' <a href="{html.escape(lesson)}">→ 11</a>' if lesson else ""
    return (
        f'<tr data-tower><th scope="row"><a href="{folder}"><code>{name}</code></a>{beside}</th>'
        f"<td><details><summary>{encoding}</summary>{details}{more}</details></td></tr>\n"
    )
