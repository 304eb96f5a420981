"""The configuration of the hub for a larger class, on one machine and on a cluster."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip(
    "jupyterhub", reason="the hub wants the extra, which is not for Windows: pip install -e '.[classroom]'"
)

import yaml
from jupyterhub.authenticators.shared import SharedPasswordAuthenticator
from jupyterhub.spawner import Spawner
from traitlets.config import Config, PyFileConfigLoader

from posenc_lessons.classroom.hub.spawners import AsAccount
from posenc_lessons.course.lessons import PACKAGE
from posenc_lessons.language import HAN
from tests.classroom.hub import PASSWORD

CONFIG = PACKAGE / "classroom" / "hub" / "jupyterhub_config.py"


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Config]:
    """Read the configuration as JupyterHub does, with these environment variables and as this user."""
    for name in [name for name in os.environ if name.startswith("POSENC_HUB_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("POSENC_HUB_FOLDER", str(tmp_path / "hub"))

    def read(user: int = 1000, **variables: str) -> Config:
        monkeypatch.setattr(os, "geteuid", lambda: user)
        for name, value in variables.items():
            monkeypatch.setenv(f"POSENC_HUB_{name}", value)
        return PyFileConfigLoader(CONFIG.name, str(CONFIG.parent)).load_config()

    return read


@pytest.mark.parametrize(
    ("user", "variables", "words"),
    [
        (1000, {}, "it has 0"),
        (1000, {"PASSWORD": "7 signs"}, "it has 7"),
        (1000, {"PASSWORD": "八个字的班级密码"}, "English keyboard"),
        (1000, {"PASSWORD": PASSWORD, "TEACHER_PASSWORD": PASSWORD}, "at least 32"),
        (1000, {"PASSWORD": "t" * 32, "TEACHER_PASSWORD": "t" * 32}, "must differ"),
        (1000, {"ACCOUNTS": "1"}, "only root may do"),
        (0, {"PASSWORD": PASSWORD}, "would run as root"),
        (1000, {"PASSWORD": PASSWORD, "IDLE_MINUTES": "an hour"}, "number of minutes"),
        (1000, {"PASSWORD": PASSWORD, "IDLE_MINUTES": "-1"}, "number of minutes"),
    ],
)
def test_a_hub_that_cannot_start_says_why_in_both_languages(
    user: int, variables: dict[str, str], words: str, load: Callable[..., Config]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        load(user, **variables)
    english, _, chinese = str(stopped.value).partition("\n")
    assert words in english and not HAN.search(english) and HAN.search(chinese)
    assert PASSWORD not in english + chinese
    assert not Path(os.environ["POSENC_HUB_FOLDER"]).exists()


def test_a_folder_that_cannot_be_used_is_named(load: Callable[..., Config], tmp_path: Path) -> None:
    (tmp_path / "hub").touch()
    with pytest.raises(SystemExit, match=rf"{tmp_path}/hub cannot be used[\s\S]*{tmp_path}/hub 用不了"):
        load(PASSWORD=PASSWORD)


def test_a_second_hub_leaves_the_first_alone(load: Callable[..., Config]) -> None:
    load(PASSWORD=PASSWORD)
    with pytest.raises(SystemExit, match=r"running in .* already[\s\S]*已经有一个服务在运行"):
        load(PASSWORD=PASSWORD)


def test_zero_idle_minutes_mean_forever(load: Callable[..., Config]) -> None:
    arguments = load(PASSWORD=PASSWORD, IDLE_MINUTES="0").Spawner.args
    assert "--MappingKernelManager.cull_idle_timeout=0" in arguments
    assert "--ServerApp.shutdown_no_activity_timeout=0" in arguments


def test_only_this_machine_can_reach_the_hub_by_default(load: Callable[..., Config]) -> None:
    config = load(PASSWORD=PASSWORD)
    assert config.JupyterHub.bind_url == "http://127.0.0.1:8000"
    assert "allow_root" not in " ".join(config.Spawner.args)
    assert "admin_users" not in config.Authenticator


def test_the_teacher_may_have_a_password(load: Callable[..., Config]) -> None:
    config = load(PASSWORD=PASSWORD, TEACHER_PASSWORD="t" * 32)
    assert config.Authenticator.admin_users == {"teacher"}
    assert config.SharedPasswordAuthenticator.admin_password == "t" * 32
    door = SharedPasswordAuthenticator(config=config)

    def enters(name: str, password: str) -> bool:
        form = {"username": name, "password": password}
        return asyncio.run(door.get_authenticated_user(None, form)) is not None

    assert enters("ana", PASSWORD) and enters("teacher", "t" * 32)
    for name in ("teacher", "Teacher", "TEACHER"):
        assert not enters(name, PASSWORD), "a learner, let in as the teacher"


def test_learners_with_accounts_need_no_password_of_the_class(load: Callable[..., Config]) -> None:
    config = load(0, ACCOUNTS="1")
    assert (config.JupyterHub.authenticator_class, config.JupyterHub.spawner_class) == ("pam", AsAccount)
    assert config.Authenticator.blocked_users == {"root"}
    assert "allow_root" not in " ".join(config.Spawner.args)


@pytest.mark.parametrize(
    "name", ["ana", "小明", "zoë b.", "li-na_2", "o'neil", "a" * 33, "..", "a/b", "", " a"]
)
def test_a_name_becomes_a_folder(name: str, load: Callable[..., Config]) -> None:
    pattern = re.compile(load(PASSWORD=PASSWORD).Authenticator.username_pattern)
    assert bool(pattern.match(name)) == (name in {"ana", "小明", "li-na_2"})


def test_no_two_servers_get_the_same_port(load: Callable[..., Config]) -> None:
    give = load(PASSWORD=PASSWORD).Spawner.pre_spawn_hook
    servers = [type("Spawner", (), {"port": 0})() for _ in range(200)]
    for server in servers:
        give(server)
    ports = {server.port for server in servers}
    assert len(ports) == 200 and 0 not in ports


# From values.schema.yaml of Zero to JupyterHub 4.4.0; hub.config contains classes and their traits.
CHART_KEYS = {
    "hub.config",
    *(f"singleuser.{key}" for key in ("image.name", "image.tag", "cmd", "defaultUrl", "startTimeout")),
    *(f"singleuser.{key}" for key in ("memory.limit", "memory.guarantee", "cpu.limit", "cpu.guarantee")),
    *("singleuser.storage.capacity", "singleuser.extraEnv", "cull.enabled", "cull.timeout"),
}


def chart_keys(values: dict[str, Any], above: str = "") -> set[str]:
    """Return the dotted names of all keys that ``values`` sets; a free-form table counts as one key."""
    found: set[str] = set()
    for name, value in values.items():
        key = f"{above}{name}"
        deeper = isinstance(value, dict) and key not in {"hub.config", "singleuser.extraEnv"}
        found |= chart_keys(value, f"{key}.") if deeper else {key}
    return found


def test_a_cluster_has_the_same_settings_as_one_machine(load: Callable[..., Config]) -> None:
    values = yaml.safe_load((CONFIG.parent / "kubernetes.yaml").read_text(encoding="utf-8"))
    assert chart_keys(values) == CHART_KEYS
    config, learner, classes = load(PASSWORD=PASSWORD), values["singleuser"], values["hub"]["config"]
    spawner, idle = classes["KubeSpawner"], values["cull"]["timeout"]
    for trait in spawner:  # KubeSpawner is a Spawner
        assert Spawner.class_traits()[trait], trait
    assert classes["JupyterHub"]["authenticator_class"] == config.JupyterHub.authenticator_class
    assert classes["Authenticator"] == {
        name: config.Authenticator[name] for name in ("allow_all", "username_pattern")
    }
    assert "user_password" not in str(values), "no password in a file that is handed on"
    assert learner["cmd"][1:] == config.Spawner.cmd[1:]
    assert spawner["notebook_dir"] == config.Spawner.notebook_dir
    assert learner["defaultUrl"] == config.Spawner.default_url
    assert learner["startTimeout"] == spawner["http_timeout"] == config.Spawner.start_timeout
    assert learner["memory"]["limit"] == config.Spawner.mem_limit
    stopping = f"--ServerApp.shutdown_no_activity_timeout={idle}"  # the chart has its own culler
    assert [*spawner["args"], stopping] == config.Spawner.args
    inside = {
        name: value.replace("/srv/posenc_lessons/posenc_lessons", str(PACKAGE))
        for name, value in learner["extraEnv"].items()
    }
    assert inside == config.Spawner.environment
