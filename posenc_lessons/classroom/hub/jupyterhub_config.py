"""JupyterHub for one class on one machine: each learner signs in to a JupyterLab with a copy of the lessons.

    python -m posenc_lessons.classroom.hub        the same as: jupyterhub --config THIS FILE

Other settings are JupyterHub's own options after the command, such as ``--url=http://0.0.0.0:8000`` or
``--Spawner.mem_limit=4G``. These variables in the environment are read here:

POSENC_HUB_PASSWORD          the class's password: letters, digits and signs of a keyboard, 8 or more
POSENC_HUB_TEACHER_PASSWORD  if set, "teacher" signs in with it and may see and stop servers; 32 or more
POSENC_HUB_ACCOUNTS=1        instead of passwords for all: learners are accounts of this machine (needs root)
POSENC_HUB_FOLDER            where the hub and the class keep their files (./posenc_lessons_hub)
POSENC_HUB_IDLE_MINUTES      after how long unused kernels, then servers, are closed (60; 0 for never)
POSENC_HUB_ALLOW_ROOT=1      let everybody in the class be root: only in a container made to be thrown away

With one password for all, every learner's code runs as the account that started the hub. Each learner has a
separate copy, but anyone in the class can read and change all files of that account, so use an account made
for the class. Learners are protected from each other only if each has an account of the machine.
"""

from __future__ import annotations

import itertools
import os
import re
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from posenc_lessons.classroom.hub.spawners import AsAccount, AsOneAccount
from posenc_lessons.course.lessons import PACKAGE
from posenc_lessons.language import BilingualRuntimeError

if TYPE_CHECKING:
    from traitlets.config import get_config  # JupyterHub defines this name when it runs the file

assert sys.platform != "win32", "JupyterHub does not run on Windows"
import fcntl  # noqa: E402

HERE = PACKAGE / "classroom" / "hub"
SHORTEST, SHORTEST_TEACHER = 8, 32  # JupyterHub's limits, checked here for messages in both languages


def password(name: str, shortest: int) -> str:
    """Return the password in the environment variable ``name``; the hub does not start with a bad one."""
    secret = os.environ.get(name, "")
    if len(secret) < shortest:
        sys.exit(
            f"{name} must hold a password of at least {shortest} characters, it has {len(secret)}."
            f" For one session: read -rs {name} && export {name}\n"
            f"{name} 里要有至少 {shortest} 个字符的密码，现在是 {len(secret)} 个。"
            f"只在这次会话里设置：read -rs {name} && export {name}"
        )
    if not secret.isascii():  # JupyterHub compares passwords as ASCII and fails on any other
        sys.exit(
            f"{name} may hold letters a to z, digits and the signs of an English keyboard only.\n"
            f"{name} 只能用英文字母、数字和英文键盘上的符号。"
        )
    return secret


