"""The names of axes that several pictures share, with the letters that the lessons use."""

from posenc_lessons.language import Text

FEATURE = Text("特征 $c$", "feature $c$")
POSITION = Text("位置 $m$", "position $m$")
QUERY_M, KEY_N = Text("查询的位置 $m$", "query position $m$"), Text("键的位置 $n$", "key position $n$")
RELATIVE = Text("相对位置 $n-m$", "relative position $n-m$")
LOOKED_AT = Text("被看的词（键）", "looked at (key)")
