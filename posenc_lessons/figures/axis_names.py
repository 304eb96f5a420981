"""The names of axes that several pictures share, with the letters that the lessons use."""

from __future__ import annotations

from posenc_lessons.language import Text

COLUMN = Text("列 $j$", "column $j$")  # i counts pairs of columns
POSITION = Text("位置 $p$", "position $p$")
QUERY_M, KEY_N = Text("查询的位置 $m$", "query position $m$"), Text("键的位置 $n$", "key position $n$")
QUERY_I, KEY_J = Text("查询位置 $i$", "query position $i$"), Text("键位置 $j$", "key position $j$")
DISTANCE_K = Text("距离 $k$", "distance $k$")
DISTANCE_IJ = Text("距离 $j-i$", "distance $j-i$")
LOOKING, LOOKED_AT = Text("在看的词（查询）", "looking (query)"), Text("被看的词（键）", "looked at (key)")
