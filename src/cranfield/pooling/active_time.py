"""How long an assessor was at work on a document, which is not how long it was on the screen."""

from __future__ import annotations

IDLE_AFTER = 120.0
"""Seconds without a sign of life after which nobody is taken to be reading any more."""


class ActiveTime:
    """A watch that runs while there are signs of life. Whoever has it says what time it is, in seconds of any clock.

    >>> watch = ActiveTime(idle_after=60)
    >>> watch.begin(0)
    >>> watch.sign(10)  # a key at second 10, the next one five minutes later
    >>> watch.sign(310)  # of which 60 seconds count
    >>> watch.pause(315)
    >>> watch.resume(400)
    >>> watch.milliseconds(402)  # 10 + 60 + 5 + 2 seconds
    77000
    """

    def __init__(self, idle_after: float = IDLE_AFTER) -> None:
        self.idle_after = idle_after
        self._counted = 0.0
        self._since: float | None = None

    def begin(self, now: float) -> None:
        """Another document is shown."""
        self._counted, self._since = 0.0, now

    def sign(self, now: float) -> None:
        """The assessor did something; if the watch stood still, it runs again."""
        self._counted += self._running(now)
        self._since = now

    def pause(self, now: float) -> None:
        """The assessor turned to something else."""
        self._counted += self._running(now)
        self._since = None

    def resume(self, now: float) -> None:
        """The assessor is back."""
        self.sign(now)

    def milliseconds(self, now: float) -> int:
        """What has been counted since the document was shown."""
        return round(1000 * (self._counted + self._running(now)))

    def _running(self, now: float) -> float:
        return 0.0 if self._since is None else min(max(now - self._since, 0.0), self.idle_after)
