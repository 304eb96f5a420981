"""Chinese words that machine translation puts where they do not belong, each seen in real study notes."""

from __future__ import annotations

from dataclasses import dataclass

from posenc_lessons.language import Text


@dataclass(frozen=True)
class Mistranslation:
    """``en`` became ``wrong``, which says something else (``says``); it should have been ``right``."""

    en: str
    wrong: str
    says: Text
    right: str


MISTRANSLATIONS = (
    Mistranslation(
        "token",
        "代币",
        Text("游戏厅或者区块链上的币", "a coin, for arcade machines or on a blockchain"),
        "词元",
    ),
    Mistranslation(
        "position index",
        "头寸指数",
        Text("交易员手里的仓位，再配上股票指数", "a trader's position, and an index as of shares"),
        "位置索引",
    ),
    Mistranslation(
        "position index",
        "持仓指数",
        Text("手里持有的股票，再配上股票指数", "the shares one holds, and an index as of shares"),
        "位置索引",
    ),
    Mistranslation(
        "feature",
        "要素",
        Text("一件事不可缺少的部分", "what a thing cannot do without"),
        "特征",
    ),
    Mistranslation(
        "dot product",
        "点产品",
        Text("卖的产品，名字叫“点”", "goods for sale by the name of “dot”"),
        "点积",
    ),
    Mistranslation(
        "cache cos and sin values",
        "缓存和值",
        Text(
            "cos 和 sin 不见了，动词成了名词：缓存，还有值",
            "“the cache and the value”: the verb became a noun",
        ),
        "缓存 cos 和 sin 的值",
    ),
)

# What prose must not contain → what it should say.
FORBIDDEN: dict[str, str] = {one.wrong.removesuffix("指数"): one.right for one in MISTRANSLATIONS}
