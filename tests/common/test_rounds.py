"""Rounds go on whatever happens in one of them, and come when nobody foresees it."""

import pytest

from common.tasks import Rounds


class Acts:
    """What each round comes to; the last one ends the rounds."""

    def __init__(self, *comes_to: bool | Exception) -> None:
        self.comes_to = list(comes_to)
        self.count = 0
        self.rounds = Rounds(self, seconds=0.001)

    def __call__(self) -> bool:
        result = self.comes_to[self.count]
        self.count += 1
        if self.count == len(self.comes_to):
            self.rounds.stop()
        if isinstance(result, Exception):
            raise result
        return result


class TestRounds:
    def test_go_on_after_one_that_failed(self, caplog: pytest.LogCaptureFixture) -> None:
        acts = Acts(ValueError("no database"), False, True)
        acts.rounds.start()
        acts.rounds.join()
        assert acts.count == 3
        assert "no database" in caplog.text

    def test_come_more_slowly_after_failures_and_as_before_after_a_success(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        acts = Acts(False, False, True, True)
        waits: list[float] = []

        def wait(seconds: float) -> bool:
            waits.append(seconds)
            return acts.count == len(acts.comes_to)

        monkeypatch.setattr(acts.rounds, "_wait", wait)
        monkeypatch.setattr(acts.rounds, "_draw", lambda: 1.0)
        # In a thread of its own, which has none of the test's connections.
        acts.rounds.start()
        acts.rounds.join()
        assert waits == [0.001, 0.002, 0.004, 0.001, 0.001]

    def test_no_two_pauses_are_alike(self) -> None:
        rounds = Rounds(bool, seconds=1)
        shares = {rounds._draw() for _ in range(100)}
        assert len(shares) == 100
        assert 0.5 <= min(shares) < 0.7 < 1.3 < max(shares) <= 1.5
