"""What is said of a vision tower: remarks on what is read, and why a tower is not read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from posenc_lessons.encodings.config.keys import printable
from posenc_lessons.encodings.config.tower_by_hand import REASONS
from posenc_lessons.encodings.config.unknown import found_keys, near_names
from posenc_lessons.language import BilingualValueError, Text

if TYPE_CHECKING:
    from posenc_lessons.encodings.config.towers import Tower

_OWN_TABLE = Text(
    "嵌入另外加上学到的位置，办法是代码自己的，这里没有",
    "learned positions are added to the embeddings as well, in a way of the code's own that is not here",
)
_ROW_BY_ROW = Text(
    "表是 Together 的第一个编码，整个模型只加一次；词元按先后取行，所以图块要逐行排好",
    "the table is the first encoding of Together and is added once for the whole model; tokens take its rows"
    " in order, so patches have to come row by row",
)
_ROW_AND_COLUMN = Text(
    "行和列的向量是 Together 的第一个编码，整个模型只加一次",
    "the vectors of rows and columns are the first encoding of Together and are added once for the whole"
    " model",
)
_CLASS_TURNS = Text(
    "最前面的分类词元按自己学到的角度转，每对一个（class_pos_emb）；这里只转图块",
    "the class token in front turns by its own learned angles, one for each pair (class_pos_emb);"
    " the encoding here turns patches only",
)
#: Remarks about Swin v2's attention.
UNIT_VECTORS = Text(
    "分数由单位长的查询和键得到，每个头再乘一个学到的系数（余弦注意力）；这里的编码只加偏置",
    "scores are made of queries and keys of length 1, times a learned number for each head (cosine"
    " attention); the encoding here adds the bias only",
)
CLASS_AT_MINUS_ONE = Text(
    "分类词元的位置写成 (−1, −1)，表的最后三行是它的",
    "the class token's place is written (−1, −1); the last three rows of the table are its own",
)
_CENTRES = Text(
    "坐标是图块的中心，整张图从 −1 到 1（patch_centres(高, 宽)），转角再乘以 2π；"
    "不是图块的词元（分类、寄存器）在 (0, 0)，不转",
    "coordinates are the centres of patches in a picture from −1 to 1 (patch_centres(height, width)), and"
    " angles are 2π times as large; tokens that are no patches (class, registers) are at (0, 0) and do not"
    " turn",
)
_TIME = Text(
    "坐标有三个：第几帧、行、列；剩下的特征不转",
    "there are three coordinates: the frame, the row and the column; features that are left do not turn",
)


def remarks_of_rotation(tower: Tower) -> tuple[Text, ...]:
    """Return what a reader should know of a tower that rotates queries and keys."""
    found = [_OWN_TABLE] if tower.beside == "own" else []
    found += [_CLASS_TURNS] if tower.class_turns else []
    found += [_CENTRES] if tower.centres else []
    found += [_TIME] if tower.time else []
    if tower.first:
        place = Text("在图块后面", "after the patches") if tower.last else Text("在前面", "before them")
        found.append(
            Text(
                f"行和列从 {tower.first} 数起：不是图块的词元（{place.zh}）在 (0, 0)，不转",
                f"rows and columns count from {tower.first}: tokens that are no patches, {place.en}, are at"
                f" (0, 0) and do not turn",
            )
        )
    return (*found, *remarks_of_table_beside(tower))


def remarks_of_table_beside(tower: Tower) -> tuple[Text, ...]:
    """Return how a table that is added besides is used; nothing where there is none."""
    if tower.beside not in ("table", "row_column"):
        return ()
    return (_ROW_BY_ROW if tower.beside == "table" else _ROW_AND_COLUMN, *remarks_of_table(tower))


def remarks_of_table(tower: Tower) -> tuple[Text, ...]:
    """Return which rows of a table are not patches, and how it is stretched for other pictures."""
    if tower.beside == "row_column":
        first = tower.table_first if tower.kind == "axial" else tower.first
        if not first:
            return ()
        return (
            Text(
                f"行和列从 {first} 数起：positions 用 grid_positions(高, 宽) + {first}",
                f"rows and columns count from {first}: positions are grid_positions(height, width) + {first}",
            ),
        )
    found = []
    if tower.special and tower.last:
        found.append(
            Text(
                f"表的最后 {tower.special} 行属于图块后面的词元（分类用的）",
                f"the last {tower.special} rows of the table belong to the tokens after the patches (classes)"
                if tower.special > 1
                else "the last row of the table belongs to the token after the patches (for classes)",
            )
        )
    elif tower.left_out:
        found.append(
            Text(
                f"文件里的表前面还有 {tower.special} 行，代码不用（原是分类词元的），这里没有",
                f"the table in the file has {tower.special} more in front (a class token's), which the code"
                f" leaves out, and so does the encoding here",
            )
        )
    elif tower.special:
        found.append(special_rows(tower.special))
    if tower.apart:
        found.append(
            Text(
                "最前面的分类词元的向量在文件里另放（cls_position_embedding），这里是表的第一行",
                "the vector of the class token in front is a separate parameter in the file"
                " (cls_position_embedding); here it is the table's first row",
            )
        )
    if tower.stretch is None:
        found.append(
            Text(
                "图的大小不同时，代码要么不收，要么用它自己的办法选行，不是 interpolate_table",
                "for pictures of another size the code either refuses them or chooses rows in a way of its"
                " own, which is not interpolate_table's",
            )
        )
    else:
        mode, antialias = tower.stretch
        also = ", antialias=True" if antialias else ""
        found.append(
            Text(
                f'图的大小不同时，代码给表插值：interpolate_table(…, mode="{mode}"{also})',
                f"for pictures of another size the code interpolates the table:"
                f' interpolate_table(…, mode="{mode}"{also})',
            )
        )
    return tuple(found)


def special_rows(special: int) -> Text:
    """Return that the first rows of a table belong to tokens that are not patches."""
    some = "the first row of the table belongs to a token that is not a patch (for classes)"
    if special > 1:
        some = f"the first {special} rows of the table belong to tokens that are not patches (classes)"
    return Text(
        f"表的前 {special} 行属于图块以外的词元（分类用的），图块从第 {special} 行起，逐行往下",
        f"{some}; patches follow, row by row",
    )


def counted_through(frames: int, patches: int) -> Text:
    """Return that one number counts the patches of all frames."""
    return Text(
        f"位置是一个数，{frames} 帧 × {patches} 个图块从头数到尾，行、列、时间不分开",
        f"a position is one number that counts through the {patches} patches of {frames} frames, not a row, a"
        f" column and a time",
    )


def switched_by(switches: Mapping[str, str]) -> Text:
    """Return which keys of the file switch an encoding on."""
    named = "，".join(f"{key}：{_SWITCHES[what].zh}" for key, what in switches.items())
    en = ", ".join(f"{key}: {_SWITCHES[what].en}" for key, what in switches.items())
    return Text(f"编码由文件里的键打开（{named}）", f"keys of the file switch encodings on ({en})")


_SWITCHES = {"table": Text("位置表", "a table"), "bias": Text("偏置表", "a table of biases")}


def remarks_of_window(window: int) -> tuple[Text, ...]:
    """Return how far patches see in a tower with windows like Swin's."""
    return (
        Text(
            f"图块只看得见同一个 {window} × {window} 窗口里的图块；每隔一层，窗口移动半个窗口",
            f"a patch sees those of its own window of {window} × {window} patches only; in every second layer"
            f" the windows are shifted by half a window",
        ),
    )


