"""The API, called."""

from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any

import httpx

from .call import UNSET, Unset, Waiting
from .events import EventPage, event_page
from .models import API_VERSION, Mode, Scope, Token
from .operations import ConnectionOperations, ManagementOperations
from .rules import Account
from .sender import Sender
from .sign_in import (
    LinkOptions,
    SignIn,
    SignIns,
    keep_for,
    link_again,
    link_parameters,
    one_time_link,
)
from .store import Store


class _Closing(Sender):
    """Closes the connections that it opened itself."""

    _owns_http: bool

    def close(self) -> None:
        if self._owns_http:
            self._http.close()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class Connection(ConnectionOperations, _Closing):
    """Reads the data of one connection, with its access token. Safe for threads."""

    def __init__(
        self,
        base_url: str,
        access_token: str,
        *,
        mode: Mode = "xhr",
        store: Store | None = None,
        read_seconds: float = 600.0,
        http: httpx.Client | None = None,
    ) -> None:
        """`mode` is that of the token. A read waits at most `read_seconds` for its data."""
        account = Account(base_url, access_token=access_token, read_seconds=read_seconds)
        super().__init__(account, http or httpx.Client(), store)
        self._owns_http = http is None
        self.data_path = f"/{API_VERSION}/{mode}"

    def __enter__(self) -> "Connection":
        return self


class Rollcall(ManagementOperations, SignIns, _Closing):
    """What your application does with its own id and secret. Safe for threads."""

    def __init__(
        self,
        base_url: str,
        client_id: str,
        client_secret: str,
        *,
        store: Store | None = None,
        read_seconds: float = 600.0,
        call_seconds: float = 30.0,
        http: httpx.Client | None = None,
    ) -> None:
        """Reads wait at most `read_seconds` for data, other calls `call_seconds` for their turn."""
        basic = (client_id, client_secret)
        account = Account(base_url, basic, None, read_seconds, call_seconds)
        ManagementOperations.__init__(self, account, http or httpx.Client(), store)
        SignIns.__init__(self, account.base_url, client_id, client_secret)
        self._owns_http = http is None

    def connection(self, access_token: str, mode: Mode = "xhr") -> Connection:
        """The connection of a token that you stored. `mode` stood beside the token."""
        return Connection(
            self._account.base_url,
            access_token,
            mode=mode,
            store=self._store,
            read_seconds=self._account.read_seconds,
            http=self._http,
        )

    def begin_one_time_sign_in(
        self,
        redirect_uri: str,
        scopes: Sequence[Scope],
        *,
        provider: str | None = None,
        sandbox: bool = False,
        locale: str | None = None,
        tags: str | None = None,
        expires_in: int | None = None,
        reference: str | Unset = UNSET,
        metadata: dict[str, Any] | Unset = UNSET,
    ) -> SignIn:
        """The same as `begin_sign_in`, with a link that works once and that nobody can change.

        So it may have your own names of the connection, as `finish_sign_in` may.
        """
        kept = keep_for(redirect_uri)
        options = LinkOptions(provider, sandbox, locale, tags)
        yours = {"reference": reference, "metadata": metadata}
        parameters = {**link_parameters(kept, scopes, options), **yours}
        made = self._send(one_time_link(parameters, expires_in))
        return SignIn(made["connect_url"], kept)

    def begin_sign_in_again(
        self, token_id: str, redirect_uri: str, *, expires_in: int | None = None
    ) -> SignIn:
        """A one-time link after which the same access token works again."""
        kept = keep_for(redirect_uri)
        made = self._send(link_again(kept, token_id, expires_in))
        return SignIn(made["connect_url"], kept)

    def finish_sign_in(
        self,
        kept: Mapping[str, str],
        query: Mapping[str, str],
        *,
        reference: str | Unset = UNSET,
        metadata: dict[str, Any] | Unset = UNSET,
        issuer: str | None = None,
    ) -> Token:
        """Takes the query of the redirect, and exchanges its code.

        Keep `access_token` and `token` of what comes back.

        Take `kept` out of the session, so that it is used once. `reference` and `metadata` are your
        own names of the connection, which lists and events show. `issuer` is the public address of
        the service, when it is not the one that you call.
        """
        yours = {"reference": reference, "metadata": metadata}
        return self._send(self._exchange_call(kept, query, issuer, yours))

    def follow_events(
        self,
        *,
        after: str | None = None,
        wait: int = 30,
    ) -> Iterator[EventPage]:
        """Pages of events from a cursor on, for ever. With `wait=0` it ends when there are no more.

        Keep `page["after"]` once you have worked on the page, and begin with it next time.
        """
        waiting = Waiting(self._account.read_seconds)
        is_open = True
        while is_open:
            page = self._send(event_page(after, wait), waiting)
            after = page["after"]
            is_open = page["more"] or wait > 0
            if page["events"]:
                yield page

    def connect_sandbox(
        self,
        scenario: str = "user_good",
        *,
        mode: Mode = "xhr",
        scopes: list[Scope] | Unset = UNSET,
    ) -> Connection:
        """A new connection of the simulated provider, without a browser."""
        made = self.create_sandbox_connection(scenario=scenario, mode=mode, scopes=scopes)
        return self.connection(made["access_token"], made["mode"])

    def __enter__(self) -> "Rollcall":
        return self
