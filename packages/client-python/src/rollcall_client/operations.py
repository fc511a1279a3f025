"""The operations of the API, called. Written by `npm run client:python` from /openapi.json."""

import threading
from collections.abc import Iterator
from datetime import date
from typing import Any, Literal

from .call import UNSET, Call, Unset, Waiting, quoted
from .models import (
    Client,
    Company,
    ConnectSession,
    Delivery,
    DeliveryWithBody,
    Disconnection,
    Employee,
    EmploymentStatus,
    EventPage,
    EventType,
    Export,
    FieldOff,
    Group,
    Health,
    Identity,
    Introspection,
    LimitableField,
    MadeSandboxConnection,
    Mode,
    Payrun,
    Payslip,
    PollableResource,
    ProblemList,
    ProviderListingEntry,
    Receipt,
    Resource,
    SandboxConnection,
    Scope,
    SentAuthErrorCode,
    TimeOffBalance,
    TimeOffEntry,
    Timesheet,
    TokenEntry,
    TokenState,
    TokenStatus,
    UpdatedClient,
    WorkLocation,
)
from .reply import Reply
from .sender import Sender


class ManagementOperations(Sender):
    """What a client does with its own id and secret, and what needs no credential."""

    def get_health(self) -> Health:
        """Whether the process runs.

        Answers 200 as long as the process can answer at all. It asks no database.
        """
        call = Call[Health](
            "GET",
            "/healthz",
            credential="none",
        )
        return self._send(call)

    def get_readiness(self) -> Health:
        """Whether requests can be served.

        Says whether the start is complete, and asks whether the database takes writes, for
        three seconds at most.
        """
        call = Call[Health](
            "GET",
            "/readyz",
            credential="none",
        )
        return self._send(call)

    def list_providers(self) -> list[ProviderListingEntry]:
        """The providers of each mode.

        The names that a sign-in link may carry as `provider`, by mode. `sandbox` is the
        simulated one. No credential is needed.
        """
        call = Call[list[ProviderListingEntry]](
            "GET",
            "/providers",
            credential="none",
        )
        return self._send(call)

    def get_client(self) -> Client:
        """Read the client.

        The client of the credentials, with its addresses and masked secrets.
        """
        call = Call[Client](
            "GET",
            "/2023-03-01/management/client",
            credential="basic",
        )
        return self._send(call)

    def update_client(
        self,
        *,
        name: str | Unset = UNSET,
        client_secret: str | list[str] | Unset = UNSET,
        webhook_uri: str | None | Unset = UNSET,
        event_uri: str | None | Unset = UNSET,
        event_types: list[EventType] | None | Unset = UNSET,
        poll_resources: list[PollableResource] | None | Unset = UNSET,
        redirect_uris: list[str] | Unset = UNSET,
        logo: str | None | Unset = UNSET,
        brand_color: str | None | Unset = UNSET,
        purpose: str | None | Unset = UNSET,
        privacy_url: str | None | Unset = UNSET,
        support_url: str | None | Unset = UNSET,
        allow_sandbox: bool | Unset = UNSET,
        fields_off: list[FieldOff] | Unset = UNSET,
        rotate_secret: bool | Unset = UNSET,
    ) -> UpdatedClient:
        """Change the client.

        Takes any of the fields; the others stay as they are. A list of secrets replaces the
        whole list. What `GET` gave may be sent back: masked secrets and read-only fields as
        they are change nothing.

        - `name`: The name that end users see: 1 to 100 characters
        - `client_secret`: All secrets that are valid from now on, one or a list of up to
          three, each of 32 to 255 printable ASCII characters at random. The first one signs
          webhooks.
        - `webhook_uri`: Where webhooks are sent: an https address. Null switches them off.
        - `event_uri`: Where events are sent: an https address. Null switches that off.
        - `event_types`: The events that are sent to `event_uri`. Null means all.
        - `poll_resources`: What is polled for changes, each of which is a `data.changed`.
          Null means the usual: employees, as long as there is an address.
        - `redirect_uris`: All addresses to which a sign-in may lead back: https, or http on
          loopback
        - `logo`: A PNG up to 100 kB, in base64; null takes it away
        - `brand_color`: The colour of buttons and links of the client's sign-in pages, where
          the operator allows it: such as #1f5aa6, with a contrast of 4.5 on #f3f4f8. Null
          takes it away.
        - `purpose`: What the data is for: one sentence, shown to end users. Null takes it
          away.
        - `privacy_url`: Where the client says how it treats data: an https address, or null
        - `support_url`: Where end users find help: an https address, or mailto:. Null takes
          it away.
        - `allow_sandbox`: Whether end users may sign in to the sandbox in the environment
          `prod`
        - `fields_off`: All that is not read of employees from now on; an empty list switches
          everything on again. What was stored of employees is removed.
        - `rotate_secret`: Puts a new secret first, keeps the latest two, and shows the new
          one once
        """
        call = Call[UpdatedClient](
            "POST",
            "/2023-03-01/management/client",
            credential="basic",
            body={
                "name": name,
                "client_secret": client_secret,
                "webhook_uri": webhook_uri,
                "event_uri": event_uri,
                "event_types": event_types,
                "poll_resources": poll_resources,
                "redirect_uris": redirect_uris,
                "logo": logo,
                "brand_color": brand_color,
                "purpose": purpose,
                "privacy_url": privacy_url,
                "support_url": support_url,
                "allow_sandbox": allow_sandbox,
                "fields_off": fields_off,
                "rotate_secret": rotate_secret,
            },
        )
        return self._send(call)

    def get_token(
        self,
        token_id: str,
    ) -> TokenState:
        """One token, and how the data of its connection stands.

        Since when it has its status and why, what the account may not read, and for each
        resource of its scopes when it was read, and whether a read runs or waits and for
        what. It begins no read.

        - `token_id`: The id of the token, `token` in the list; not the credential
        """
        call = Call[TokenState](
            "GET",
            f"/2023-03-01/management/tokens/{quoted(token_id)}",
            credential="basic",
        )
        return self._send(call)

    def get_receipt(
        self,
        token_id: str,
    ) -> Receipt:
        """The receipt of a disconnect.

        What was deleted when the token ended, and when. It is signed as a webhook is, by
        Standard Webhooks, with the headers `webhook-id`, `webhook-timestamp` and
        `webhook-signature`. The body is the same each time; the timestamp is that of the
        reply.

        - `token_id`: The id of the token, `token` in the list; not the credential
        """
        call = Call[Receipt](
            "GET",
            f"/2023-03-01/management/tokens/{quoted(token_id)}/receipt",
            credential="basic",
        )
        return self._send(call)

    def list_tokens(
        self,
        *,
        limit: int | None = None,
        after: str | None = None,
        status: TokenStatus | None = None,
        provider: str | None = None,
        reference: str | None = None,
    ) -> list[TokenEntry]:
        """List the client's tokens and their status.

        Oldest first. Without `limit` and `after` the reply has all of them; with them it is a
        page. `status`, `provider` and `reference` narrow it to the tokens for which all that
        is named is so.

        - `limit`: How many tokens at most; all without it
        - `after`: The id of the last token of the page before, `token` in the list
        - `status`: Only tokens with this status
        - `provider`: Only tokens of connections to this provider
        - `reference`: Only tokens of connections that the client calls by this reference
        """
        call = Call[list[TokenEntry]](
            "GET",
            "/2023-03-01/management/tokens",
            credential="basic",
            query={"limit": limit, "after": after, "status": status, "provider": provider, "reference": reference},
        )
        return self._send(call)

    def iterate_tokens(
        self,
        *,
        status: TokenStatus | None = None,
        provider: str | None = None,
        reference: str | None = None,
    ) -> Iterator[TokenEntry]:
        """List the client's tokens and their status, one after the other.

        Asks for page after page.

        - `status`: Only tokens with this status
        - `provider`: Only tokens of connections to this provider
        - `reference`: Only tokens of connections that the client calls by this reference
        """
        after: str | None = None
        while True:
            page = self.list_tokens(status=status, provider=provider, reference=reference, limit=1000, after=after)
            yield from page
            if len(page) < 1000:
                return
            after = page[-1]["token"]

    def list_deliveries(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
    ) -> list[Delivery]:
        """Webhooks, newest first.

        The webhooks of all connections of the client that are pending, or were settled in the
        last 14 days.

        - `after`: The id of the last delivery of the page before
        - `limit`: How many deliveries at most
        """
        call = Call[list[Delivery]](
            "GET",
            "/2023-03-01/management/deliveries",
            credential="basic",
            query={"after": after, "limit": limit},
        )
        return self._send(call)

    def iterate_deliveries(self) -> Iterator[Delivery]:
        """Webhooks, newest first, one after the other.

        Asks for page after page.
        """
        after: str | None = None
        while True:
            page = self.list_deliveries(limit=200, after=after)
            yield from page
            if len(page) < 200:
                return
            after = page[-1]["id"]

    def get_delivery(
        self,
        delivery_id: str,
    ) -> DeliveryWithBody:
        """Read one webhook.

        How it went, how the receiver's last refusal began and, for a connection of the
        sandbox alone, the body that was sent. Bodies of real data are never shown.

        - `delivery_id`: The delivery's id
        """
        call = Call[DeliveryWithBody](
            "GET",
            f"/2023-03-01/management/deliveries/{quoted(delivery_id)}",
            credential="basic",
        )
        return self._send(call)

    def replay_delivery(
        self,
        delivery_id: str,
    ) -> Delivery:
        """Send a webhook again.

        The same bytes under the same id, unless a later body of the connection was
        acknowledged; then what the webhook was about is sent as it is now, under a new id. An
        event is sent under its id, with your `reference` and `metadata` as they are now.
        Resumes an endpoint that was paused or gone.

        - `delivery_id`: The delivery's id
        """
        call = Call[Delivery](
            "POST",
            f"/2023-03-01/management/deliveries/{quoted(delivery_id)}/replay",
            credential="basic",
        )
        return self._send(call)

    def list_events(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        wait: int | None = None,
    ) -> EventPage:
        """What happened, oldest first.

        The events of the client's connections in the last 30 days, with or without an
        `event_uri`. Ask again with the `after` of the reply: nothing is missed and nothing
        comes twice.

        - `after`: The `after` of the page before. Without it, from the oldest event
        - `limit`: How many events at most
        - `wait`: How many seconds an empty page is held open.
        """
        call = Call[EventPage](
            "GET",
            "/2023-03-01/management/events",
            credential="basic",
            query={"after": after, "limit": limit},
            hold_seconds=wait,
        )
        return self._send(call)

    def list_problems(self) -> ProblemList:
        """What is wrong now, and who has to do what.

        Sign-ins that have ended, rights that are missing, fields that are hidden, reads that
        fail or wait, and receivers that refuse what is sent to them. At most a hundred
        connections of each kind are listed, the newest first.
        """
        call = Call[ProblemList](
            "GET",
            "/2023-03-01/management/problems",
            credential="basic",
        )
        return self._send(call)

    def create_sandbox_connection(
        self,
        *,
        scenario: str | Unset = UNSET,
        mode: Mode | Unset = UNSET,
        scopes: list[Scope] | Unset = UNSET,
    ) -> MadeSandboxConnection:
        """Connect the sandbox without a browser.

        Signs in as the user of a scenario, answers what the sign-in asks, and gives the
        access token. A scenario whose sign-in is refused is a 400 that names the refusal.

        - `scenario`: The user name that selects what happens: user_good, user_mfa,
          user_choose, user_approve, user_slow_sign_in, user_away, user_bad_password,
          user_captcha, user_setup_required, user_no_permission, user_expired, user_slow,
          user_down, user_limited, user_no_payroll, user_fewer_fields, user_fewer_rights,
          user_sparse, user_large, user_empty
        - `mode`: The mode of the connection
        - `scopes`: What the token gives access to; without it, all scopes of the mode
        """
        call = Call[MadeSandboxConnection](
            "POST",
            "/2023-03-01/management/sandbox/connections",
            credential="basic",
            body={
                "scenario": scenario,
                "mode": mode,
                "scopes": scopes,
            },
        )
        return self._send(call)

    def get_sandbox_connection(
        self,
        token_id: str,
    ) -> SandboxConnection:
        """What a sandbox connection does.

        The scenario, the simulated hour, a failure that was set, and the last poll.

        - `token_id`: The id of the token
        """
        call = Call[SandboxConnection](
            "GET",
            f"/2023-03-01/management/sandbox/connections/{quoted(token_id)}",
            credential="basic",
        )
        return self._send(call)

    def fail_sandbox_connection(
        self,
        token_id: str,
        code: SentAuthErrorCode,
    ) -> SandboxConnection:
        """Let reads fail.

        Reads end with this code of a 401 until the end user signs in again.

        - `token_id`: The id of the token
        - `code`: The code of the 401
        """
        call = Call[SandboxConnection](
            "POST",
            f"/2023-03-01/management/sandbox/connections/{quoted(token_id)}/fail",
            credential="basic",
            body={
                "code": code,
            },
        )
        return self._send(call)

    def sign_in_to_sandbox_connection(
        self,
        token_id: str,
        *,
        scenario: str | Unset = UNSET,
    ) -> SandboxConnection:
        """Sign in again.

        As if the end user had signed in again: a failure is over, the same access token
        works, and the simulated hour and what was set stay.

        - `token_id`: The id of the token
        - `scenario`: Who signs in: the user name of a scenario. The same as before by
          default.
        """
        call = Call[SandboxConnection](
            "POST",
            f"/2023-03-01/management/sandbox/connections/{quoted(token_id)}/sign-in",
            credential="basic",
            body={
                "scenario": scenario,
            },
        )
        return self._send(call)

    def set_sandbox_rights(
        self,
        token_id: str,
        *,
        limited: list[LimitableField] | Unset = UNSET,
        forbidden: list[Resource] | Unset = UNSET,
    ) -> SandboxConnection:
        """Take rights, or give them back.

        The end user signs in again with an account that may not read these fields of
        employees and these resources. Replaces what was set before.

        - `token_id`: The id of the token
        - `limited`: Fields of employees that the account may not read
        - `forbidden`: Resources that the account may not read
        """
        call = Call[SandboxConnection](
            "POST",
            f"/2023-03-01/management/sandbox/connections/{quoted(token_id)}/rights",
            credential="basic",
            body={
                "limited": limited,
                "forbidden": forbidden,
            },
        )
        return self._send(call)

    def set_sandbox_records(
        self,
        token_id: str,
        *,
        employees: list[dict[str, Any]] | None | Unset = UNSET,
        payruns: list[dict[str, Any]] | None | Unset = UNSET,
        payslips: list[dict[str, Any]] | None | Unset = UNSET,
        time_off_entries: list[dict[str, Any]] | None | Unset = UNSET,
    ) -> SandboxConnection:
        """Set people, pay runs and absences.

        Each list takes the place of the scenario's, up to 200 records, and 100 kB in all.
        With people of your own, what the scenario has of its people is empty: timesheets,
        balances, and what is not set of the others.

        - `token_id`: The id of the token
        - `employees`: In the place of the scenario's: records as in employees, without the
          ids of Rollcall. Null gives the list back to the scenario.
        - `payruns`: In the place of the scenario's: records as in payruns, without the ids of
          Rollcall. Null gives the list back to the scenario.
        - `payslips`: In the place of the scenario's: records as in payslips, without the ids
          of Rollcall. Null gives the list back to the scenario.
        - `time_off_entries`: In the place of the scenario's: records as in time-off-entries,
          without the ids of Rollcall. Null gives the list back to the scenario.
        """
        call = Call[SandboxConnection](
            "POST",
            f"/2023-03-01/management/sandbox/connections/{quoted(token_id)}/records",
            credential="basic",
            body={
                "employees": employees,
                "payruns": payruns,
                "payslips": payslips,
                "time_off_entries": time_off_entries,
            },
        )
        return self._send(call)

    def advance_sandbox_connection(
        self,
        token_id: str,
    ) -> SandboxConnection:
        """Go to the next simulated hour.

        The next read finds one employee added, one removed and two updated.

        - `token_id`: The id of the token
        """
        call = Call[SandboxConnection](
            "POST",
            f"/2023-03-01/management/sandbox/connections/{quoted(token_id)}/advance",
            credential="basic",
        )
        return self._send(call)

    def poll_sandbox_connection(
        self,
        token_id: str,
    ) -> SandboxConnection:
        """Poll now.

        Polls what the client has polled, without waiting for the hour. The reply tells how
        the poll for employees stands; the first one only takes the list that later ones
        compare with.

        - `token_id`: The id of the token
        """
        call = Call[SandboxConnection](
            "POST",
            f"/2023-03-01/management/sandbox/connections/{quoted(token_id)}/poll",
            credential="basic",
        )
        return self._send(call)

    def send_sandbox_webhook(
        self,
        token_id: str,
    ) -> SandboxConnection:
        """Send a webhook now.

        Lets a simulated hour pass and polls at once: a webhook with one employee added, one
        removed and two updated follows. 202 means that the first poll, which later ones
        compare with, is under way: repeat the call.

        - `token_id`: The id of the token
        """
        call = Call[SandboxConnection](
            "POST",
            f"/2023-03-01/management/sandbox/connections/{quoted(token_id)}/webhook",
            credential="basic",
            waits=True,
        )
        return self._send(call)

    def create_connect_session(
        self,
        *,
        scope: str | Unset = UNSET,
        mode: str | Unset = UNSET,
        provider: str | Unset = UNSET,
        sandbox: bool | Literal["true", "false"] | Unset = UNSET,
        state: str | Unset = UNSET,
        code_challenge: str | Unset = UNSET,
        code_challenge_method: str | Unset = UNSET,
        response_type: str | Unset = UNSET,
        locale: str | Unset = UNSET,
        tags: str | Unset = UNSET,
        client_id: str | Unset = UNSET,
        redirect_uri: str | Unset = UNSET,
        expires_in: int | Unset = UNSET,
        token: str | Unset = UNSET,
        settings: dict[str, str] | Unset = UNSET,
        allow_handover: bool | Unset = UNSET,
        reference: str | Unset = UNSET,
        metadata: dict[str, Any] | Unset = UNSET,
    ) -> ConnectSession:
        """Make a one-time sign-in link.

        For a link whose parameters no end user can change. With `token` the end user signs in
        to the same account again.

        - `scope`: What the token may read: scopes, separated by spaces. Required without
          `token`
        - `mode`: The mode, `official` or `xhr`: that of the scopes, which is also the default
        - `provider`: The name of the provider, as in `/providers`. Without it the end user
          chooses
        - `sandbox`: Whether the provider is the simulated one
        - `state`: Comes back to the redirect address as it is. Compare it with what you sent
        - `code_challenge`: The PKCE challenge: the base64url of the SHA-256 of the
          `code_verifier`
        - `code_challenge_method`: Always `S256`, beside a `code_challenge`
        - `response_type`: Always `code`
        - `locale`: The language of the pages, as a tag such as `de-AT`: en, de, fr, es, it,
          nl, pl, pt
        - `tags`: Words, separated by spaces, that narrow the choice of providers, such as
          `payroll`
        - `client_id`: Known from the credentials; when given, it is theirs
        - `redirect_uri`: A registered address, to which the sign-in leads back. Required
          without `token`
        - `expires_in`: For how many seconds the link can be opened
        - `token`: The id of a token: the link signs in to the same account again, and the
          same access token works on
        - `settings`: Settings of the provider, by their names in its guide, such as
          `timesheets`. The end user is not asked for them. With `provider` or `token`
        - `allow_handover`: Whether the end user may send the sign-in to a colleague who has
          the credentials. The code goes to the browser of the end user all the same
        - `reference`: Your own id for the connection, 1 to 200 characters of printable ASCII.
          Lists and webhooks show it; the end user never sees it
        - `metadata`: What you want to find beside the connection: a JSON object of at most 2
          kB. The end user never sees it
        """
        call = Call[ConnectSession](
            "POST",
            "/2023-03-01/management/connect-session",
            credential="basic",
            body={
                "scope": scope,
                "mode": mode,
                "provider": provider,
                "sandbox": sandbox,
                "state": state,
                "code_challenge": code_challenge,
                "code_challenge_method": code_challenge_method,
                "response_type": response_type,
                "locale": locale,
                "tags": tags,
                "client_id": client_id,
                "redirect_uri": redirect_uri,
                "expires_in": expires_in,
                "token": token,
                "settings": settings,
                "allow_handover": allow_handover,
                "reference": reference,
                "metadata": metadata,
            },
        )
        return self._send(call)

    def export_token(
        self,
        token_id: str,
    ) -> Export:
        """All that is stored of a connection.

        The stored lists of the connection, who signed in, and what the client calls it; no
        credentials. It reads nothing anew. The audit record says that it was asked for.

        - `token_id`: The id of the token, `token` in the list; not the credential
        """
        call = Call[Export](
            "GET",
            f"/2023-03-01/management/tokens/{quoted(token_id)}/export",
            credential="basic",
        )
        return self._send(call)


