"""What the usual mistakes in lesson 03's exercises return, so that a check can name the one it sees."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

from posenc_lessons.exercises.reading import Suspect
from posenc_lessons.language import Text


def module_suspects(x: Tensor, table: Tensor) -> list[Suspect]:
    """For ``LearnedPositions``: x [B, L, d] with L < max_len, and what its table holds."""
    batch, length, _ = x.shape
    rows = table[:length]
    suspects = [
        (x, Text("输出就是 x 本身：表还没有加上去。", "The output is x itself: the table was not added.")),
        (
            rows.expand_as(x),
            Text(
                "你只返回了表里的行，x 不见了。应当是 x 加上它们。",
                "You return the rows of the table alone; x is gone. Add the rows to x.",
            ),
        ),
        (
            x + table[length],
            Text(
                "每个位置都加了同一行（第 L 行），顺序还是看不见。[:, L] 取的是一行，[:, :L] 才是前 L 行。",
                "Every position gets the same row (row L), so order stays invisible. [:, L] takes one row; "
                "[:, :L] takes the first L.",
            ),
        ),
        (
            x + table[1 : length + 1],
            Text(
                "错开了一行：位置从 0 数起，第一个词元用第 0 行。你的从第 1 行开始，满长的句子会越界。",
                "Off by one: positions count from 0, and the first token gets row 0. Yours starts at row 1, "
                "so a sentence of full length would fall off the end.",
            ),
        ),
        (
            x + rows.flip(0),
            Text("顺序反了：第一个词元用了最后一行。", "Backwards: the first token gets the last row."),
        ),
        (
            x * rows,
            Text("你把表乘了上去，应当是相加。", "You multiply by the table; it should be added."),
        ),
        (
            x * x.shape[-1] ** 0.5 + rows,
            Text(
                "x 被乘了 √d。原始的 Transformer 在嵌入那里这样做，这里不要。",
                "x was multiplied by √d. The original Transformer does so at its embeddings; not here.",
            ),
        ),
        (
            x + rows.sum(dim=0),
            Text(
                "每个位置都加了各行之和，于是都一样。",
                "Every position gets the sum of the rows, all the same.",
            ),
        ),
        (
            x + rows.mean(dim=0),
            Text(
                "每个位置都加了各行的平均，于是都一样。",
                "Every position gets the mean of the rows, all the same.",
            ),
        ),
    ]
    suspects += [
        (
            x + table[row],
            Text(
                f"每个位置都加了第 {row} 行，所以顺序还是看不见。第 m 个词元要加第 m 行。",
                f"Every position gets row {row}, so order stays invisible. Token m needs row m.",
            ),
        )
        for row in (0, length - 1, len(table) - 1)
    ]
    if batch <= len(table):
        suspects.append(
            (
                x + table[:batch, None],
                Text(
                    "数错了维：你按句子在批量里的序号取行，应当按词元在句子里的位置。x 是 [B, L, d]，长度是 "
                    "x.shape[1]。",
                    "The wrong axis: you pick the row by the sentence's place in the batch, not by the "
                    "token's place in the sentence. x is [B, L, d]; its length is x.shape[1].",
                ),
            )
        )
    return suspects


def too_long_suspects(x: Tensor, table: Tensor) -> list[Suspect]:
    """For ``LearnedPositions`` when x is longer than the table, yet an answer came."""
    length, rows = x.shape[1], len(table)
    return [
        (
            x + table[torch.arange(length) % rows],
            Text(
                f"长度 {length} 超出了 {rows} 行的表，你用取余绕回了开头：位置 {rows} 和位置 0 从此分不开，"
                "而且没有任何提示。请报错（nn.Embedding 自己就会）。",
                f"Length {length} is beyond a table of {rows} rows, and yours wraps around (modulo): "
                f"position {rows} can no longer be told from position 0, and nobody is told. Raise an "
                "error; nn.Embedding does so itself.",
            ),
        ),
        (
            x + table[torch.arange(length).clamp(max=rows - 1)],
            Text(
                f"长度 {length} 超出了 {rows} 行的表，你把多出来的位置都截到最后一行：它们全都一样，而且没有"
                "任何提示。请报错（nn.Embedding 自己就会）。",
                f"Length {length} is beyond a table of {rows} rows, and yours clips: the positions beyond "
                "all get the last row, all alike, and nobody is told. Raise an error; nn.Embedding does so "
                "itself.",
            ),
        ),
        (
            torch.cat([x[:, :rows] + table, x[:, rows:]], dim=1),
            Text(
                f"长度 {length} 超出了 {rows} 行的表，多出来的词元什么也没加，而且没有任何提示。请报错。",
                f"Length {length} is beyond a table of {rows} rows; the tokens beyond got nothing added, "
                "and nobody is told. Raise an error.",
            ),
        ),
    ]


def gradient_suspects(grad_output: Tensor, positions: Tensor, max_len: int) -> list[Suspect]:
    width = grad_output.shape[-1]
    flat, rows = grad_output.flatten(0, 1), positions.flatten()
    zeros = torch.zeros(max_len, width, dtype=grad_output.dtype)
    right = zeros.index_add(0, rows, flat)
    times = torch.bincount(rows, minlength=max_len)[:, None]
    overwritten = zeros.clone()
    for row, gradient in zip(rows.tolist(), flat, strict=True):
        overwritten[row] = gradient
    suspects = [
        (
            zeros,
            Text("全是 0：grad_output 还没有加进去。", "All zeros: grad_output has not been added in."),
        ),
        (
            overwritten,
            Text(
                "同一行被查了几次，就要把几次的梯度加起来。你是后一次盖掉前一次：gradient[positions] = … 和 "
                "+= 都会这样，用 index_add。",
                "A row looked up several times collects several gradients. Yours keeps only the last: "
                "gradient[positions] = … and += both do that. Use index_add.",
            ),
        ),
        (
            right / times.clamp(min=1),
            Text(
                "你取了平均，应当是求和：损失里这一行出现几次，导数就有几项相加。",
                "You take the mean; it should be the sum: the loss contains the row several times, and the "
                "derivatives add up.",
            ),
        ),
        (
            right / len(grad_output),
            Text(
                "你除以了批量大小。grad_output 里已经有损失的平均了，这里只管求和。",
                "You divide by the batch size. If the loss is a mean, grad_output knows already; here only "
                "add.",
            ),
        ),
        (
            zeros.index_add(0, positions[0], grad_output[0]),
            Text(
                "只算了第一个句子，批量里的其他句子也要加上。",
                "Only the first sentence was counted; add the others.",
            ),
        ),
        (
            zeros.index_add(0, positions[-1], grad_output[-1]),
            Text(
                "只算了最后一个句子，批量里的其他句子也要加上。",
                "Only the last sentence was counted; add the others.",
            ),
        ),
        (
            times.expand(max_len, width).to(grad_output.dtype),
            Text(
                "你数的是每一行被查了几次；要加的是那里的 grad_output。",
                "You count how often each row was looked up; add up grad_output there instead.",
            ),
        ),
    ]
    length = positions.shape[1]
    if length <= max_len:
        in_order = torch.zeros_like(zeros)
        in_order[:length] = grad_output.sum(dim=0)
        suspects.append(
            (
                in_order,
                Text(
                    "你没有用 positions：第 m 个词元查的不一定是第 m 行。",
                    "positions was not used: token m need not have looked up row m.",
                ),
            )
        )
    if max_len > 1:
        off = zeros.index_add(0, (rows + 1).clamp(max=max_len - 1), flat)
        suspects.append((off, Text("错开了一行：第 0 行是位置 0。", "Off by one: row 0 is position 0.")))
    return suspects


def count_suspects(vocab_size: int, max_len: int, d_model: int, n_types: int) -> dict[int, Text]:
    """Wrong counts for ``count_parameters`` and their names; the earlier one wins where two agree."""
    right = (vocab_size + max_len + n_types) * d_model
    suspects = [
        (
            vocab_size + max_len + n_types,
            Text(
                "你数的是行数，每一行还有 d_model 个数。", "You counted rows; each row holds d_model numbers."
            ),
        ),
        (
            vocab_size * max_len * n_types * d_model,
            Text(
                "三张表是分开的，大小相加，不是相乘。",
                "The three tables stand apart: add their sizes, do not multiply.",
            ),
        ),
        (
            vocab_size * max_len * d_model,
            Text(
                "词表和位置表是分开的，大小相加；位置表不会为每个词都存一份。",
                "Word and position tables stand apart: add their sizes. Positions are not stored once per "
                "word.",
            ),
        ),
        (
            (vocab_size + max_len) * d_model,
            Text(
                "少了词元类型的表：n_types · d_model。", "The token-type table is missing: n_types · d_model."
            ),
        ),
        (
            (vocab_size + n_types) * d_model,
            Text("少了位置表：max_len · d_model。", "The position table is missing: max_len · d_model."),
        ),
        (
            (max_len + n_types) * d_model,
            Text("少了词表：vocab_size · d_model。", "The word table is missing: vocab_size · d_model."),
        ),
        (
            max_len * d_model,
            Text(
                "这只是位置表，还有词表和类型表。",
                "That is the position table alone; words and types are missing.",
            ),
        ),
        (
            right + 2 * d_model,
            Text(
                "你把 LayerNorm 的参数也数进来了；这里只数三张表。",
                "LayerNorm's parameters are in; count the tables only.",
            ),
        ),
        (
            right + d_model,
            Text(
                "多数了一行：max_len 行就是位置 0 到 max_len−1。",
                "One row too many: max_len rows are positions 0 to max_len−1.",
            ),
        ),
    ]
    named: dict[int, Text] = {}
    for number, name in suspects:
        if number != right:
            named.setdefault(number, name)
    return named


def position_id_suspects(is_real: Tensor) -> list[Suspect]:
    real = is_real.long()
    batch, length = is_real.shape
    counted = real.cumsum(dim=1)
    arange = torch.arange(length).expand(batch, length)
    return [
        (
            arange,
            Text(
                "你没有看 is_real：左边有填充时，第一个真词元的位置也应当是 0。",
                "is_real was not used: with padding on the left, the first real token is still at position "
                "0.",
            ),
        ),
        (
            arange * real,
            Text(
                "填充处归零了，但真词元还是从序列的开头数起：左边的填充把它们的位置推后了。从第一个真词元数"
                "起。",
                "The padding is 0, but the real tokens are still counted from the start of the sequence: "
                "padding on the left pushes them back. Count from the first real token.",
            ),
        ),
        (
            counted * real,
            Text(
                "从 1 数起了：第一个真词元的位置是 0。句子满长时，最后一个位置会落在表外。",
                "Counting starts at 1; the first real token is at position 0. In a sentence of full length "
                "the last position would fall off the table.",
            ),
        ),
        (
            counted,
            Text("从 1 数起了，填充处也没有归零。", "Counting starts at 1, and the padding is not 0."),
        ),
        (
            counted * real + 1,
            Text(
                "这是 RoBERTa 的编号：填充是 1，真词元从 2 数起。这里要从 0 数起。",
                "That is RoBERTa's numbering: 1 at the padding, real tokens from 2 on. Here they start at 0.",
            ),
        ),
        (
            counted - 1,
            Text(
                "真词元都对，但填充处应当是 0；左边的填充现在是 −1，查表会越界或者取到最后一行。",
                "Real tokens are right, but padding should be 0. Padding on the left is now −1, which "
                "either fails in the table or takes its last row.",
            ),
        ),
        (
            (real.cumsum(dim=0) - 1) * real,
            Text(
                "累加的方向错了：你在批量上数，应当沿着句子（dim=1）数。",
                "Wrong axis: you count down the batch; count along the sentence (dim=1).",
            ),
        ),
        (
            real,
            Text(
                "这只是 is_real 本身，还没有数数。", "That is is_real itself; nothing has been counted yet."
            ),
        ),
    ]


def stretch_suspects(table: Tensor, new_len: int) -> list[Suspect]:
    old_len, width = table.shape
    step = (old_len - 1) / max(new_len - 1, 1)
    steps = torch.arange(new_len, dtype=torch.float64)
    suspects = [
        (
            table[(steps * step).round().long()],
            Text(
                "你取了最近的一行。线性插值要按远近混合上下两行。",
                "You take the nearest row. Linear interpolation mixes the two rows around the place, by how "
                "near they are.",
            ),
        ),
        (
            table[(steps * step).floor().long()],
            Text(
                "你取了下面那一行。线性插值要按远近混合上下两行。",
                "You take the row below. Linear interpolation mixes the two rows around the place, by how "
                "near they are.",
            ),
        ),
        (
            table[(steps * old_len / new_len).floor().long()],
            Text(
                "你只是挑了旧行（F.interpolate 默认的 nearest），没有混合。用线性插值。",
                "You only pick old rows (F.interpolate's default, nearest); nothing is mixed. Interpolate "
                "linearly.",
            ),
        ),
        (
            F.interpolate(table.T[None], size=new_len, mode="linear", align_corners=False)[0].T,
            Text(
                "首尾没有对齐：这是 align_corners=False 的结果，两头的几行被夹住了。第 0 行和最后一行要原样"
                "保留。",
                "The ends are not aligned: this is what align_corners=False gives, flat at both ends. The "
                "first and the last row should stay as they are.",
            ),
        ),
        (
            _at(table, steps * old_len / new_len),
            Text(
                "步长用了 old_len / new_len，最后一行没有保住。首尾对齐时是 (old_len − 1) / (new_len − 1)。",
                "The step is old_len / new_len, so the last row is not kept. With aligned ends it is "
                "(old_len − 1) / (new_len − 1).",
            ),
        ),
        (
            _at(table, (steps * step)).flip(0),
            Text("上下颠倒了：第 0 行变成了最后一行。", "Upside down: the first row became the last."),
        ),
        (
            _mixed_the_wrong_way(table, steps * step),
            Text(
                "两行的份额对调了：离得近的那一行应当份额大。",
                "The two shares are exchanged: the nearer row should have the larger share.",
            ),
        ),
        (
            table[steps.long() % old_len],
            Text(
                "你把表重复了一遍（取余）：位置 old_len 又成了位置 0。",
                "You repeat the table (modulo): position old_len is position 0 again.",
            ),
        ),
        (
            table[steps.long().clamp(max=old_len - 1)],
            Text(
                "你保留了旧行，再把最后一行抄到底。要把整张表均匀拉开。",
                "You keep the old rows and copy the last one to the end. Spread the whole table evenly "
                "instead.",
            ),
        ),
        (
            torch.cat([table, torch.zeros(max(new_len - old_len, 0), width)])[:new_len],
            Text(
                "你保留了旧行，后面补了 0。要把整张表均匀拉开。",
                "You keep the old rows and put zeros after them. Spread the whole table evenly instead.",
            ),
        ),
    ]
    return suspects


def _at(table: Tensor, places: Tensor) -> Tensor:
    below = places.floor().long().clamp(max=len(table) - 1)
    above = (below + 1).clamp(max=len(table) - 1)
    return torch.lerp(table[below].double(), table[above].double(), (places - below)[:, None])


def _mixed_the_wrong_way(table: Tensor, places: Tensor) -> Tensor:
    below = places.floor().long().clamp(max=len(table) - 2)
    share = (places - below)[:, None]
    return share * table[below].double() + (1 - share) * table[below + 1].double()
