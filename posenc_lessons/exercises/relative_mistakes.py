"""What the usual mistakes of lesson 04's exercises return, and what to say to each."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from posenc_lessons.exercises.reading import Suspect
from posenc_lessons.exercises.solutions import relative as reference
from posenc_lessons.language import Text

ABSOLUTE = Text(
    "你用的是 |j − i|：前一个和后一个拿到同一行，左右分不清。要带符号的 j − i。",
    "You use |j − i|: the token before and the token after get the same row, and left cannot be told from "
    "right. The sign of j − i belongs in.",
)
TURNED = Text(
    "你算的是 i − j，符号反了：应当是键的位置减查询的位置，j − i。",
    "You compute i − j, the opposite sign: key position minus query position is wanted, j − i.",
)
UNCLIPPED = Text(
    "没有截断：距离超过 k 时，行号跑到了 0 … 2k 之外。",
    "The clipping is missing: for distances beyond k the row falls outside 0 … 2k.",
)

WRAPPED = Text(
    "没有截断：比 k 还靠前的键，行号成了负数，绕到表的末尾，查到了后面的距离。",
    "The clipping is missing: for keys further before than k the row is negative and wraps to the end of the "
    "table, where the later distances are.",
)


def row_suspects(len_q: int, len_k: int, k: int) -> list[Suspect]:
    """Rows [len_q, len_k] as the usual mistakes compute them."""
    ahead = torch.arange(len_k)[None, :] - torch.arange(len_q)[:, None]
    clipped = ahead.clamp(-k, k)
    return [
        (ahead.abs().clamp(max=k) + k, ABSOLUTE),
        (ahead.abs().clamp(max=k), ABSOLUTE),
        ((-ahead).clamp(-k, k) + k, TURNED),
        (ahead + k, UNCLIPPED),
        (
            clipped,
            Text(
                "漏了 + k：负的行号在 Python 里从表的末尾倒着数，不报错，却查到了别的距离。",
                "The + k is missing: a negative row counts from the end of the table, so there is no error, "
                "only the row of another distance.",
            ),
        ),
        (ahead, Text("没有截断，也没有加 k。", "Neither clipped nor shifted by k.")),
        (
            clipped + k - 1,
            Text(
                "差 1：距离 −k 应当在第 0 行，你给的是 −1，会绕到表的最后一行。",
                "Off by one: distance −k belongs in row 0; yours is −1, which wraps to the last row.",
            ),
        ),
        (
            clipped + k + 1,
            Text(
                "差 1：距离 k 应当在第 2k 行，你给的是 2k + 1，表里没有。",
                "Off by one: distance k belongs in row 2k; yours is 2k + 1, which the table lacks.",
            ),
        ),
        (
            ahead.clamp(0, 2 * k),
            Text(
                "截断之前就要加 k：你把所有负的距离都截成了 0。",
                "Add k before clipping to 0 … 2k: yours turns every negative distance into 0.",
            ),
        ),
        (
            (ahead + k) % (2 * k + 1),
            Text(
                "你取了余数：远处的键绕回来，冒充近处的。要截断 clamp，不要取余 %。",
                "You take the remainder: far keys come round and pose as near ones. Use clamp, not %.",
            ),
        ),
    ]


def score_suspects(query: Tensor, key: Tensor, table: Tensor) -> list[Suspect]:
    """Scores as the usual mistakes compute them."""
    root, k = math.sqrt(query.shape[-1]), len(table) // 2
    len_q, len_k = query.shape[-2], key.shape[-2]
    content = query @ key.transpose(-2, -1)
    ahead = torch.arange(len_k)[None, :] - torch.arange(len_q)[:, None]
    rows = ahead.clamp(-k, k) + k

    def position(of_rows: Tensor) -> Tensor:
        return torch.einsum("...id,ijd->...ij", query, table[of_rows])

    right = position(rows)
    by_key = torch.einsum("...jd,ijd->...ij", key, table[rows])
    return [
        (content / root, Text("只有内容，表没有用上。", "Content alone: the table was not used.")),
        (right / root, Text("只有位置那一项，漏了 q·k。", "Only the term of positions: q·k is missing.")),
        (content + right, Text("忘了除以 √d。", "The division by √d is missing.")),
        (
            content / root + right,
            Text(
                "只有 q·k 除以了 √d；括号在外面：q·(k + a)/√d，两项都要除。",
                "Only q·k is divided by √d; the division is outside the bracket, q·(k + a)/√d, and holds for "
                "both terms.",
            ),
        ),
        (
            content + right / root,
            Text("只有 q·a 除以了 √d，两项都要除。", "Only q·a is divided by √d; both terms should be."),
        ),
        ((content + right) / query.shape[-1], Text("除以的是 d，应为 √d。", "You divide by d; √d it is.")),
        ((content + position(2 * k - rows)) / root, TURNED),
        ((content + position(ahead.abs().clamp(max=k) + k)) / root, ABSOLUTE),
        ((content + position(ahead.abs().clamp(max=k))) / root, ABSOLUTE),
        (
            (content + position((rows - k) % (2 * k + 1))) / root,
            Text(
                "漏了 + k：负的行号绕到了表的末尾。",
                "The + k is missing: negative rows wrap to the end of the table.",
            ),
        ),
        (
            (content + by_key) / root,
            Text(
                "你拿键和表做了点积，应当是查询：q_i · a_{j−i}。",
                "You take the table's dot product with the key; it is the query's: q_i · a_{j−i}.",
            ),
        ),
        *_gathered_over_queries(query, table, content, rows),
        ((content + position((ahead + k) % (2 * k + 1))) / root, WRAPPED),
    ]


def _gathered_over_queries(query: Tensor, table: Tensor, content: Tensor, rows: Tensor) -> list[Suspect]:
    """q·a [Lq, 2k+1] gathered along the queries: entry (i, j) is that of query rows[i, j]."""
    if content.shape[-1] > len(table) or int(rows.max()) >= query.shape[-2]:
        return []  # gather itself refuses
    mixed = (query @ table.T).gather(-2, rows.expand(content.shape))
    name = Text(
        "gather 的方向错了：q·a 的形状是 [..., L_q, 2k+1]，要在最后一维（距离）上取，dim=-1；你在查询那一维上"
        "取，拿到的是别的查询的点积。",
        "gather along the wrong axis: q·a has shape [..., L_q, 2k+1] and is read along its last one, the "
        "distances, dim=-1. Along the queries you read another query's products.",
    )
    return [((content + mixed) / math.sqrt(query.shape[-1]), name)]


def total_suspects(weights: Tensor, k: int) -> list[Suspect]:
    """Totals by distance as the usual mistakes compute them."""
    len_q, len_k = weights.shape[-2:]
    ahead = torch.arange(len_k)[None, :] - torch.arange(len_q)[:, None]
    rows = ahead.clamp(-k, k) + k
    empty = weights.new_zeros(*weights.shape[:-1], 2 * k + 1)
    right = reference.weights_by_distance(weights, k)

    def last_one(order: Tensor) -> Tensor:
        kept = empty.clone()
        for j in order.tolist():
            kept[..., torch.arange(len_q), rows[:, j]] = weights[..., j]
        return kept

    overwritten = Text(
        "截断之后，好几个键落在同一个距离上，你只留下了其中一个：要加起来（scatter_add，不是 scatter）。",
        "After clipping several keys fall on one distance, and you keep only one of them: add them up "
        "(scatter_add, not scatter).",
    )
    counts = empty.scatter_add(-1, rows.expand(weights.shape), torch.ones_like(weights))
    return [
        (last_one(torch.arange(len_k)), overwritten),
        (last_one(torch.arange(len_k - 1, -1, -1)), overwritten),
        (right.flip(-1), TURNED),
        (
            empty.scatter_add(
                -1, rows.expand(weights.shape), weights * ((ahead >= -k) & (ahead <= k)).to(weights.dtype)
            ),
            Text(
                "你扔掉了比 k 更远的键。截断是把它们算进最外面的两行，权重一份也不能少：每行还是 1。",
                "You drop the keys beyond k. Clipping counts them in with the outermost rows; no weight may "
                "be lost: each row still adds up to 1.",
            ),
        ),
        (
            right / counts.clamp(min=1),
            Text(
                "你求的是平均，要的是和：乘上表之后才等于 Σ_j w_ij b_{j−i}。",
                "You take the mean; the sum is wanted, so that the table gives Σ_j w_ij b_{j−i}.",
            ),
        ),
        (
            counts,
            Text(
                "你数的是有几个键，不是它们的权重之和。",
                "You count the keys instead of adding their weights.",
            ),
        ),
        (
            empty.scatter_add(-1, (ahead.abs().clamp(max=k) + k).expand(weights.shape), weights),
            ABSOLUTE,
        ),
        (empty.scatter_add(-1, ahead.abs().clamp(max=k).expand(weights.shape), weights), ABSOLUTE),
    ]


def bucket_suspects(steps: Tensor, n_buckets: int, max_distance: int) -> list[Suspect]:
    """Buckets as the usual mistakes compute them."""
    exact = n_buckets // 2
    wide, far = n_buckets - exact, max_distance
    at = steps.clamp(min=1).double()
    log = (at / exact).log() / math.log(far / exact) * wide

    def joined(beyond: Tensor, last: int | None = n_buckets - 1) -> Tensor:
        beyond = beyond if last is None else beyond.clamp(max=last)
        return torch.where(steps < exact, steps.double(), beyond)

    return [
        (
            joined(exact + log.floor(), None),
            Text(
                f"没有封顶：max_distance 以外的步数应当都在最后一个桶 {n_buckets - 1}。",
                f"No ceiling: steps from max_distance on all belong in the last bucket, {n_buckets - 1}.",
            ),
        ),
        (
            joined(exact + log.floor(), n_buckets),
            Text(
                f"封顶差 1：最后一个桶是 {n_buckets - 1}，不是 {n_buckets}。",
                f"The ceiling is off by one: the last bucket is {n_buckets - 1}, not {n_buckets}.",
            ),
        ),
        (
            joined(log.floor()),
            Text(
                "远处那一半漏加了 n_buckets // 2，和近处的桶撞了号。",
                "The far half lacks its n_buckets // 2 and runs into the near buckets.",
            ),
        ),
        (
            joined(exact + log.round()),
            Text("要向下取整 floor，你用了四舍五入。", "Round down (floor); yours rounds to the nearest."),
        ),
        (
            joined(exact + log.ceil()),
            Text("要向下取整 floor，你用了向上取整。", "Round down (floor); yours rounds up."),
        ),
        (
            joined(exact + (at.log() / math.log(far) * wide).floor()),
            Text(
                "对数要从 n_buckets // 2 算起：log(n / exact) / log(max_distance / exact)。",
                "The logarithm starts at n_buckets // 2: log(n / exact) / log(max_distance / exact).",
            ),
        ),
        (
            joined(exact + ((at - exact) / (far - exact) * wide).floor()),
            Text(
                "远处那一半你按距离均分了，要按距离的对数均分。",
                "You share out the far half evenly by distance; it goes by the logarithm of distance.",
            ),
        ),
        (
            steps.clamp(max=n_buckets - 1).double(),
            Text(
                "这只是截断，还没有按对数变宽的那一半。",
                "Plain clipping: the half that widens by the logarithm is missing.",
            ),
        ),
        (
            (exact + log.floor()).clamp(0, n_buckets - 1),
            Text(
                "近处也取了对数；步数小于 n_buckets // 2 时，桶号就是步数。",
                "The near half has been through the logarithm as well; below n_buckets // 2 the bucket is "
                "the number of steps.",
            ),
        ),
    ]


def slope_suspects(n_heads: int) -> list[Suspect]:
    """Slopes as the usual mistakes compute them."""
    head = torch.arange(n_heads).double()
    right = reference.slopes(n_heads).double()
    smaller = 2 ** (n_heads.bit_length() - 1)
    own = 2.0 ** (-8 * (torch.arange(smaller).double() + 1) / smaller)
    next_larger = 2.0 ** (-8 * (torch.arange(2 * smaller).double() + 1) / (2 * smaller))
    extra = n_heads - smaller
    suspects = [
        (
            2.0 ** (-8 * head / n_heads),
            Text(
                "指数从 0 开始了：第一个头的斜率应当是 2^(−8/n)，不是 1。头从 1 数起。",
                "The exponent starts at 0: the first head's slope is 2^(−8/n), not 1. Count heads from 1.",
            ),
        ),
        (
            torch.exp(-8 * (head + 1) / n_heads),
            Text("底数是 2，你用了 e。", "The base is 2; yours is e."),
        ),
        (
            (head + 1) / n_heads,
            Text(
                "这是等差数列，要的是等比：每个头是前一个乘以 2^(−8/n)。",
                "That is an arithmetic sequence; a geometric one is wanted: each head's is the one before "
                "times 2^(−8/n).",
            ),
        ),
        (
            2.0 ** -(head + 1),
            Text(
                "比值 1/2 只对 8 个头成立；n 个头的比值是 2^(−8/n)。",
                "A ratio of 1/2 is right for 8 heads only; for n heads it is 2^(−8/n).",
            ),
        ),
    ]
    if n_heads > 1:
        suspects += [
            (right.flip(0), Text("次序反了：第一个头最陡。", "In reverse: the first head is the steepest.")),
            (-right, Text("斜率是正数，减号写在分数里。", "Slopes are positive; the minus is in the score.")),
        ]
    if extra:
        suspects += [
            (
                2.0 ** (-8 * (head + 1) / n_heads),
                Text(
                    f"{n_heads} 不是 2 的幂：先取 {smaller} 个头的斜率，再从 {2 * smaller} 个头的里面隔一个取"
                    "一个。",
                    f"{n_heads} is no power of two: take the slopes for {smaller} heads, then every second "
                    f"one of those for {2 * smaller}.",
                ),
            ),
            (
                torch.cat([own, next_larger[:extra]]),
                Text(
                    f"后 {extra} 个要从 {2 * smaller} 个头的斜率里隔一个取一个（0, 2, 4, …），"
                    "你取的是连续的。",
                    f"The last {extra} are every second one (0, 2, 4, …) of the slopes for {2 * smaller} "
                    "heads; yours follow each other.",
                ),
            ),
            (
                torch.cat([own, next_larger[1::2][:extra]]),
                Text(
                    "隔一个取一个要从第 0 个取起；你从第 1 个取起，和前面的斜率重复了。",
                    "Every second one starts from number 0; yours starts from 1 and repeats slopes there "
                    "already.",
                ),
            ),
            (
                next_larger[:n_heads],
                Text(
                    f"你直接截了 {2 * smaller} 个头的前 {n_heads} 个。",
                    f"You cut off the first {n_heads} of the slopes for {2 * smaller} heads.",
                ),
            ),
            (
                torch.cat([own, next_larger[0::2][:extra]]).sort(descending=True).values,
                Text(
                    "数都对，但重新排了序；论文的代码把多出来的接在后面，和公开的权重配套的是那个次序。",
                    "The right numbers, sorted anew; the paper's code puts the extra ones at the end, and "
                    "published weights go with that order.",
                ),
            ),
        ]
    return suspects
