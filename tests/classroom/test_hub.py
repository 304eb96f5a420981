"""The hub for a larger class, started for real on loopback: two learners, each with their own lessons."""

from __future__ import annotations

import html
import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip(
    "jupyterhub", reason="the hub wants the extra, which is not for Windows: pip install -e '.[classroom]'"
)

import websocket

from posenc_lessons.course.lessons import shipped_lessons
from tests.classroom.hub import LESSON, PASSWORD, Hub, Learner, running
from tests.support.pace import patience, wait_until


def test_two_learners_in_a_class(tmp_path: Path) -> None:
    """This is one test with several steps, because a hub takes seconds to start."""
    with running(tmp_path) as hub:
        the_login_page_speaks_both_languages(hub)
        a_wrong_password_or_an_odd_name_stays_outside(hub)
        ana, ming = Learner(hub.address, "ana"), Learner(hub.address, "小明")
        with ana.session, ming.session:
            with ThreadPoolExecutor(2) as both:
                list(both.map(Learner.sign_in, (ana, ming)))
            for learner in (ana, ming):
                each_arrives_at_the_first_lesson(learner)
            the_other_pages_speak_both_languages(ana)
            what_one_writes_is_theirs_alone(ana, ming, hub.folder)
            a_kernel_runs_the_lessons_within_its_limits(ana, hub.folder)
            page = ana.channel()  # stays open, but its kernel is not used
            too_large_a_tensor_is_an_error_of_one_notebook(ming)
            who_cannot_have_a_copy_is_told_at_once(hub)
            kernels_that_nobody_uses_are_closed(ana, page)
            a_server_that_was_closed_is_opened_again(ana)


def a_server_that_was_closed_is_opened_again(learner: Learner) -> None:
    home = learner.get("/hub/home").text
    (xsrf,) = re.findall(r'xsrf_token: "([^"]+)"', home)
    server = f"{learner.hub}/hub/api/users/{learner.name}/server"
    asked = {"X-XSRFToken": xsrf, "Referer": f"{learner.hub}/hub/home"}
    assert learner.session.delete(server, headers=asked, timeout=patience()).status_code in (202, 204)
    page = learner.get_when("课程已收起 · Your lessons are put away", f"{learner.home}lab")
    assert "打开课程 · Open the lessons" in page and "Nobody was using them" in page
    (button,) = re.findall(r'id="start"[^>]*href="([^"]+)"', page)
    learner.arrive(learner.get(html.unescape(button)))
    assert learner.lesson()["cells"][0]["source"] == "Ana was here."


def who_cannot_have_a_copy_is_told_at_once(hub: Hub) -> None:
    (hub.folder / "learners" / "bo").mkdir()
    (hub.folder / "learners" / "bo" / "posenc_lessons_course").touch()  # a file in place of the folder
    bo = Learner(hub.address, "bo")
    with bo.session:
        bo.enter(PASSWORD)
        page = bo.get_when("没能启动 · It did not start", "/hub/spawn-pending/bo")
        assert "日志里。 · The lessons did not open" in page


def the_login_page_speaks_both_languages(hub: Hub) -> None:
    nobody = Learner(hub.address, "")
    with nobody.session:
        page = nobody.get("/hub/login").text
    assert "名字 · Name:" in page and "密码 · Password:" in page and "登录 · Sign in" in page
    assert "没有加密" in page and "显示密码 · Show password" in page


def the_other_pages_speak_both_languages(learner: Learner) -> None:
    home = learner.get("/hub/home").text
    assert "打开课程 · Open my lessons" in home and "收起课程 · Put my lessons away" in home
    assert "退出 · Logout" in home


def a_wrong_password_or_an_odd_name_stays_outside(hub: Hub) -> None:
    tries = {"ana": "not the password", "bo": "", "..": PASSWORD, "a/b": PASSWORD, "a  b": PASSWORD}
    for name, password in tries.items():
        stranger = Learner(hub.address, name)
        with stranger.session:
            answer = stranger.enter(password)
            assert answer.status_code == 403
            assert "名字或密码不对 · Invalid username or password" in answer.text
            assert "最多 32 个字符。 · A name has letters and digits" in answer.text
            home = stranger.get("/hub/home")
            assert home.url.startswith(f"{hub.address}/hub/login")
    assert not (hub.folder / "learners").exists()


def each_arrives_at_the_first_lesson(learner: Learner) -> None:
    original = json.loads((shipped_lessons() / LESSON).read_text(encoding="utf-8"))
    assert learner.arrived == f"{learner.home}lab/tree/{LESSON}"
    assert [cell["source"] for cell in learner.lesson()["cells"]] == [
        "".join(cell["source"]) for cell in original["cells"]
    ]


def what_one_writes_is_theirs_alone(ana: Learner, ming: Learner, folder: Path) -> None:
    changed = ana.lesson()
    changed["cells"][0]["source"] = "Ana was here."
    sent = {"type": "notebook", "format": "json", "content": changed}
    assert ana.ask("PUT", f"api/contents/{LESSON}", json=sent).status_code == 200
    assert ana.lesson()["cells"][0]["source"] == "Ana was here."
    assert ming.lesson()["cells"][0]["source"] != "Ana was here."
    assert "Ana was here." not in (shipped_lessons() / LESSON).read_text(encoding="utf-8")
    written = folder / "learners" / "ana" / "posenc_lessons_course" / LESSON
    assert "Ana was here." in written.read_text(encoding="utf-8")
    theirs = ana.get(f"{ming.home}api/contents/{LESSON}")
    assert theirs.status_code == 403 and "cells" not in theirs.text
    assert folder.stat().st_mode & 0o077 == 0  # other accounts of the machine cannot look into it


def a_kernel_runs_the_lessons_within_its_limits(learner: Learner, folder: Path) -> None:
    code = """
import os, resource, sys, torch, posenc_lessons
print(torch.get_num_threads(), resource.getrlimit(resource.RLIMIT_DATA)[0], sys.executable)
print("POSENC_HUB_PASSWORD" in os.environ, os.environ["HOME"])
"""
    first, second = printed(learner.run(code)).splitlines()
    assert first == f"1 {2 * 1024**3} {sys.executable}"
    assert second == f"False {folder / 'learners' / learner.name}"


def too_large_a_tensor_is_an_error_of_one_notebook(learner: Learner) -> None:
    if sys.platform != "linux":  # other systems do not enforce this limit
        return
    heard = learner.run("import torch\ntorch.ones(2**30)")  # 4 GiB
    (error,) = [one["content"] for one in heard if one["msg_type"] == "error"]
    assert "can't allocate memory" in error["evalue"]
    assert learner.lesson()["cells"]


def kernels_that_nobody_uses_are_closed(learner: Learner, page: websocket.WebSocket) -> None:
    assert page.connected
    wait_until(lambda: learner.ask("GET", "api/kernels").json() == [], every=0.3)
    page.close()
    assert learner.lesson()["cells"][0]["source"] == "Ana was here."  # the learner's text stays


def printed(heard: list[dict[str, Any]]) -> str:
    return "".join(one["content"]["text"] for one in heard if one["msg_type"] == "stream")
