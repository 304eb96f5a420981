"""Kernels that are forks of a nursery, seen from the server: how they are asked for, signalled and buried."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, cast

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning import LocalProvisioner
from jupyter_server.services.kernels.kernelmanager import ServerKernelManager
from traitlets import default

from posenc_lessons.classroom.nursery import LONGEST

PATIENCE = 5.0  # seconds that a nursery gets to leave by itself
LONGEST_SOCKET = 107  # bytes in the name of a socket, says Linux
LOST = -signal.SIGKILL  # the code of a kernel whose nursery is gone: it follows within a second


class Nursery:
    """The process that is forked, started at once; started again for the next kernel if it is gone.

    ``environment`` is its own and every kernel's.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = dict(environment)
        self._kernels: dict[int, ForkedProcess] = {}
        self._awaited: dict[str, asyncio.Future[ForkedProcess]] = {}
        self._listener: asyncio.Task[None] | None = None
        self._start()

    def _start(self) -> None:
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._channel.setblocking(False)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "posenc_lessons.classroom.nursery", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                env=self._environment,
                start_new_session=True,  # Ctrl+C is for the server, which then ends this in good order
            )

    @property
    def pid(self) -> int:
        """Of the process that is forked."""
        return self._process.pid

    async def kernel(
        self, connection_file: str, folder: str, environment: Mapping[str, str]
    ) -> ForkedProcess:
        """A new kernel that works in ``folder``; of ``environment``, what differs from the nursery's is set.

        Raises RuntimeError when the process to be forked ended before it could be.
        """
        if self._listener is not None and self._listener.done():
            self._process.wait()
            self._start()
            self._listener = None
        if self._listener is None:
            self._listener = asyncio.create_task(self._listen())
        born: asyncio.Future[ForkedProcess] = asyncio.get_running_loop().create_future()
        self._awaited[connection_file] = born
        own = {name: value for name, value in environment.items() if self._environment.get(name) != value}
        self._tell({"start": connection_file, "folder": folder, "environment": own})
        return await born

    def signal(self, pid: int, number: int) -> None:
        """Pass a signal on to the kernel and whatever it has started; nothing happens if it is gone."""
        self._tell({"signal": pid, "number": number})

    def close(self) -> None:
        """End every kernel and the nursery, now."""
        self._channel.close()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:  # it is still loading, say
            self._process.kill()
            self._process.wait()

    def _tell(self, order: dict[str, Any]) -> None:
        # The listener hears of its end as well, and says so to whoever waits.
        with suppress(BrokenPipeError, ConnectionResetError):
            self._channel.send(json.dumps(order).encode())

    async def _listen(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while message := await loop.sock_recv(self._channel, LONGEST):
                self._hear(json.loads(message))
        except ConnectionResetError:
            pass  # the same as an end
        finally:
            self._channel.close()
            for kernel in self._kernels.values():
                kernel.ended(LOST)
            self._kernels.clear()
            for born in self._awaited.values():
                if born.cancelled():  # whoever asked has left meanwhile
                    continue
                born.set_exception(RuntimeError("the process that kernels are forked from has ended"))
            self._awaited.clear()

    def _hear(self, news: dict[str, Any]) -> None:
        if "started" in news:
            pid = news["pid"]
            self._kernels[pid] = kernel = ForkedProcess(pid, self)
            born = self._awaited.pop(news["started"])
            if born.cancelled():  # whoever asked has left meanwhile
                kernel.kill()
            else:
                born.set_result(kernel)
        else:
            self._kernels.pop(news["ended"]).ended(news["code"])


class ForkedProcess:
    """As much of ``subprocess.Popen`` as a provisioner needs."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int, nursery: Nursery) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._nursery = nursery

    def ended(self, code: int) -> None:
        self.returncode = code

    def poll(self) -> int | None:
        return self.returncode

    def wait(self) -> int | None:
        """The exit code; asked only once there is one."""
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            self._nursery.signal(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)


class ForkedProvisioner(LocalProvisioner):
    """Has its kernel forked from ``nursery``."""

    nursery: Nursery

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        assert self.parent is not None
        connection_file = os.path.realpath(self.parent.connection_file)
        kernel = await self.nursery.kernel(connection_file, kwargs["cwd"], kwargs["env"])
        self.process: Any = kernel
        self.pid, self.cwd = kernel.pid, kwargs["cwd"]
        return self.connection_info


class ForkedKernelManager(ServerKernelManager):
    """One kernel's manager; its parent has the ``nursery``."""

    @default("transport")
    def _sockets_in_the_file_system(self) -> str:
        """Only this user's processes reach them, and thirty kernels need no 150 ports."""
        longest = f"{os.path.realpath(self.connection_file)}-ipc-5"
        return "ipc" if len(os.fsencode(longest)) <= LONGEST_SOCKET else "tcp"

    async def _async_pre_start_kernel(self, **kwargs: Any) -> tuple[list[str], dict[str, Any]]:
        if self.provisioner is None:
            kernel_id, kernels = kwargs.get("kernel_id"), cast(Any, self.parent)
            provisioner = ForkedProvisioner(parent=self, kernel_id=kernel_id, kernel_spec=self.kernel_spec)
            provisioner.nursery = kernels.nursery
            self.provisioner = provisioner
        prepared: tuple[list[str], dict[str, Any]] = await super()._async_pre_start_kernel(**kwargs)
        return prepared
