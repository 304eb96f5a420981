"""The words of the sheets, by lesson."""

from __future__ import annotations

from posenc_lessons.figures.colors import INK
from posenc_lessons.figures.sheet import Sheet
from posenc_lessons.language import Text

BLUE, ORANGE, GREEN = "#0069A6", "#BF4F00", "#00785A"  # of the doors: embeddings, queries and keys, scores

ORDER_BLIND = Sheet(
    "01",
    Text("为什么需要位置编码", "Why position?"),
    INK,
    Text(
        "d = 1，q = k = v = x。词换了次序，\n输出跟着换次序，数一个不变：",
        "d = 1 and q = k = v = x. Reorder the words and\nthe outputs follow; no number changes:",
    ),
    Text("我的模型看得见次序吗？", "Does my model see order?"),
    (
        "order = torch.randperm(len(x))    # x: [L, d]",
        "moved = model(x)[order] - model(x[order])",
        "print(moved.abs().max())",
    ),
    Text(
        "约 1e-7：看不见。明显大于 0：位置编码或因果掩码\n让它看见了一些。",
        "About 1e-7: blind to order. Clearly above 0:\npositions or a causal mask let it see some.",
    ),
)

SINUSOID = Sheet(
    "02",
    Text("正弦位置编码", "Sinusoidal positions"),
    BLUE,
    Text("d = 4，四个相邻的位置：", "d = 4, four positions in a row:"),
    Text("正弦和余弦怎么排列？", "How are sines and cosines laid out?"),
    (
        "row = table[1]                # table: [max_len, d]",
        "print(row.view(-1, 2).norm(dim=1))",
        "print(row.view(2, -1).norm(dim=0))",
    ),
    Text(
        "sin² + cos² = 1：哪一行全是 1，就是哪一种。\n第一行：相邻成对。第二行：前半正弦、后半余弦。",
        "sin² + cos² = 1: the line of ones tells.\n"
        "First line: neighbours are a pair.\n"
        "Second line: sines first, then cosines.",
    ),
)

LEARNED = Sheet(
    "03",
    Text("可学习的位置编码", "Learned positions"),
    BLUE,
    Text(
        "把一张表拉长：首尾两行不动，\n中间按比例线性插值：",
        "Stretch a table: the first and the last row stay,\nthe others are interpolated in between:",
    ),
    Text("哪些位置从来没被训练过？", "Which positions were never trained?"),
    (
        "loss.backward()",
        "reached = table.weight.grad.abs().sum(dim=1) > 0",
        "print((~reached).nonzero()[:, 0])",
    ),
    Text(
        "列出的行还是随机的初值。多看几个批量再下结论；\n第 L 行根本不存在，一查就报错。",
        "These rows still hold their random start: look at\n"
        "several batches. Row L does not exist; asking for\n"
        "it is an error.",
    ),
)

RELATIVE = Sheet(
    "04",
    Text("相对位置编码", "Relative positions"),
    GREEN,
    Text(
        "Shaw 的行号 clip(j − i, −k, k) + k：\n每行一个查询 i，每列一个键 j：",
        "Shaw's row of the table, clip(j − i, −k, k) + k:\na line for each query i, a column for each key j:",
    ),
    Text("是 j − i 还是 i − j？", "Is it j − i or i − j?"),
    (
        "print(index[0, 1] - index[0, 0])",
        "print(index.shape)            # [L_q, L_k]",
        "print(index.min(), index.max())",
    ),
    Text(
        "第一行 1：j − i；−1：i − j。符号分得清前后，\n所以两种约定的表不能混用。",
        "First line 1: j − i; −1: i − j. The sign tells before\n"
        "from after, so tables of the two conventions\n"
        "do not mix.",
    ),
)

ROTARY = Sheet(
    "05",
    Text("旋转位置编码 RoPE", "Rotary positions (RoPE)"),
    ORANGE,
    Text(
        "d = 4，相邻配对，查询在 m，键在 n；\n两个一起移 1000，点积不变：",
        "d = 4, neighbours are pairs, query at m, key at n.\nMove both by 1000 and the product stays:",
    ),
    Text("这份代码怎么配对？", "Which features does this code pair?"),
    (
        "x = torch.zeros(d); x[0] = 1.0",
        "y = rope(x, position=1)       # the code in question",
        "print(y.nonzero()[:, 0])",
    ),
    Text(
        "0 和 1：相邻配对。0 和 d/2：对半配对。\n"
        "只旋转 2 个特征时分不出；y[1] 或 y[d/2] 小于 0：\n"
        "方向相反。",
        "0 and 1: neighbours. 0 and d/2: half-split. With\n"
        "only 2 rotated features there is nothing to tell.\n"
        "A negative second entry: the other direction.",
    ),
)