def windows(named: str) -> Text:
    """Return that patches of some layers see those of a window only, by the keys ``named``."""
    return Text(
        f"代码有窗口（{named}）：有的层里，图块只看得见同一个窗口里的图块",
        f"the code has windows ({named}): in some layers a patch sees those of its own window only",
    )


def within_window(window: int) -> Text:
    """Return that a layer has windows, with rows and columns of their own."""
    return Text(
        f"图块只看得见同一个 {window} × {window} 窗口里的图块，行和列也在窗口里数",
        f"a patch sees those of its own window of {window} × {window} patches only, and rows and columns are"
        f" counted within it",
    )


def as_wide_as_a_window(window: int, across: int) -> Text:
    """Return that coordinates of the whole picture are made those of a window."""
    return Text(
        f"这一层看得见整张图；坐标乘以 {window}/{across}，{across} 个图块的宽度就成了一个窗口的 {window}",
        f"this layer sees the whole picture; coordinates are multiplied by {window}/{across}, which makes a"
        f" width of {across} patches that of a window, {window}",
    )


_SEEN: Mapping[str, Text] = {
    "rows": Text(
        "嵌入加上一张学到的表，可是它有多少行，文件里没有一个键说得出",
        "a learned table is added to the embeddings, but no key of the file says how many rows it has",
    ),
    "turns": Text(
        "查询随位置变，但不是这里任何一种按行和列的旋转",
        "queries change with the place, but by none of the rotations by row and column that are here",
    ),
    "bias": Text(
        "加在分数上的数随位置变，但不是 RelativeGridBias 的表",
        "what is added to scores changes with the place, but is not RelativeGridBias's table",
    ),
}
_NO_TABLE = Text(
    "它有关于位置的参数，但改动它们时，嵌入的变化不像加上一张每个图块一行的表",
    "it has parameters about positions, but when they are changed the embeddings do not change as if a table"
    " with a row for each patch were added",
)
_NOTHING = Text(
    "按代码的默认值，程序看得到的查询、分数和嵌入都不随位置变；次序可能来自卷积，来自程序看不到的代码，"
    "或者要由文件里的键打开",
    "by the code's defaults queries, scores and embeddings do not change with the place, as far as the"
    " program can watch them; order may come from convolutions, from code that it cannot watch, or from a"
    " key of the file that switches it on",
)


