"""Where copies of data are kept between reads, so that unchanged data is not sent again."""

import threading
from collections import OrderedDict
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True)
class Copy:
    """The body of a reply with its tag. It holds personal data."""

    etag: str
    body: bytes = field(repr=False)


class Store(Protocol):
    """Keeps copies of an owner, each under a name.

    An owner is a digest of an access token, and a name is path and query of a read. Keep the copies
    as safe as the data itself.
    """

    def load(self, owner: str, name: str) -> Copy | None: ...

    def save(self, owner: str, name: str, copy: Copy) -> None: ...

    def forget(self, owner: str) -> None:
        """Deletes all copies of the owner: its token was disconnected."""


class AsyncStore(Protocol):
    """The same as `Store`, awaited."""

    def load(self, owner: str, name: str) -> Awaitable[Copy | None]: ...

    def save(self, owner: str, name: str, copy: Copy) -> Awaitable[None]: ...

    def forget(self, owner: str) -> Awaitable[None]: ...


class MemoryStore:
    """Keeps the latest copies in the memory of the process."""

    def __init__(self, max_copies: int = 100) -> None:
        self._max_copies = max_copies
        self._copies: OrderedDict[tuple[str, str], Copy] = OrderedDict()
        self._lock = threading.Lock()

    def load(self, owner: str, name: str) -> Copy | None:
        with self._lock:
            copy = self._copies.get((owner, name))
            if copy:
                self._copies.move_to_end((owner, name))
            return copy

    def save(self, owner: str, name: str, copy: Copy) -> None:
        with self._lock:
            self._copies[owner, name] = copy
            self._copies.move_to_end((owner, name))
            if len(self._copies) > self._max_copies:
                self._copies.popitem(last=False)

    def forget(self, owner: str) -> None:
        with self._lock:
            for key in [key for key in self._copies if key[0] == owner]:
                del self._copies[key]


class AsyncMemoryStore:
    """The same as `MemoryStore`, awaited."""

    def __init__(self, max_copies: int = 100) -> None:
        self._store = MemoryStore(max_copies)

    async def load(self, owner: str, name: str) -> Copy | None:
        return self._store.load(owner, name)

    async def save(self, owner: str, name: str, copy: Copy) -> None:
        self._store.save(owner, name, copy)

    async def forget(self, owner: str) -> None:
        self._store.forget(owner)
