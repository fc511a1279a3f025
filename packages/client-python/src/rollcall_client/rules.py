"""How a call is made: what is sent, what is repeated, and when it is given up.

The rules touch no network and no clock that they were not given. They yield steps, which
`Sender` takes at once and `AsyncSender` awaits.
"""

import base64
import hashlib
import json
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeAlias, TypeVar

from .call import Call, Event, Waiting
from .errors import (
    ConnectionFailedError,
    Response,
    TokenDisconnectedError,
    UnexpectedReplyError,
    error_of,
)
from .reply import Reply
from .store import Copy

T = TypeVar("T")

LONGEST_PREFER = 30
"""The service holds a reply no longer."""
ATTEMPTS = 4
"""Of a call whose answer gets lost."""
ANSWER_SECONDS = 20.0
"""How long an answer may take that the service does not hold back."""

try:
    USER_AGENT = f"rollcall-client-python/{version('rollcall-client')}"
except PackageNotFoundError:
    USER_AGENT = "rollcall-client-python"


def _plain(name: str, value: str) -> str:
    """A credential as it was given. The file that it is read from may end in a line break."""
    credential = value.strip()
    if not (credential.isascii() and credential.isprintable()):
        raise ValueError(f"{name} has a character in it that no credential of the service has.")
    return credential


@dataclass(frozen=True)
class Account:
    """Whose calls they are, and how patient they are."""

    base_url: str
    basic: tuple[str, str] | None = field(default=None, repr=False)
    access_token: str | None = field(default=None, repr=False)
    read_seconds: float = 600.0
    call_seconds: float = 30.0

    def __post_init__(self) -> None:
        if not self.base_url.startswith(("https://", "http://")):
            raise ValueError(f"{self.base_url!r} is no address of a service.")
        object.__setattr__(self, "base_url", self.base_url.rstrip("/"))
        if self.access_token is not None:
            object.__setattr__(self, "access_token", _plain("access_token", self.access_token))
        if self.basic:
            client_id, secret = self.basic
            basic = (_plain("client_id", client_id), _plain("client_secret", secret))
            object.__setattr__(self, "basic", basic)

    @property
    def owner(self) -> str:
        """Names the token in a store, and is no credential."""
        return hashlib.sha256((self.access_token or "").encode()).hexdigest()


@dataclass(frozen=True)
class Chance:
    """A clock, and a number from 0 to 1."""

    now: Callable[[], float]
    random: Callable[[], float]


@dataclass(frozen=True)
class Send:
    """Ends with a `Response` or with `Lost`."""

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    content: bytes | None = field(repr=False)
    answer_seconds: float


@dataclass(frozen=True)
class Lost:
    """No answer came."""

    reason: str
    may_have_arrived: bool


@dataclass(frozen=True)
class Pause:
    """Ends after so many seconds, or when the event is set."""

    seconds: float
    until: Event | None = None


@dataclass(frozen=True)
class Load:
    """Ends with a `Copy` or None."""

    owner: str
    name: str


@dataclass(frozen=True)
class Save:
    owner: str
    name: str
    copy: Copy


@dataclass(frozen=True)
class Forget:
    owner: str


Step: TypeAlias = Send | Pause | Load | Save | Forget
Rule: TypeAlias = Generator[Step, Any, T]