class ConnectionOperations(Sender):
    """What the access token of a connection allows."""

    def introspect_token(self) -> Introspection:
        """Describe the token.

        Says what the token of the request may read, and whether it was disconnected. It has
        no 401: a missing token is a 400, and one that is not known a 404.
        """
        call = Call[Introspection](
            "GET",
            "/2023-03-01/management/introspect",
            credential="bearer",
        )
        return self._send(call)

    def disconnect_token(self) -> Disconnection:
        """End the token and delete what was stored for it.

        Ends the token of the request for good and deletes its connection with all stored
        data. Every data request with it is a 403 from then on. A second call is a 200 again.
        """
        call = Call[Disconnection](
            "POST",
            "/2023-03-01/management/disconnect",
            credential="bearer",
            repeatable=True,
            ends_connection=True,
        )
        return self._send(call)

    def list_companies(
        self,
        *,
        wait: float | None = None,
        fresh: bool = False,
        ready: threading.Event | None = None,
    ) -> Reply[list[Company]]:
        """The company.

        The company of the connected account, as a list. Most providers have one. Answers 202
        with `Retry-After` while the data is being fetched from the provider.

        - `wait`: How many seconds to wait for the data at most.
        - `fresh`: Accepts only data of the last 60 seconds.
        - `ready`: Is set when a `data.ready` event says so.
        """
        call = Call[list[Company]](
            "GET",
            f"{self.data_path}/company",
            waits=True,
        )
        return self._read(call, Waiting(wait, fresh, ready))

    def get_employee(
        self,
        id: str,
        *,
        wait: float | None = None,
        fresh: bool = False,
        ready: threading.Event | None = None,
    ) -> Reply[Employee]:
        """One employee.

        The employee with this `id`, as employees lists them. Answers 202 with `Retry-After`
        while the data is being fetched from the provider.

        - `id`: The employee's `id`, as in employees
        - `wait`: How many seconds to wait for the data at most.
        - `fresh`: Accepts only data of the last 60 seconds.
        - `ready`: Is set when a `data.ready` event says so.
        """
        call = Call[Employee](
            "GET",
            f"{self.data_path}/employee",
            query={"id": id},
            waits=True,
        )
        return self._read(call, Waiting(wait, fresh, ready))

    def list_employees(
        self,
        *,
        employment_status: EmploymentStatus | None = None,
        wait: float | None = None,
        fresh: bool = False,
        ready: threading.Event | None = None,
    ) -> Reply[list[Employee]]:
        """Employees.

        All individuals that the provider lists, also those who have left, where the provider
        still has them. With `employment_status` only those of one status. Answers 202 with
        `Retry-After` while the data is being fetched from the provider.

        - `employment_status`: Only individuals whose status is explicitly this one; those
          whose status is null are left out
        - `wait`: How many seconds to wait for the data at most.
        - `fresh`: Accepts only data of the last 60 seconds.
        - `ready`: Is set when a `data.ready` event says so.
        """
        call = Call[list[Employee]](
            "GET",
            f"{self.data_path}/employees",
            query={"employment_status": employment_status},
            waits=True,
        )
        return self._read(call, Waiting(wait, fresh, ready))

    def list_groups(
        self,
        *,
        wait: float | None = None,
        fresh: bool = False,
        ready: threading.Event | None = None,
    ) -> Reply[list[Group]]:
        """Groups.

        The departments, teams, cost centres and pay groups to which employees belong. Answers
        202 with `Retry-After` while the data is being fetched from the provider.

        - `wait`: How many seconds to wait for the data at most.
        - `fresh`: Accepts only data of the last 60 seconds.
        - `ready`: Is set when a `data.ready` event says so.
        """
        call = Call[list[Group]](
            "GET",
            f"{self.data_path}/groups",
            waits=True,
        )
        return self._read(call, Waiting(wait, fresh, ready))

    def get_identity(self) -> Reply[Identity]:
        """The user of the connected account.

        Who signed in, as captured at that moment. It never answers 202.
        """
        call = Call[Identity](
            "GET",
            f"{self.data_path}/identity",
        )
        return self._read(call, Waiting())

    def list_payruns(
        self,
        start_date: date | str,
        end_date: date | str,
        *,
        wait: float | None = None,
        fresh: bool = False,
        ready: threading.Event | None = None,
    ) -> Reply[list[Payrun]]:
        """Pay runs in a range of dates.

        The pay runs whose payment date lies in the range; of those without one, whose period
        touches it. The payslips of each are read with its `id`. Answers 202 with
        `Retry-After` while the data is being fetched from the provider.

        - `start_date`: First day of the range, YYYY-MM-DD
        - `end_date`: Last day of the range, YYYY-MM-DD; not before `start_date`
        - `wait`: How many seconds to wait for the data at most.
        - `fresh`: Accepts only data of the last 60 seconds.
        - `ready`: Is set when a `data.ready` event says so.
        """
        call = Call[list[Payrun]](
            "GET",
            f"{self.data_path}/payruns",
            query={"start_date": start_date, "end_date": end_date},
            waits=True,
        )
        return self._read(call, Waiting(wait, fresh, ready))

    def list_payslips(
        self,
        payrun_id: str,
        *,
        wait: float | None = None,
        fresh: bool = False,
        ready: threading.Event | None = None,
    ) -> Reply[list[Payslip]]:
        """The payslips of a pay run.

        What each person is paid in one pay run. Answers 202 with `Retry-After` while the data
        is being fetched from the provider.

        - `payrun_id`: The pay run's `id`, as in payruns
        - `wait`: How many seconds to wait for the data at most.
        - `fresh`: Accepts only data of the last 60 seconds.
        - `ready`: Is set when a `data.ready` event says so.
        """
        call = Call[list[Payslip]](
            "GET",
            f"{self.data_path}/payruns/{quoted(payrun_id)}",
            waits=True,
        )
        return self._read(call, Waiting(wait, fresh, ready))

    def list_time_off_balances(
        self,
        *,
        wait: float | None = None,
        fresh: bool = False,
        ready: threading.Event | None = None,
    ) -> Reply[list[TimeOffBalance]]:
        """Balances of time off.

        How much time off each employee has left, under each policy. Answers 202 with
        `Retry-After` while the data is being fetched from the provider.

        - `wait`: How many seconds to wait for the data at most.
        - `fresh`: Accepts only data of the last 60 seconds.
        - `ready`: Is set when a `data.ready` event says so.
        """
        call = Call[list[TimeOffBalance]](
            "GET",
            f"{self.data_path}/time-off-balances",
            waits=True,
        )
        return self._read(call, Waiting(wait, fresh, ready))

    def list_time_off_entries(
        self,
        start_date: date | str,
        end_date: date | str,
        *,
        wait: float | None = None,
        fresh: bool = False,
        ready: threading.Event | None = None,
    ) -> Reply[list[TimeOffEntry]]:
        """Absences in a range of dates.

        The absences that overlap the range. Answers 202 with `Retry-After` while the data is
        being fetched from the provider.

        - `start_date`: First day of the range, YYYY-MM-DD
        - `end_date`: Last day of the range, YYYY-MM-DD; not before `start_date`
        - `wait`: How many seconds to wait for the data at most.
        - `fresh`: Accepts only data of the last 60 seconds.
        - `ready`: Is set when a `data.ready` event says so.
        """
        call = Call[list[TimeOffEntry]](
            "GET",
            f"{self.data_path}/time-off-entries",
            query={"start_date": start_date, "end_date": end_date},
            waits=True,
        )
        return self._read(call, Waiting(wait, fresh, ready))

    def list_timesheets(
        self,
        start_date: date | str,
        end_date: date | str,
        *,
        wait: float | None = None,
        fresh: bool = False,
        ready: threading.Event | None = None,
    ) -> Reply[list[Timesheet]]:
        """Timesheets in a range of dates.

        The time that employees worked in the range. Answers 202 with `Retry-After` while the
        data is being fetched from the provider.

        - `start_date`: First day of the range, YYYY-MM-DD
        - `end_date`: Last day of the range, YYYY-MM-DD; not before `start_date`
        - `wait`: How many seconds to wait for the data at most.
        - `fresh`: Accepts only data of the last 60 seconds.
        - `ready`: Is set when a `data.ready` event says so.
        """
        call = Call[list[Timesheet]](
            "GET",
            f"{self.data_path}/timesheets",
            query={"start_date": start_date, "end_date": end_date},
            waits=True,
        )
        return self._read(call, Waiting(wait, fresh, ready))

    def list_work_locations(
        self,
        *,
        wait: float | None = None,
        fresh: bool = False,
        ready: threading.Event | None = None,
    ) -> Reply[list[WorkLocation]]:
        """Work locations.

        The places where employees work. Answers 202 with `Retry-After` while the data is
        being fetched from the provider.

        - `wait`: How many seconds to wait for the data at most.
        - `fresh`: Accepts only data of the last 60 seconds.
        - `ready`: Is set when a `data.ready` event says so.
        """
        call = Call[list[WorkLocation]](
            "GET",
            f"{self.data_path}/work-locations",
            waits=True,
        )
        return self._read(call, Waiting(wait, fresh, ready))

    def list_payslips_of_range(
        self,
        start_date: date | str,
        end_date: date | str,
        *,
        wait: float | None = None,
        fresh: bool = False,
        ready: threading.Event | None = None,
    ) -> Reply[list[Payslip]]:
        """The payslips of all pay runs in a range of dates.

        Of the pay runs that payruns lists for the range, which has at most 400 days: all of
        their payslips, or none as long as one run is being read. It needs the scopes of
        payslips and of pay runs. Of a run that was paid, stored payslips are up to a day old.
        Answers 202 with `Retry-After` while the data is being fetched from the provider.

        - `start_date`: First day of the range, YYYY-MM-DD
        - `end_date`: Last day of the range, YYYY-MM-DD; not before `start_date`
        - `wait`: How many seconds to wait for the data at most.
        - `fresh`: Accepts only data of the last 60 seconds.
        - `ready`: Is set when a `data.ready` event says so.
        """
        call = Call[list[Payslip]](
            "GET",
            f"{self.data_path}/payslips",
            query={"start_date": start_date, "end_date": end_date},
            waits=True,
        )
        return self._read(call, Waiting(wait, fresh, ready))
