"""What comes back from a read of data."""

from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True)
class Reply(Generic[T_co]):
    """Data, and how old it is."""

    data: T_co
    changed: bool
    """False when the copy in your store is still current, and `data` was read from it."""
    fetched_at: datetime | None
    """When the service got it from the provider."""
    etag: str | None
    request_id: str | None