def own_folder(folder: Path) -> None:
    """Make ``folder`` if it is missing, and keep other hubs out of it as long as this process lives.

    A second hub there, started by mistake, would end the first hub's proxy as a leftover of an earlier run.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        held = os.open(
            folder / "in_use", os.O_CREAT | os.O_RDWR, 0o600
        )  # never closed: closing it would let others in
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(
            f"A hub is running in {folder} already. Use that one, or stop it first with Ctrl+C.\n"
            f"{folder} 里已经有一个服务在运行。请用那一个，或者先按 Ctrl+C 把它停下。"
        )
    except OSError as error:
        sys.exit(
            f"{folder} cannot be used ({error.strerror}). Name a folder of your own in POSENC_HUB_FOLDER.\n"
            f"{folder} 用不了（{error.strerror}）。请在 POSENC_HUB_FOLDER 里写一个自己的文件夹。"
        )


def idle_seconds() -> int:
    """Return POSENC_HUB_IDLE_MINUTES in seconds; an hour if it is not set, 0 for never."""
    said = os.environ.get("POSENC_HUB_IDLE_MINUTES") or "60"
    if not re.fullmatch(r"\d{1,6}(\.\d+)?", said, re.ASCII):
        sys.exit(
            f"POSENC_HUB_IDLE_MINUTES is a number of minutes, such as 90, not {said!r}.\n"
            f"POSENC_HUB_IDLE_MINUTES 是分钟数，例如 90，不能是 {said!r}。"
        )
    return round(60 * float(said))


PORTS = itertools.cycle(range(20_000, 30_000))  # below the ports that systems choose themselves


def own_port(spawner: Any) -> None:
    """Give each server a port that no other server has got.

    By default the hub asks the system for a free port and passes it on. When thirty servers start together,
    two sometimes get the same port, and one learner reaches the other's server.
    """
    for port in itertools.islice(PORTS, 10_000):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        spawner.port = port
        return
    raise BilingualRuntimeError("20000 到 29999 没有空闲的端口", "no free port from 20000 to 29999")


c = get_config()

folder = Path(os.environ.get("POSENC_HUB_FOLDER") or "posenc_lessons_hub").absolute()
is_root = os.geteuid() == 0

# The hub. Without --url, only this machine can reach it.
c.JupyterHub.bind_url = "http://127.0.0.1:8000"
c.JupyterHub.db_url = f"sqlite:///{folder / 'jupyterhub.sqlite'}"
c.JupyterHub.cookie_secret_file = str(folder / "jupyterhub_cookie_secret")
c.JupyterHub.template_paths = [str(HERE / "templates")]
c.ConfigurableHTTPProxy.pid_file = str(folder / "proxy.pid")
c.ConfigurableHTTPProxy.command = [sys.executable, "-m", "posenc_lessons.classroom.hub.proxy"]

# Sign-in, and the account that runs a learner's code.
if os.environ.get("POSENC_HUB_ACCOUNTS") == "1":
    if not is_root:
        sys.exit(
            "POSENC_HUB_ACCOUNTS=1 starts each server as its learner's own account, which only root may do.\n"
            "POSENC_HUB_ACCOUNTS=1 要以每位学员自己的系统账户启动服务，只有 root 才能这样做。"
        )
    c.JupyterHub.authenticator_class = "pam"
    c.JupyterHub.spawner_class = AsAccount
    c.Authenticator.blocked_users = {"root"}
else:
    if is_root and os.environ.get("POSENC_HUB_ALLOW_ROOT") != "1":
        sys.exit(
            "With one password for the class, every learner's code would run as root. Start the hub from an"
            " account made for the class, or set POSENC_HUB_ACCOUNTS=1 where learners have accounts here.\n"
            "全班共用一个密码时，每位学员的代码都会以 root 身份运行。请换成专为这个班建的账户来启动；"
            "学员在这台机器上各有账户的，设置 POSENC_HUB_ACCOUNTS=1。"
        )
    c.JupyterHub.authenticator_class = "shared-password"
    c.SharedPasswordAuthenticator.user_password = password("POSENC_HUB_PASSWORD", SHORTEST)
    if "POSENC_HUB_TEACHER_PASSWORD" in os.environ:
        c.SharedPasswordAuthenticator.admin_password = password(
            "POSENC_HUB_TEACHER_PASSWORD", SHORTEST_TEACHER
        )
        if c.SharedPasswordAuthenticator.admin_password == c.SharedPasswordAuthenticator.user_password:
            sys.exit("The teacher's password must differ from the class's.\n老师的密码和班级密码不能相同。")
        c.Authenticator.admin_users = {"teacher"}
    # A name becomes a folder: letters of any script and digits, with . _ - and single spaces between them.
    c.Authenticator.username_pattern = r"(?=.{1,32}\Z)\w+(?:[ ._-]\w+)*\Z"
    c.JupyterHub.spawner_class = AsOneAccount
    homes = str(folder / "learners").replace("{", "{{").replace("}", "}}")
    c.SimpleLocalProcessSpawner.home_dir_template = homes + "/{username}"
c.Authenticator.allow_all = True  # anyone with the password, or with an account here

# Each learner's server.
c.Spawner.cmd = [sys.executable, "-m", "posenc_lessons.classroom.hub.learner"]
c.Spawner.pre_spawn_hook = own_port
c.Spawner.notebook_dir = "~/posenc_lessons_course"
c.Spawner.default_url = "/lab/tree/00_start_here.ipynb"
c.Spawner.start_timeout = c.Spawner.http_timeout = 120  # thirty servers at once start slowly on few cores
c.Spawner.mem_limit = "2G"  # for the server and for each kernel
c.Spawner.environment = {
    "OMP_NUM_THREADS": "1",  # many learners already use all cores
    "JUPYTER_PREFER_ENV_PATH": "1",  # the kernel is that of this Python
    # JupyterLab without news, search for updates, and nbgrader's tools for teachers.
    "JUPYTER_CONFIG_PATH": str(HERE / "jupyter"),
    "JUPYTER_PATH": str(PACKAGE / "course" / "jupyter"),  # JupyterLab's extension for the lessons
}
idle = idle_seconds()
c.Spawner.args = [
    # The classic notebook's old settings: JupyterLab has no use for them, and they print a warning.
    "--ServerApp.jpserver_extensions=notebook_shim=False",
    # A busy kernel stays; an idle one is closed even if its page is still open, because every open lesson has
    # a kernel. The text of notebooks is kept.
    f"--MappingKernelManager.cull_idle_timeout={idle}",
    f"--MappingKernelManager.cull_interval={max(1, idle // 12)}",
    "--MappingKernelManager.cull_connected=True",
    # A server without kernels and open pages ends, and starts again when its learner comes back.
    f"--ServerApp.shutdown_no_activity_timeout={idle}",
]
if is_root and c.JupyterHub.spawner_class is AsOneAccount:
    c.Spawner.args.append("--ServerApp.allow_root=True")

own_folder(folder)  # last, so that a hub that does not start leaves no folder