COPE = Sheet(
    "06",
    Text("上下文位置编码 CoPE", "Contextual positions (CoPE)"),
    GREEN,
    Text(
        "最后一个查询看每个键 j：从 j 到自己，\n门控加起来就是位置，表在两行之间插值：",
        "The last query looks at each key j: gates from j\n"
        "up to itself add up to the position, and the table\n"
        "is interpolated between two rows:",
    ),
    Text("未来从门控里漏进来了吗？", "Does the future leak through the gates?"),
    (
        "before = attend(q, k, v)[:, :-1]",
        "k2 = k.clone(); k2[:, -1] += 1.0",
        "print((attend(q, k2, v)[:, :-1] - before).abs().max())",
    ),
    Text(
        "0：没有。大于 0：掩码加在了门控之后；\n应当先加掩码，再算 σ。",
        "0: no. Above 0: the mask came after the gates.\nMask the logits first, then take the sigmoid.",
    ),
)

MASK = Sheet(
    "07",
    Text("从零搭建 Transformer", "A Transformer from scratch"),
    INK,
    Text(
        "一行分数怎样变成权重。掩码在 softmax 之前，\n看不见的键得 0，剩下的和为 1：",
        "One row of scores becomes weights. The mask comes\n"
        "before the softmax: hidden keys get 0, the others\n"
        "add up to 1:",
    ),
    Text("True 是看得见，还是藏起来？", "Does True mean visible or hidden?"),
    (
        "mask = torch.tensor([[True, False]])",
        "out = attend(q, k, v, mask)   # 1 query, 2 keys",
        "print(torch.allclose(out, v[:1]))",
    ),
    Text(
        "True：看得见（scaled_dot_product_attention）。\nFalse：藏起来（nn.MultiheadAttention）。",
        "True: visible (scaled_dot_product_attention).\nFalse: hidden (nn.MultiheadAttention).",
    ),
)

EXTENSION = Sheet(
    "08",
    Text("外推：比训练时更长", "Longer than trained"),
    ORANGE,
    Text(
        "每一对的波长（多少个位置转一圈），\n训练长度 L 内转几圈，扩展 s 倍之后的波长：",
        "The wavelength of each pair in positions, how\n"
        "often it goes round within the trained length L,\n"
        "and the wavelengths after an extension by s:",
    ),
    Text("上下文扩展生效了吗？", "Did the extension take effect?"),
    (
        "ratio = before / after        # inv_freq, both",
        "print(ratio.min(), ratio.max())",
        "print(ratio)",
    ),
    Text(
        "全是 1：没有生效。全是 s：线性插值。\n从 1 到 s：NTK 或 YaRN。",
        "All 1: no effect. All s: interpolation.\nFrom 1 to s: NTK or YaRN.",
    ),
)

WHOSE = Sheet(
    "09",
    Text("位置从哪里数", "Whose position is it?"),
    INK,
    Text(
        "批量里的一行，1 是真词元，0 是填充：\n位置数的是真词元，不是格子：",
        "One row of a batch, 1 a real token, 0 padding:\npositions count real tokens, not columns:",
    ),
    Text("填充改变输出了吗？", "Does padding change the output?"),
    (
        "alone = model(ids[:, pad:])   # the text by itself",
        "padded = model(ids, attention_mask=real)[:, pad:]",
        "print((alone - padded).abs().max())",
    ),
    Text(
        "约 1e-6：位置和掩码都对。更大：填充占了号，\n或者被看见了。",
        "About 1e-6: positions and mask are right. More:\npadding took a number, or was attended to.",
    ),
)

LAYERS = Sheet(
    "10",
    Text("不是每一层", "Not every layer"),
    INK,
    Text(
        "窗口 w 的一层多够得着 w − 1 个词元，自己算一次；\n看得见全部的一层（这里写 0）够得着整段文本：",
        "A window of w adds w − 1 tokens in each layer, and the token\n"
        "itself counts once; a layer that sees all (0 here) reaches all:",
    ),
    Text("哪几层读位置？", "Which layers read positions?"),
    (
        "for attend in layers:         # attend(x, positions)",
        "    near, far = (attend(x, n * places) for n in (1, 2))",
        "    print((near - far).abs().max() > 1e-4)",
    ),
    Text(
        "True：距离拉开一倍，输出变了，这一层读位置。\nFalse：它只比内容。",
        "True: with all distances doubled the output changes:\nit reads positions. False: content only.",
    ),
)

COORDINATES = Sheet(
    "11",
    Text("二维、三维的位置", "Two coordinates and three"),
    ORANGE,
    Text(
        "文字、一张图片、一个文字的 (t, h, w)；\n文字接着三行里最大的数：",
        "(t, h, w) of text, an image and one more token:\ntext goes on after the largest of all rows:",
    ),
    Text("行和列写反了吗？", "Are rows and columns exchanged?"),
    (
        "at = positions     # [h * w, 2] of an image, h != w",
        "print(at[1] - at[0])     # one patch to the right",
        "print(at[w] - at[0])     # one patch down",
    ),
    Text(
        "(0, 1) 和 (1, 0)：先行后列。(1, 0) 和 (0, 1)：先列后行。\n别的：展平的次序错了。",
        "(0, 1) and (1, 0): rows first. (1, 0) and (0, 1): columns\nfirst. Anything else: flattened in a "
        "wrong order.",
    ),
)