class Patience:
    """Decides whether a call is made again, and waits until then."""

    def __init__(self, call: Call[Any], waiting: Waiting, seconds: float, chance: Chance) -> None:
        self._call = call
        self._chance = chance
        self._deadline = chance.now() + seconds
        self._event = waiting.ready
        self._losses = 0
        """In a row."""
        self._refusals_without_a_time = 0

    @property
    def left(self) -> float:
        return max(0.0, self._deadline - self._chance.now())

    @property
    def prefer_seconds(self) -> int:
        """How long the service may hold the reply. With an event at hand it need not."""
        if self._event or not self._call.waits or self._call.method == "POST":
            return self._call.hold_seconds or 0
        return int(min(LONGEST_PREFER, self.left))

    def after_loss(self, lost: Lost) -> Rule[None]:
        """A request that may have arrived is repeated when that changes nothing."""
        self._losses += 1
        is_safe = self._call.method == "GET" or self._call.repeatable or not lost.may_have_arrived
        pause = min(8.0, 0.5 * 2.0**self._losses) * self._chance.random()
        # Who follows events asks until the deadline: the service may be started again meanwhile.
        is_given_up = self._losses >= ATTEMPTS and not self._call.hold_seconds
        if not is_safe or is_given_up or pause > self.left:
            raise ConnectionFailedError(lost.reason)
        yield Pause(pause)

    def after_refusal(self, response: Response) -> Rule[None]:
        """Waits as long as the service says and a little longer, or raises the refusal.

        An event ends the wait for data. None may come, as a 202 can also mean that the read has to
        wait for its turn.
        """
        self._losses = 0
        error = error_of(response)
        if not self._may_repeat(response.status):
            raise error
        event = self._event if response.status == 202 else None
        seconds = self._seconds_said_by(response)
        is_in_time = seconds <= self.left or (event and self.left > 0)
        if not is_in_time:
            raise error
        yield Pause(min(self.left, seconds * (1 + self._chance.random() / 10)), event)
        if event and event.is_set():
            # It may have been of other data, and stays set.
            self._event = None

    def _seconds_said_by(self, response: Response) -> float:
        """A proxy may say no time."""
        if response.retry_after is not None:
            return max(1.0, response.retry_after)
        self._refusals_without_a_time += 1
        return min(30.0, 2.0 ** (self._refusals_without_a_time - 1))

    def _may_repeat(self, status: int) -> bool:
        """Nothing was done by a call that got 429. One that got 503 may have been."""
        if status == 202:
            return self._call.waits
        if status == 503:
            return self._call.method == "GET" or self._call.repeatable
        return status == 429


def perform(
    call: Call[T], waiting: Waiting, account: Account, chance: Chance, *, stores: bool = False
) -> Rule[Reply[T]]:
    """Makes a call until it succeeds, fails for good, or has taken too long."""
    default = account.read_seconds if call.waits else account.call_seconds
    seconds = default if waiting.seconds is None else waiting.seconds
    patience = Patience(call, waiting, seconds, chance)
    copy: Copy | None = None
    if stores and not call.ends_connection:
        copy = yield Load(account.owner, call.target)
    while True:
        outcome = yield _request(call, waiting, account, patience.prefer_seconds, copy)
        if isinstance(outcome, Lost):
            yield from patience.after_loss(outcome)
            continue
        response: Response = outcome
        if response.status in (200, 201, 304):
            return (yield from _accept(call, account, response, copy, stores=stores))
        try:
            yield from patience.after_refusal(response)
        except TokenDisconnectedError:
            if stores:
                yield Forget(account.owner)
            raise


def _request(
    call: Call[Any], waiting: Waiting, account: Account, prefer_seconds: int, copy: Copy | None
) -> Send:
    body = call.sent_body
    headers = {"accept": "application/json", "user-agent": USER_AGENT}
    headers |= _authorization(call, account)
    if body is not None:
        headers["content-type"] = "application/json"
    if prefer_seconds > 0:
        headers["prefer"] = f"wait={prefer_seconds}"
    if waiting.fresh:
        headers["cache-control"] = "no-cache"
    if copy:
        headers["if-none-match"] = copy.etag
    content = None if body is None else json.dumps(body).encode()
    url = account.base_url + call.target
    return Send(call.method, url, headers, content, ANSWER_SECONDS + prefer_seconds)


def _authorization(call: Call[Any], account: Account) -> dict[str, str]:
    if call.credential == "none":
        return {}
    if call.credential == "bearer":
        return {"authorization": f"Bearer {account.access_token}"}
    if not account.basic:
        raise ValueError("This needs client_id and client_secret.")
    pair = base64.b64encode(":".join(account.basic).encode()).decode()
    return {"authorization": f"Basic {pair}"}


def _accept(
    call: Call[T], account: Account, response: Response, copy: Copy | None, *, stores: bool
) -> Rule[Reply[T]]:
    etag = response.headers.get("etag")
    if response.status == 304:
        if not copy:
            raise UnexpectedReplyError("304 without a copy.", 304, response.request_id)
        return _reply(json.loads(copy.body), response, copy.etag, changed=False)
    data = response.read_json()
    if stores and call.ends_connection:
        yield Forget(account.owner)
    elif stores and etag:
        yield Save(account.owner, call.target, Copy(etag, response.body))
    return _reply(data, response, etag, changed=True)


def _reply(data: T, response: Response, etag: str | None, *, changed: bool) -> Reply[T]:
    modified = response.headers.get("last-modified")
    fetched_at = parsedate_to_datetime(modified) if modified else None
    return Reply(data, changed, fetched_at, etag, response.request_id)
