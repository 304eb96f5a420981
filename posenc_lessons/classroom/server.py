"""Voilà for the explorers' page: kernels forked where that can be, learners held apart, left pages let go.

``python -m posenc_lessons.classroom.server NOTEBOOK --Explorers.learners=30`` takes all of Voilà's options.
``posenc-lessons explore`` starts it.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import uuid
from pathlib import Path
from typing import Any

from jupyter_server._tz import utcnow
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from tornado.web import HTTPError
from traitlets import Bool, Integer, default
from traitlets.config import Config
from voila.app import Voila  # type: ignore[import-untyped]

from posenc_lessons.classroom import forked
from posenc_lessons.classroom.channels import for_our_pages
from posenc_lessons.classroom.settings import (
    CHECKED_EVERY,
    FORKS,
    IDLE,
    LEFT,
    PAGE_EXTENSIONS,
    PAGES_PER_LEARNER,
)
from posenc_lessons.classroom.templates import compile_once
from posenc_lessons.language import Text
from posenc_lessons.serving import address_of, is_private

FULL = Text(
    "这台服务器已经打开了 {pages} 个页面，不能再多。请关掉不用的，过几分钟再试。",
    "This server has {pages} pages open and takes no more. Close those not in use, then try again in a few "
    "minutes.",
)
PATIENCE = 60  # seconds that a page waits for its widgets
# One thread each, since the tables are small and thirty share a few cores; and no GPU, which takes more
# memory for each than all else, and a process that has used one can be forked no more.
FOR_A_CLASS = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    "CUDA_VISIBLE_DEVICES": "",
    "POSENC_LESSONS_TRAINING": "off",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",  # a debugger that nobody uses would advise on its use
}


class Kernels(AsyncMappingKernelManager):
    """The kernels of all pages; none that nobody uses stays for long."""

    cull_idle_timeout = Integer(LEFT, config=True, help="Seconds a kernel lives on without a page.")
    cull_connected_timeout = Integer(IDLE, config=True, help="… with a page that is not used.")
    cull_interval = Integer(CHECKED_EVERY, config=True, help="Seconds between two looks.")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        assert isinstance(self.parent, Explorers)
        self.learners = self.parent.learners
        self.folder = Path(self.connection_dir)
        self.environment = _environment(self.folder, self.learners)
        self.nursery: forked.Nursery | None = None
        if self.parent.forked:
            self.nursery = forked.Nursery(self.environment)  # now: it loads while the browser opens
            self.kernel_manager_class = "posenc_lessons.classroom.forked.ForkedKernelManager"

    async def _async_start_kernel(self, **kwargs: Any) -> str:
        pages = len({*self._kernels, *self._pending_kernels})  # those that are being started too
        if self.learners and pages >= PAGES_PER_LEARNER * self.learners:
            full = FULL.format(pages=pages)
            raise HTTPError(503, f"{full.zh}\n{full.en}")
        kwargs["kernel_id"] = kernel_id = kwargs.get("kernel_id") or str(uuid.uuid4())
        # Voilà's own has the whole address in it, the key too.
        kwargs["env"] = dict(self.environment)
        if self.learners:
            own = self.folder / kernel_id
            own.mkdir()
            kwargs |= {"path": None, "cwd": str(own)}
            kwargs["env"]["POSENC_LESSONS_HOME"] = str(own)
        try:
            return await super()._async_start_kernel(**kwargs)
        except BaseException:  # a page that was closed meanwhile, too
            self._tidy_up(kernel_id)
            raise

    start_kernel = _async_start_kernel  # type: ignore[assignment]

    def remove_kernel(self, kernel_id: str) -> Any:
        removed = super().remove_kernel(kernel_id)
        self._tidy_up(kernel_id)
        return removed

    def _tidy_up(self, kernel_id: str) -> None:
        own = self.folder / kernel_id
        if own.is_dir():
            shutil.rmtree(own)

    def start_watching_activity(self, kernel_id: str) -> None:
        """As the parent class does, without unpacking every message: that was a quarter of all the work."""
        kernel = self._kernels[kernel_id]
        kernel.reason, kernel.last_activity = "", utcnow()
        kernel._activity_stream = kernel.connect_iopub()
        kernel._activity_stream.on_recv(lambda parts: _note(kernel, parts))

    def notify_disconnect(self, kernel_id: str) -> None:
        """A page that was read for an hour and then loses its connection has as long as any to come back."""
        super().notify_disconnect(kernel_id)
        if kernel_id in self:
            self._kernels[kernel_id].last_activity = utcnow()

    async def cull_kernel_if_idle(self, kernel_id: str) -> None:
        kernel = self._kernels[kernel_id]
        connected = self._kernel_connections.get(kernel_id, 0) > 0
        patience = self.cull_connected_timeout if connected else self.cull_idle_timeout
        idle = (utcnow() - kernel.last_activity).total_seconds()
        if kernel.execution_state == "dead" or (idle > patience and kernel.execution_state != "busy"):
            await self.shutdown_kernel(kernel_id)


def _note(kernel: Any, parts: list[bytes]) -> None:
    """What a kernel publishes says whether it is busy, under a topic of its own, or is for the page."""
    if parts[0].endswith(b".status"):
        kernel.execution_state = json.loads(parts[-1])["execution_state"]
    else:
        kernel.last_activity = utcnow()


def _environment(folder: Path, learners: int) -> dict[str, str]:
    """Of every kernel. The key to the server is not in it."""
    shared = {name: value for name, value in os.environ.items() if name != "JUPYTER_TOKEN"}
    if learners:
        # What the teacher has set up or chosen on this machine is not the learners'.
        shared |= {**FOR_A_CLASS, "IPYTHONDIR": str(folder / "ipython"), "POSENC_LESSONS_HOME": str(folder)}
    return shared


class Explorers(Voila):
    """The server of the explorers' page."""

    learners = Integer(0, config=True, help="How many are expected in a class; 0 for one reader.")
    forked = Bool(config=True, help="Fork kernels from one process that has all loaded.")

    @default("forked")
    def _forked_for_a_class(self) -> bool:
        return FORKS and self.learners > 0  # one reader has no use for a process kept ready for others

    @default("config")
    def _our_kernels(self) -> Config:
        ours = {
            "multi_kernel_manager_class": Kernels,
            "extension_allowlist": list(PAGE_EXTENSIONS),
            # An address cannot ask for another page: this one fetches nothing from elsewhere.
            "allow_template_override": "NO",
            "allow_theme_override": "NO",
        }
        # While thirty arrive a page may wait longer for its own words than the 4 seconds after which it would
        # be sent without them.
        return Config({"VoilaConfiguration": ours, "VoilaExecutor": {"iopub_timeout": PATIENCE}})

    def initialize(self, argv: Any = None) -> None:
        super().initialize(argv)
        # What is not printed need not be put together: several lines for each message of each kernel.
        self.log.setLevel(self.log_level)

    def init_settings(self) -> dict[str, Any]:
        # Voilà answers to any name; a server for this machine alone, to none that was made to point at it.
        alone = is_private(address_of(self.ip or "0.0.0.0"))
        return {**super().init_settings(), "allow_remote_access": not alone}

    def init_handlers(self) -> list[Any]:
        return for_our_pages(super().init_handlers())

    def stop(self) -> None:
        """End all kernels at once: what they hold is not worth a goodbye."""
        if self.kernel_manager.nursery is None:
            super().stop()
        else:
            self.kernel_manager.nursery.close()
            shutil.rmtree(self.connection_dir)


def main() -> None:
    """Serve until stopped."""
    compile_once()
    # Tornado, told of Jupyter's patience in milliseconds, takes them for seconds and says so at each page.
    logging.getLogger("tornado.general").setLevel(logging.ERROR)
    Explorers.launch_instance()


if __name__ == "__main__":
    main()
