"""Takes the steps of the rules, and awaits them."""

import asyncio
from asyncio import sleep
from typing import Any, TypeVar

import httpx

from .call import NOT_SAID, Call, Waiting
from .errors import Response
from .reply import Reply
from .rules import Account, Forget, Load, Lost, Pause, Rule, Save, Send, Step, perform
from .sender import clock, lost_by, response_of, timeout_of
from .store import AsyncStore

T = TypeVar("T")


class AsyncSender:
    """What the operations are made with."""

    data_path = ""

    def __init__(self, account: Account, http: httpx.AsyncClient, store: AsyncStore | None) -> None:
        self._account = account
        self._http = http
        self._store = store

    async def _send(self, call: Call[T], waiting: Waiting = NOT_SAID) -> T:
        stores = self._store is not None and call.ends_connection
        rule = perform(call, waiting, self._account, clock(), stores=stores)
        return (await self._run(rule)).data

    async def _read(self, call: Call[T], waiting: Waiting) -> Reply[T]:
        stores = self._store is not None
        return await self._run(perform(call, waiting, self._account, clock(), stores=stores))

    async def _run(self, rule: Rule[T]) -> T:
        given: Any = None
        while True:
            try:
                step = rule.send(given)
            except StopIteration as end:
                value: T = end.value
                return value
            given = await self._take(step)

    async def _take(self, step: Step) -> Any:
        match step:
            case Send():
                return await self._exchange(step)
            case Pause(seconds, None):
                await sleep(seconds)
            case Pause(seconds, asyncio.Event() as event):
                await until_set(event, seconds)
            case Load(owner, name) if self._store:
                return await self._store.load(owner, name)
            case Save(owner, name, copy) if self._store:
                await self._store.save(owner, name, copy)
            case Forget(owner) if self._store:
                await self._store.forget(owner)
        return None

    async def _exchange(self, step: Send) -> Response | Lost:
        try:
            return response_of(
                await self._http.request(
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


async def until_set(event: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return
