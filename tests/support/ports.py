"""Ports of 127.0.0.1 that stay free until they are used, however many processes look for one at once.

A port that the system gives to whoever asks for any, and that is left again for a server to take, may be
given to another process meanwhile. These are below those that systems give, and processes begin apart.
"""

from __future__ import annotations

import itertools
import os
import socket

PORTS = range(10_000, 20_000)
_numbers = itertools.count(997 * os.getpid())


def free_port() -> int:
    """A port that nobody uses now; processes with neighbouring numbers begin a thousand ports apart."""
    for number in itertools.islice(_numbers, len(PORTS)):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", PORTS[number % len(PORTS)]))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise RuntimeError(f"none of {PORTS} is free")


def kernels_have_them() -> None:
    """Kernels that this process starts get such ports, five each; Jupyter would ask the system for any."""
    from jupyter_client.connect import LocalPortCache

    LocalPortCache.find_available_port = lambda cache, ip: free_port()  # type: ignore[method-assign, assignment]
