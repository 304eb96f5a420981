"""The addresses that a server announces, for this machine only or for the network."""

from __future__ import annotations

import pytest

from posenc_lessons import serving

TO_A_CLASS = "Others on this network can open the address as shown"
BY_SSH = "ssh -L 8866:"


@pytest.fixture(autouse=True)
def no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "has_screen", lambda: False)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.53", "::1"])
def test_on_loopback_the_announcement_is_for_this_machine(
    host: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert serving.is_private(host)
    serving.announce("The page", host, 8866, serving.addresses(host, 8866, ""), browser=False)
    printed = capsys.readouterr().out
    assert TO_A_CLASS not in printed and BY_SSH in printed


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.20", "10.0.0.7", "172.16.5.5", "203.0.113.9"])
def test_other_hosts_are_announced_to_the_network(host: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Addresses of local networks are not loopback: others on the network can reach them."""
    assert not serving.is_private(host)
    serving.announce("The page", host, 8866, serving.addresses(host, 8866, ""), browser=False)
    printed = capsys.readouterr().out
    assert TO_A_CLASS in printed and "防火墙" in printed and BY_SSH not in printed


def test_0_0_0_0_means_all_addresses_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "_own_addresses", lambda: ["192.168.1.20", "10.0.0.7"])
    both = ["http://192.168.1.20:80/p", "http://10.0.0.7:80/p"]
    assert serving.addresses("0.0.0.0", 80, "p") == both
    assert serving.addresses("192.168.1.20", 80, "p") == both[:1]
    assert serving.addresses("::1", 80, "p") == ["http://[::1]:80/p"]
