"""JupyterHub's spawners for this machine, which also notice when a learner's server ends during its start."""

from __future__ import annotations

import asyncio

from jupyterhub.spawner import LocalProcessSpawner, SimpleLocalProcessSpawner

BETWEEN_LOOKS = 0.2  # seconds


class EndedAtOnce(Exception):
    """The error for a learner's server that ended before it answered; the hub's log has the reason."""

    # The message on the learner's page.
    jupyterhub_message = (
        "课程没能打开，原因写在服务的日志里。 · The lessons did not open; the hub's log says why."
    )
    jupyterhub_html_message = f'{jupyterhub_message}<br><a href="">再试一次 · Try again</a>'


class AsAccount(LocalProcessSpawner):
    """Each learner's server runs as the learner's account."""

    async def start(self) -> tuple[str, int]:
        """Start the server, wait until something listens and return its address. Raises EndedAtOnce.

        By default the hub asks until ``http_timeout``: if a server ended because the disk is full, its
        learner would read for two minutes that it is starting.
        """
        host, port = await super().start()
        while not await _listens(host, port):
            if await self.poll() is not None:
                raise EndedAtOnce(f"the server of {self.user.name} ended before it answered")
            await asyncio.sleep(BETWEEN_LOOKS)
        return host, port


class AsOneAccount(AsAccount, SimpleLocalProcessSpawner):
    """All learners' servers run as the account that runs the hub."""


async def _listens(host: str, port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection(host, port)
    except OSError:
        return False
    writer.close()
    await writer.wait_closed()
    return True
