"""Checks webhooks: employees that changed, and events."""

import base64
import hashlib
import hmac
import json
import threading
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from .errors import InvalidWebhookError
from .events import Event
from .models import EmployeesWebhook

TOLERANCE_SECONDS = 300


@dataclass(frozen=True)
class EmployeesChanged:
    """Employees of one connection were added, removed or changed."""

    id: str
    token: str | None
    """The id of the connection's token. The signature does not cover it."""
    employees: EmployeesWebhook = field(repr=False)


@dataclass(frozen=True)
class EventReceived:
    """Something happened that you subscribed to with `event_types`."""

    id: str
    event: Event = field(repr=False)


Webhook: TypeAlias = EmployeesChanged | EventReceived


class Ids(Protocol):
    """Remembers for 14 days which webhooks were worked on. In production your database does."""

    def has(self, webhook_id: str) -> bool:
        """Whether the id was added."""

    def add(self, webhook_id: str) -> None:
        """Adds an id whose work is done. It may be there already."""


class MemoryIds:
    """Remembers the latest ids in the memory of the process."""

    def __init__(self, max_ids: int = 10_000) -> None:
        self._max_ids = max_ids
        self._ids: dict[str, None] = {}
        self._lock = threading.Lock()

    def has(self, webhook_id: str) -> bool:
        with self._lock:
            return webhook_id in self._ids

    def add(self, webhook_id: str) -> None:
        with self._lock:
            self._ids[webhook_id] = None
            if len(self._ids) > self._max_ids:
                del self._ids[next(iter(self._ids))]


class WebhookReceiver:
    """Checks what comes to your `webhook_uri` or `event_uri`, and lets through what is not done.

    Two attempts that overlap are both let through: the work has to bear that.
    """

    def __init__(self, secrets: str | Sequence[str], ids: Ids | None = None) -> None:
        self._secrets = secrets
        self._ids = ids or MemoryIds()

    def receive(self, body: bytes, headers: Mapping[str, str]) -> Webhook | None:
        """The webhook, or None for one that is done: answer 204 then.

        `body` is the bytes as they arrived. Raises `InvalidWebhookError`: answer 401.
        """
        webhook = verify_webhook(body, headers, self._secrets)
        return None if self._ids.has(webhook.id) else webhook

    def done(self, webhook: Webhook) -> None:
        """Call it when your work on the webhook is done, then answer 204.

        When the work fails, answer 500 without it: the webhook is sent again.
        """
        self._ids.add(webhook.id)


def verify_webhook(
    body: bytes,
    headers: Mapping[str, str],
    secrets: str | Sequence[str],
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    now: float | None = None,
) -> Webhook:
    """Checks the signature of Standard Webhooks and the time. Remember the id: it may come again.

    While you rotate secrets, give all that are current. Without the three headers of Standard
    Webhooks it is refused: somebody may have cut them off.
    """
    given = {name.lower(): value for name, value in headers.items()}
    webhook_id = given.get("webhook-id", "")
    timestamp = given.get("webhook-timestamp", "")
    if not webhook_id or not (timestamp.isascii() and timestamp.isdecimal()):
        raise InvalidWebhookError("webhook-id or webhook-timestamp is missing.")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance_seconds:
        raise InvalidWebhookError("webhook-timestamp is too far from now.")
    entries = given.get("webhook-signature", "").split(" ")
    expected = [_entry(secret, webhook_id, timestamp, body) for secret in _listed(secrets)]
    if not any(_is_same(entry, one) for entry in entries for one in expected):
        raise InvalidWebhookError("No entry of webhook-signature is right.")
    return _read(webhook_id, given.get("x-service-api-token"), body)


def is_body_signed(body: bytes, signature: str, secret: str) -> bool:
    """Whether `x-service-api-signature` is right, which is made with your first secret.

    It covers neither time nor id, so a recorded webhook stays right. Use `verify_webhook` where you
    can.
    """
    expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return _is_same(signature, expected)


def sign_webhook(
    body: bytes, secret: str, *, webhook_id: str | None = None, now: float | None = None
) -> dict[str, str]:
    """Headers as the service sends them, for the tests of your receiver."""
    made_id = webhook_id or str(uuid.uuid4())
    timestamp = str(int(time.time() if now is None else now))
    return {
        "content-type": "application/json",
        "webhook-id": made_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": _entry(secret, made_id, timestamp, body),
        "x-service-api-signature": hmac.new(secret.encode(), body, hashlib.sha256).hexdigest(),
    }


def _listed(secrets: str | Sequence[str]) -> list[str]:
    listed = [secrets] if isinstance(secrets, str) else list(secrets)
    if not listed or not all(listed):
        raise ValueError("A secret of the client is needed to check webhooks.")
    return listed


def _entry(secret: str, webhook_id: str, timestamp: str, body: bytes) -> str:
    signed = f"{webhook_id}.{timestamp}.".encode() + body
    digest = hmac.new(secret.encode(), signed, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"


def _is_same(a: str, b: str) -> bool:
    return hmac.compare_digest(a.encode(), b.encode())


def _read(webhook_id: str, token: str | None, body: bytes) -> Webhook:
    """What kind it is stands in the signed body. The headers are not signed."""
    try:
        read: Any = json.loads(body)
    except ValueError:
        read = None
    if isinstance(read, dict) and "type" in read and "data" in read:
        event: Any = {"id": webhook_id, **read}
        return EventReceived(webhook_id, event)
    if isinstance(read, dict) and {"added", "removed", "updated"} <= read.keys():
        employees: Any = read
        return EmployeesChanged(webhook_id, token, employees)
    raise InvalidWebhookError("The body is that of no webhook.")
