"""A stand-in for the service, and a clock that moves when somebody waits."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

import httpx
from rollcall_client import AsyncConnection, AsyncRollcall, Connection, Rollcall, RollcallError
from rollcall_client.rules import Chance

BASE_URL = "https://rollcall.example.com"
Answer = httpx.Response | Exception


def answer(status: int, body: Any = None, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, json=body, headers=named)


def pending(seconds: int) -> httpx.Response:
    return answer(202, {"message": "The data is being fetched."}, retry_after=str(seconds))


LOST = httpx.ReadError("reset")
UNREACHABLE = httpx.ConnectError("refused")


class StandIn:
    """Gives the answers one after the other, and remembers requests and pauses."""

    def __init__(self, answers: list[Answer]) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []
        self.pauses: list[float] = []
        self.now = 1000.0
        self.luck = 0.0
        self.before_answer: Callable[[httpx.Request], None] = lambda request: None

    def sent(self, header: str) -> list[str | None]:
        return [request.headers.get(header) for request in self.requests]

    def handle(self, request: httpx.Request) -> httpx.Response:
        self.before_answer(request)
        self.requests.append(request)
        given = self.answers.pop(0)
        if isinstance(given, Exception):
            raise given
        # A response can be read in one way once, and the next caller may read it in the other.
        return httpx.Response(given.status_code, headers=given.headers, content=given.content)

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds

    async def sleep_async(self, seconds: float) -> None:
        self.sleep(seconds)

    def chance(self) -> Chance:
        return Chance(lambda: self.now, lambda: self.luck)

    @property
    def http(self) -> httpx.Client:
        return httpx.Client(transport=httpx.MockTransport(self.handle))

    @property
    def http_async(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(transport=httpx.MockTransport(self.handle))


class Event(threading.Event):
    """Is set when its time has come, or never."""

    def __init__(self, stand_in: StandIn, after: float | None) -> None:
        super().__init__()
        self._stand_in = stand_in
        self._after = after

    def wait(self, timeout: float | None = None) -> bool:
        self._stand_in.sleep(timeout or 0.0 if self._after is None else self._after)
        if self._after is not None:
            self.set()
        return self.is_set()


class Outcome:
    """What a call came to."""

    def __init__(self, stand_in: StandIn, value: Any) -> None:
        self.stand_in = stand_in
        self.value = value

    @property
    def error(self) -> Any:
        return self.value


Flavours = tuple[type[Any], type[Any]]
CONNECTION: Flavours = (Connection, AsyncConnection)
ROLLCALL: Flavours = (Rollcall, AsyncRollcall)
credentials: dict[type[Any], list[str]] = {
    Connection: ["token"],
    AsyncConnection: ["token"],
    Rollcall: ["id", "secret"],
    AsyncRollcall: ["id", "secret"],
}


def both(
    flavours: Flavours,
    act: Callable[[Any], Any],
    *answers: Answer,
    luck: float = 0.0,
    **options: Any,
) -> list[Outcome]:
    """Makes the same call, called and awaited. The value is an error when it failed."""
    outcomes = []
    for flavour in flavours:
        stand_in = StandIn(list(answers))
        stand_in.luck = luck
        outcomes.append(Outcome(stand_in, run(stand_in, flavour, act, options)))
    return outcomes


def run(
    stand_in: StandIn, flavour: type[Any], act: Callable[[Any], Any], options: dict[str, Any]
) -> Any:
    is_async = flavour in (AsyncConnection, AsyncRollcall)
    http = stand_in.http_async if is_async else stand_in.http
    client = flavour(BASE_URL, *credentials[flavour], http=http, **options)
    with ExitStack() as stack:
        for name, replaced in {
            "rollcall_client.sender.clock": stand_in.chance,
            "rollcall_client.sender.sleep": stand_in.sleep,
            "rollcall_client.aio_sender.clock": stand_in.chance,
            "rollcall_client.aio_sender.sleep": stand_in.sleep_async,
        }.items():
            stack.enter_context(patch(name, replaced))
        try:
            return asyncio.run(_awaited(act(client))) if is_async else act(client)
        except RollcallError as error:
            return error


async def _awaited(result: Any) -> Any:
    return await result