def reason(tower: Tower) -> Text:
    """Return what a tower does that no encoding here does, or why that is not known."""
    if (by_hand := REASONS.get(tower.name)) is not None:
        return by_hand.why
    if tower.kind == "unseen":
        return Text(
            f"小模型没能造出来（{tower.error}），所以不知道它怎样放位置",
            f"no small tower could be built ({tower.error}), so how it places positions is not known",
        )
    said = _SEEN.get(tower.seen)
    if said is None and not tower.named:
        return _NOTHING
    named = ", ".join(tower.named)
    said = said or _NO_TABLE
    return Text(f"{said.zh}（参数：{named}）", f"{said.en} (parameters: {named})") if named else said


def unread_tower(tower: Tower) -> BilingualValueError:
    """Return the error for a tower whose encoding is not here, in both languages."""
    why = reason(tower)
    return BilingualValueError(
        f"视觉部分 {tower.name} 的编码这里没有，所以造不出来。{tower.source} 的代码：{why.zh}",
        f"there is no encoding here like that of the vision tower {tower.name}, so none is made. The code of"
        f" {tower.source}: {why.en}",
    )


def unknown_tower(
    inner: Mapping[str, Any], where: str, names: Iterable[str], table: Mapping[str, Tower]
) -> BilingualValueError:
    """Return the error for a tower that is not in the table: what could be read, and what to ask for."""
    shown = printable(", ".join(names)) or "—"
    told = "; ".join(found_keys(inner, where)) or "—"
    known = [name for name, tower in table.items() if tower.read]
    near = near_names(shown, known)
    rope = inner.get("rope_parameters")
    if not near and isinstance(rope, Mapping) and rope.get("rope_type") == "axial":
        near = ["qwen2_vl_vision", "pixtral", "gemma4_vision"]
    for_example = ", ".join(near or ["vit", "qwen2_vl_vision"])
    return BilingualValueError(
        f"视觉部分 {shown} 不在表里（{len(table)} 种），它的代码怎样放位置，文件里没有写，这里也不猜。"
        f"文件里读得到的：{told}。如果它的代码和某个相同，请指明："
        f"like=（命令行是 --like）其中之一：{for_example}",
        f"the vision tower {shown} is not in the table of {len(table)}: how its code places positions is not"
        f" in the file and is not guessed. What could be read: {told}. If its code is like another's, say so"
        f" with like= (--like): {for_example}",
    )
