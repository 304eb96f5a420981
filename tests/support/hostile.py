"""Texts that try to act as markup or code, for every text box, link and file name."""

MARK = "posencHostile"  # their scripts would leave this name on the page; their elements have it too

AS_MARKUP: dict[str, str] = {
    "script": f"<script>window.{MARK}=1</script>",
    "image": f"<img src=x id={MARK} onerror=window.{MARK}=1>",
    "svg": f"<svg id={MARK} onload=window.{MARK}=1><g></g></svg>",
    "link": f"<a id={MARK} href='javascript:window.{MARK}=1'>x</a>",
    "address": f"javascript:window.{MARK}=1",
    "out of a style": f"</style><script>window.{MARK}=1</script>",
    "out of a listing": f"</pre></code></textarea><b id={MARK}>b</b>",
    "out of an attribute": f"\"'><b id={MARK} autofocus onfocus=window.{MARK}=1 tabindex=0>b</b>",
    "escaped twice": f"&lt;b id={MARK}&gt;b&lt;/b&gt; &amp;lt; &#60;b&#62;",
    "comment": f"<!-- --!><b id={MARK}>b</b> -->",
    "cdata": f"<![CDATA[ ]]><b id={MARK}>b</b> ?>",
    "frame": f'<iframe id={MARK} srcdoc="<script>parent.{MARK}=1</script>"></iframe>',
    "math": f"<math id={MARK}><mtext><img src=x onerror=window.{MARK}=1></mtext></math>",
    "template": "{{7*7}} ${7*7} {% raw %} <%= 7*7 %>",
}
AS_FORMULA: dict[str, str] = {
    "formula": r"$x_$ $$ \frac{ \[ \begin{matrix} & \end",
    "formula with a link": rf"$\href{{javascript:window.{MARK}=1}}{{x}}$",
    "matplotlib": r"$\undefined{$ \$ ^_^ %",
}
AS_CODE: dict[str, str] = {
    "format": "{0.__class__} {position} {} {{ }} {!r} {self}",
    "percent": "%s %(x)s %n %x % 5",
    "quotes": "'\"\"\"'''\\' \\\" \\N{BULLET} \\x00 \\u2028",
    "end of a string": "'); import os; os._exit(3) #",
    "lines": "a\nb\r\nc\x0bd\x0ce\x85f\u2028g\u2029h",
}
AS_CHARACTERS: dict[str, str] = {
    "right to left": "abc \u202e gnp.exe \u202c \u2067 x \u2069 \u2066",
    "of no width": "a\u200bb\u200cc\u2060d\ufeffe\u00adf",
    "half": "a \ud800 b \udfff c",
    "zero byte": "a\x00b %00 ％00",
    "control": "a\x01\x08\x1b[31mb\x7f\x9f",
    "emoji": "👩‍👩‍👧‍👦" + "\u200d👩🏽‍🚀" * 200,
    "accents": "e" + "\u0301" * 500,
    "private": "\ue000 \U0010ffff \ufffe \uffff",
}
AS_PATH: dict[str, str] = {
    "upwards": "../../posenc_hostile",
    "upwards on Windows": "..\\..\\posenc_hostile.json",
    "from the root": "/tmp/posenc_hostile.json",
    "of a home": "~/posenc_hostile.json",
    "device": "CON",
    "device with an ending": "nul.json",
    "stream": "posenc_hostile.json:stream.json",
    "zero byte in a name": "posenc_hostile\x00.json",
    "url": "file:///tmp/posenc_hostile.json",
}
AS_NOTHING: dict[str, str] = {"empty": "", "blank": " \t\u3000"}
LONG = "长 " * 500_000

TEXTS: dict[str, str] = AS_MARKUP | AS_FORMULA | AS_CODE | AS_CHARACTERS | AS_PATH | {"long": LONG}
