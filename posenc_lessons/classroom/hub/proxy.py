"""The hub's proxy in Python, with room for a class: ``python -m posenc_lessons.classroom.hub.proxy``.

By default it forwards ten requests at a time and gives each twenty seconds, including waiting. A page that
waits for its server to start is such a request, so thirty learners who sign in together would block it.
"""

from __future__ import annotations

import importlib

from tornado.httpclient import AsyncHTTPClient

AT_ONCE, SECONDS = 1000, 600.0

if __name__ == "__main__":
    AsyncHTTPClient.configure(
        None, max_clients=AT_ONCE, defaults={"connect_timeout": SECONDS, "request_timeout": SECONDS}
    )
    importlib.import_module("configurable_http_proxy.cli").main()
