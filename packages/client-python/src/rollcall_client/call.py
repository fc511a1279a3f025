"""What is asked of the API, before anything is sent."""

import asyncio
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from typing import Final, Generic, Literal, TypeAlias, TypeVar
from urllib.parse import quote, urlencode

T = TypeVar("T")


class Unset(Enum):
    """Stands for a member that is not sent. `None` is sent, as null."""

    UNSET = "unset"


UNSET: Final = Unset.UNSET
Event: TypeAlias = threading.Event | asyncio.Event


@dataclass(frozen=True)
class Call(Generic[T]):
    """One operation with its values. `T` is what its success brings."""

    method: Literal["GET", "POST"]
    path: str
    credential: Literal["basic", "bearer", "none"] = "bearer"
    query: Mapping[str, object] = field(default_factory=dict)
    body: Mapping[str, object] | None = field(default=None, repr=False)
    repeatable: bool = False
    """Whether a POST means the same when it arrives twice. A GET always does."""
    ends_connection: bool = False
    waits: bool = False
    """Whether a 202 may come, after which the call is repeated."""
    hold_seconds: int | None = None
    """How long the service holds an empty page open."""

    @property
    def target(self) -> str:
        """Path and query."""
        given = {
            name: value.isoformat() if isinstance(value, date) else value
            for name, value in self.query.items()
            if value is not None
        }
        return f"{self.path}?{urlencode(given)}" if given else self.path

    @property
    def sent_body(self) -> dict[str, object] | None:
        if self.body is None:
            return None
        return {name: value for name, value in self.body.items() if value is not UNSET}


@dataclass(frozen=True)
class Waiting:
    """How a caller waits for data that the provider has to be asked for."""

    seconds: float | None = None
    fresh: bool = False
    ready: Event | None = None


NOT_SAID: Final = Waiting()


def quoted(value: str) -> str:
    """A value as one part of a path."""
    return quote(value, safe="")
