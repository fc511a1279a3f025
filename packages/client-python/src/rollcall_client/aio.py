"""The API, awaited. Written by `npm run client:python` from client.py."""

from collections.abc import AsyncIterator, Mapping, Sequence
from types import TracebackType
from typing import Any

import httpx

from .call import UNSET, Unset, Waiting
from .events import EventPage, event_page
from .models import API_VERSION, Mode, Scope, Token
from .aio_operations import AsyncConnectionOperations, AsyncManagementOperations
from .rules import Account
from .aio_sender import AsyncSender
from .sign_in import (
    LinkOptions,
    SignIn,
    SignIns,
    keep_for,
    link_again,
    link_parameters,
    one_time_link,
)
from .store import AsyncStore


class _Closing(AsyncSender):
    """Closes the connections that it opened itself."""

    _owns_http: bool

    async def close(self) -> None:
        if self._owns_http:
            await self._http.aclose()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()


class AsyncConnection(AsyncConnectionOperations, _Closing):
    """Reads the data of one connection, with its access token."""

    def __init__(
        self,
        base_url: str,
        access_token: str,
        *,
        mode: Mode = "xhr",
        store: AsyncStore | None = None,
        read_seconds: float = 600.0,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        """`mode` is that of the token. A read waits at most `read_seconds` for its data."""
        account = Account(base_url, access_token=access_token, read_seconds=read_seconds)
        super().__init__(account, http or httpx.AsyncClient(), store)
        self._owns_http = http is None
        self.data_path = f"/{API_VERSION}/{mode}"

    async def __aenter__(self) -> "AsyncConnection":
        return self


class AsyncRollcall(AsyncManagementOperations, SignIns, _Closing):
    """What your application does with its own id and secret."""

    def __init__(
        self,
        base_url: str,
        client_id: str,
        client_secret: str,
        *,
        store: AsyncStore | None = None,
        read_seconds: float = 600.0,
        call_seconds: float = 30.0,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        """Reads wait at most `read_seconds` for data, other calls `call_seconds` for their turn."""
        basic = (client_id, client_secret)
        account = Account(base_url, basic, None, read_seconds, call_seconds)
        AsyncManagementOperations.__init__(self, account, http or httpx.AsyncClient(), store)
        SignIns.__init__(self, account.base_url, client_id, client_secret)
        self._owns_http = http is None

    def connection(self, access_token: str, mode: Mode = "xhr") -> AsyncConnection:
        """The connection of a token that you stored. `mode` stood beside the token."""
        return AsyncConnection(
            self._account.base_url,
            access_token,
            mode=mode,
            store=self._store,
            read_seconds=self._account.read_seconds,
            http=self._http,
        )

    async def begin_one_time_sign_in(
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
        made = await self._send(one_time_link(parameters, expires_in))
        return SignIn(made["connect_url"], kept)

    async def begin_sign_in_again(
        self, token_id: str, redirect_uri: str, *, expires_in: int | None = None
    ) -> SignIn:
        """A one-time link after which the same access token works again."""
        kept = keep_for(redirect_uri)
        made = await self._send(link_again(kept, token_id, expires_in))
        return SignIn(made["connect_url"], kept)

    async def finish_sign_in(
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
        return await self._send(self._exchange_call(kept, query, issuer, yours))

    async def follow_events(
        self,
        *,
        after: str | None = None,
        wait: int = 30,
    ) -> AsyncIterator[EventPage]:
        """Pages of events from a cursor on, for ever. With `wait=0` it ends when there are no more.

        Keep `page["after"]` once you have worked on the page, and begin with it next time.
        """
        waiting = Waiting(self._account.read_seconds)
        is_open = True
        while is_open:
            page = await self._send(event_page(after, wait), waiting)
            after = page["after"]
            is_open = page["more"] or wait > 0
            if page["events"]:
                yield page

    async def connect_sandbox(
        self,
        scenario: str = "user_good",
        *,
        mode: Mode = "xhr",
        scopes: list[Scope] | Unset = UNSET,
    ) -> AsyncConnection:
        """A new connection of the simulated provider, without a browser."""
        made = await self.create_sandbox_connection(scenario=scenario, mode=mode, scopes=scopes)
        return self.connection(made["access_token"], made["mode"])

    async def __aenter__(self) -> "AsyncRollcall":
        return self
