"""Drawing sessions: who asks for what and when, what they see, look at, click, read and buy; many at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cranfield.data.strings import Bools, Floats, Ints
from cranfield.logs.simulation.settings import Settings
from cranfield.logs.simulation.users import UserModel, behave
from cranfield.logs.simulation.world import World
from cranfield.stats.numbered_random import numbered_words
from cranfield.stats.random_stream import RandomStream

DAY_MS = 86_400_000
LOOK_MS = (500, 2500)
"""A look at a result takes from the first to the second, all equally likely."""
THINK_MS = (2000, 12_000)
"""So does the time from the end of reading a page to the next query."""
DWELL_SHAPE = 2.5
"""Of the log-logistic distribution of the time that users stay: the higher, the less it varies."""
LONGEST_DWELL_MS = 1_800_000


class Sessions(NamedTuple):
    """Which sessions are drawn: so many from a number on, which begin on one day."""

    first: int
    number: int
    day_ms: int
    chunk: int
    """Sessions that are drawn together have random numbers of their own."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """Pages that were shown; the first five by page, the others by page and rank."""

    number: Ints
    """Of the query among all that there could be."""
    session: Ints
    user: Ints
    text: Ints
    system: Ints
    """One more than there are: a page in random order."""
    results: Ints
    time_ms: Ints
    pair: Ints
    """-1 where nothing was shown."""
    looked: Bools
    clicked: Bools
    satisfied: Bools
    bought: Bools
    click_ms: Ints
    """From the query to the click, where there is one."""
    dwell_ms: Ints

    @classmethod
    def together(cls, parts: list[Drawn]) -> Drawn:
        """One after the other."""
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in cls.__dataclass_fields__))


def draw(world: World, users: UserModel, settings: Settings, sessions: Sessions) -> Drawn:
    """All pages of these sessions. The same settings and sessions always give the same pages."""
    stream = RandomStream(settings.seed << 32 | sessions.chunk)
    session = np.arange(sessions.first, sessions.first + sessions.number)
    user, topic = _users_and_topics(world, settings, sessions, stream)
    begins = sessions.day_ms + (DAY_MS * stream.uniform((2, sessions.number)).mean(axis=0)).astype(np.int64)
    text = _first_texts(world, settings, topic, stream)
    parts = list[Drawn]()
    for turn in range(settings.queries_per_session):
        number = session * settings.queries_per_session + turn
        part = _pages(world, users, settings, (number, session, user, text, begins), stream)
        parts.append(part)
        asks = ~part.satisfied.any(axis=1) & (stream.uniform((len(session),)) < settings.reformulation)
        ends = (part.time_ms + _reading(part) + _between(THINK_MS, stream.uniform((len(session),))))[asks]
        session, user, text, begins = session[asks], user[asks], _next_texts(world, text[asks]), ends
        if not len(session):
            break
    return Drawn.together(parts)


def _users_and_topics(world: World, settings: Settings, sessions: Sessions, stream: RandomStream) -> tuple[Ints, Ints]:
    """Users are equally likely; each has a topic of their own, to which they come back."""
    users = max(1, round(settings.sessions / settings.sessions_per_user))
    user = (stream.uniform((sessions.number,)) * users).astype(np.int64)
    words = numbered_words(np.full(1, settings.seed, dtype=np.uint64), user.astype(np.uint64))
    own = (words >> np.uint64(11)).astype(np.float64) / 2**53
    chance = np.where(stream.uniform((sessions.number,)) < settings.habit, own, stream.uniform((sessions.number,)))
    return user, np.minimum(np.searchsorted(world.topic_chance, chance, side="right"), len(world.topics) - 1)


def _first_texts(world: World, settings: Settings, topic: Ints, stream: RandomStream) -> Ints:
    most = int(np.diff(world.first_text).max())
    chance = np.cumsum(np.arange(1, most + 1) ** -settings.skew)
    there = world.first_text[topic + 1] - world.first_text[topic]
    way = np.searchsorted(chance, stream.uniform((len(topic),)) * chance[there - 1], side="right")
    return np.asarray(world.first_text[topic] + np.minimum(way, there - 1))


def _next_texts(world: World, text: Ints) -> Ints:
    """The next phrasing of the same topic; after the last one, the first."""
    topic = world.text_topic[text]
    return np.where(text + 1 < world.first_text[topic + 1], text + 1, world.first_text[topic])


def _pages(
    world: World,
    users: UserModel,
    settings: Settings,
    asked: tuple[Ints, Ints, Ints, Ints, Ints],
    stream: RandomStream,
) -> Drawn:
    """What each query is answered with, by which system, and what is done then."""
    number, session, user, text, time_ms = asked
    topic = world.text_topic[text]
    system = (stream.uniform((len(text),)) * len(world.systems)).astype(np.int64)
    pair, results = world.pages[system, topic], world.results[system, topic]
    if settings.shuffled:
        mixed = np.flatnonzero(stream.uniform((len(text),)) < settings.shuffled)
        keys = np.where(pair[mixed] < 0, 2.0, stream.uniform((len(mixed), settings.depth)))
        pair[mixed] = np.take_along_axis(pair[mixed], np.argsort(keys, axis=1), axis=1)
        system[mixed] = len(world.systems)
    shown = pair >= 0
    draws = stream.uniform((3, *pair.shape))
    done = behave(users, world.attractiveness[pair] * shown, world.satisfaction[pair] * shown, draws)
    looked = done.looked & shown
    dwell = np.where(done.clicked, _dwell(settings, done.satisfied, stream.uniform(pair.shape)), 0)
    looks = np.where(looked, _between(LOOK_MS, stream.uniform(pair.shape)), 0)
    bought = done.satisfied & (stream.uniform(pair.shape) < settings.purchase)
    click_ms = np.cumsum(looks + dwell, axis=1) - dwell
    columns = (number, session, user, text, system, results, time_ms, pair)
    return Drawn(*columns, looked, done.clicked, done.satisfied, bought, click_ms, dwell)


def _dwell(settings: Settings, satisfied: Bools, draw: Floats) -> Ints:
    median = np.where(satisfied, settings.dwell_seconds[1], settings.dwell_seconds[0])
    seconds = median * (draw / (1 - draw)) ** (1 / DWELL_SHAPE)
    return np.minimum(np.rint(1000 * seconds), LONGEST_DWELL_MS).astype(np.int64)


def _reading(pages: Drawn) -> Ints:
    """How long a page was read, with all that was clicked."""
    ends: Ints = (pages.click_ms + pages.dwell_ms)[:, -1]
    return ends


def _between(limits: tuple[int, int], draw: Floats) -> Ints:
    low, high = limits
    return low + (draw * (high - low)).astype(np.int64)
