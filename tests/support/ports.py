"""Ports of 127.0.0.1 that stay free until they are used, even if many processes look for one.

If a free port from the system is released for a server, another process may get it first. The ports here are
below those that systems give, and each process begins at a different one.
"""

import itertools
import os
import socket

PORTS = range(10_000, 20_000)
_numbers = itertools.count(997 * os.getpid())


def free_port() -> int:
    """Return an unused port; processes with neighbouring numbers begin a thousand ports apart."""
    for number in itertools.islice(_numbers, len(PORTS)):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", PORTS[number % len(PORTS)]))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise RuntimeError(f"none of {PORTS} is free")


def kernels_have_them() -> None:
    """Give five of these ports to each kernel that this process starts, instead of Jupyter's choice."""
    from jupyter_client.connect import LocalPortCache

    LocalPortCache.find_available_port = lambda cache, ip: free_port()  # type: ignore[method-assign, assignment]
