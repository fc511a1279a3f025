"""Takes the steps of the rules, one after the other."""

import random
import threading
from time import monotonic, sleep
from typing import Any, TypeVar

import httpx

from .call import NOT_SAID, Call, Waiting
from .errors import Response
from .reply import Reply
from .rules import Account, Chance, Forget, Load, Lost, Pause, Rule, Save, Send, Step, perform
from .store import Store

T = TypeVar("T")
NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


class Sender:
    """What the operations are made with."""

    data_path = ""

    def __init__(self, account: Account, http: httpx.Client, store: Store | None) -> None:
        self._account = account
        self._http = http
        self._store = store

    def _send(self, call: Call[T], waiting: Waiting = NOT_SAID) -> T:
        stores = self._store is not None and call.ends_connection
        rule = perform(call, waiting, self._account, clock(), stores=stores)
        return self._run(rule).data

    def _read(self, call: Call[T], waiting: Waiting) -> Reply[T]:
        stores = self._store is not None
        return self._run(perform(call, waiting, self._account, clock(), stores=stores))

    def _run(self, rule: Rule[T]) -> T:
        given: Any = None
        while True:
            try:
                step = rule.send(given)
            except StopIteration as end:
                value: T = end.value
                return value
            given = self._take(step)

    def _take(self, step: Step) -> Any:
        match step:
            case Send():
                return self._exchange(step)
            case Pause(seconds, None):
                sleep(seconds)
            case Pause(seconds, threading.Event() as event):
                event.wait(seconds)
            case Load(owner, name) if self._store:
                return self._store.load(owner, name)
            case Save(owner, name, copy) if self._store:
                self._store.save(owner, name, copy)
            case Forget(owner) if self._store:
                self._store.forget(owner)
        return None

    def _exchange(self, step: Send) -> Response | Lost:
        try:
            return response_of(
                self._http.request(
                    step.method,
                    step.url,
                    headers=step.headers,
                    content=step.content,
                    timeout=timeout_of(step),
                    follow_redirects=False,
                )
            )
        except httpx.RequestError as error:
            return lost_by(error)


def clock() -> Chance:
    return Chance(monotonic, random.random)


def timeout_of(step: Send) -> httpx.Timeout:
    return httpx.Timeout(step.answer_seconds, connect=10.0)


def response_of(response: httpx.Response) -> Response:
    return Response(response.status_code, response.headers, response.content)


def lost_by(error: httpx.RequestError) -> Lost:
    kind = type(error).__name__
    # What cannot be sent is quoted by its message, with the credential in it.
    reason = kind if isinstance(error, httpx.LocalProtocolError) else f"{kind}: {error}"
    return Lost(reason, not isinstance(error, NOT_SENT))
