"""The events of the service, as they come to `event_uri` and in pages from `follow_events`."""

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from .call import Call
from .models import API_VERSION, AuthErrorCode, Mode, Scope


class ConnectionData(TypedDict):
    """What every event about a connection tells."""

    token: str
    """The id of its token."""
    provider: str
    mode: Mode
    reference: str | None
    """Your own name of the connection. Null once the connection is gone, as `metadata` is."""
    metadata: dict[str, Any] | None


class CreatedData(ConnectionData):
    scopes: list[Scope]


class ReauthenticationRequiredData(ConnectionData):
    error: AuthErrorCode


class RightsChangedData(ConnectionData):
    gained: list[str]
    lost: list[str]
    replaces: list[str]
    """The ids of older events that you have not acknowledged, for which this one stands."""


class EndedData(ConnectionData):
    by: Literal["client", "end_user", "operator", "provider"]


class ReadData(ConnectionData):
    resource: str
    parameters: dict[str, str]
    """As in the query of the data route."""


class ReadyData(ReadData):
    version: str
    """The `ETag` of the data without its quotation marks."""


class FailedData(ReadData):
    error: str
    """The code of the refusal that a read would give."""


class ChangedIds(TypedDict):
    count: int
    ids: list[str]
    """Of all three lists at most 1,000."""


class ChangedData(ConnectionData):
    resource: str
    added: ChangedIds
    updated: ChangedIds
    removed: ChangedIds
    truncated: bool
    """Whether there are more than are named."""


class ProviderData(TypedDict):
    provider: str
    mode: Mode
    replaces: list[str]


class EventHead(TypedDict):
    id: NotRequired[str]
    """In pages. Of a webhook it is `webhook-id`."""
    timestamp: str


class ConnectionCreated(EventHead):
    type: Literal["connection.created"]
    data: CreatedData


class ReauthenticationRequired(EventHead):
    """The end user has to sign in again: `begin_sign_in_again`."""

    type: Literal["connection.reauthentication_required"]
    data: ReauthenticationRequiredData


class ConnectionHealed(EventHead):
    type: Literal["connection.healed"]
    data: ConnectionData


class RightsChanged(EventHead):
    type: Literal["connection.rights_changed"]
    data: RightsChangedData


class ConnectionEnded(EventHead):
    type: Literal["connection.ended"]
    data: EndedData


class DataReady(EventHead):
    """A read that got 202 now has its data: set the event that you handed in as `ready`."""

    type: Literal["data.ready"]
    data: ReadyData


class DataFailed(EventHead):
    type: Literal["data.failed"]
    data: FailedData


class DataChanged(EventHead):
    type: Literal["data.changed"]
    data: ChangedData


class ProviderChanged(EventHead):
    type: Literal["provider.degraded", "provider.recovered"]
    data: ProviderData


Event: TypeAlias = (
    ConnectionCreated
    | ReauthenticationRequired
    | ConnectionHealed
    | RightsChanged
    | ConnectionEnded
    | DataReady
    | DataFailed
    | DataChanged
    | ProviderChanged
)
"""`event["type"]` tells which one it is. Ignore types that you do not know."""


class EventPage(TypedDict):
    """Some events, oldest first."""

    events: list[Event]
    after: str
    """Store it once you have worked on the events. The next page begins behind it."""
    more: bool


def event_page(after: str | None, wait: int) -> Call[EventPage]:
    return Call(
        "GET",
        f"/{API_VERSION}/management/events",
        "basic",
        query={"after": after, "limit": 1000},
        hold_seconds=wait,
    )
