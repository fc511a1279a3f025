"""Against a running service in local mode. ROLLCALL_DEMO names the file with its demo client.

The page of ROLLCALL_BROWSER walks a sign-in link as an end user does, and answers with the query of
the redirect.
"""

import asyncio
import inspect
import json
import os
import threading
import unittest
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from typing import Any
from urllib.parse import parse_qsl

import httpx
from rollcall_client import (
    AsyncRollcall,
    ConflictError,
    Connection,
    CredentialError,
    EmployeesChanged,
    MemoryStore,
    NotSupportedError,
    Rollcall,
    SignInRequiredError,
    TokenDisconnectedError,
    WebhookReceiver,
)
from rollcall_client.models import Scope

from .stand_in import BASE_URL, CONNECTION, ROLLCALL, StandIn, answer, run

DEMO_FILE = os.environ.get("ROLLCALL_DEMO")
SCOPES: list[Scope] = ["/2023-03-01/xhr/employees", "/2023-03-01/xhr/identity"]
JANUARY = (date(2026, 1, 1), date(2026, 1, 31))


def demo() -> dict[str, str]:
    with open(DEMO_FILE or "", encoding="utf-8") as file:
        read: dict[str, str] = json.load(file)
    return read


def counting(counted: list[str]) -> httpx.Client:
    def count(request: httpx.Request) -> None:
        counted.append(request.url.path)

    return httpx.Client(event_hooks={"request": [count]})


@unittest.skipUnless(DEMO_FILE, "ROLLCALL_DEMO names no service")
class Service(unittest.TestCase):
    def setUp(self) -> None:
        given = demo()
        self.redirect_uri = given["redirect_uri"]
        self.secret = given["client_secret"]
        self.base_url = given["base_url"]
        self.client_id = given["client_id"]
        self.requests: list[str] = []
        self.rollcall = self.as_client(http=counting(self.requests))

    def as_client(self, **options: Any) -> Rollcall:
        rollcall = Rollcall(self.base_url, self.client_id, self.secret, **options)
        self.addCleanup(rollcall._http.close)
        return rollcall

    def walk(self, link: str) -> dict[str, str]:
        """What the browser comes back with."""
        browser = os.environ["ROLLCALL_BROWSER"]
        return dict(parse_qsl(httpx.post(browser, content=link, timeout=60).text))


class SignIns(Service):
    def test_a_link_leads_to_a_token_and_the_token_to_data(self) -> None:
        sign_in = self.rollcall.begin_sign_in(self.redirect_uri, SCOPES, sandbox=True)
        query = self.walk(sign_in.url)
        token = self.rollcall.finish_sign_in(sign_in.kept, query)
        with self.assertRaises(ConflictError) as again:
            self.rollcall.finish_sign_in(sign_in.kept, query)
        self.assertEqual(again.exception.token, token["token"])
        connection = self.rollcall.connection(token["access_token"], token["mode"])
        self.assertEqual(connection.introspect_token()["token"], token["token"])
        self.assertIn("@", connection.get_identity().data["email"])

    def test_a_one_time_link_leads_there_too_and_one_to_sign_in_again_keeps_the_token(self) -> None:
        sign_in = self.rollcall.begin_one_time_sign_in(
            self.redirect_uri,
            SCOPES,
            sandbox=True,
            expires_in=120,
            reference="customer-17",
            metadata={"plan": "team"},
        )
        token = self.rollcall.finish_sign_in(sign_in.kept, self.walk(sign_in.url))
        listed = self.rollcall.get_token(token["token"])
        self.assertEqual(
            (listed["reference"], listed["metadata"]), ("customer-17", {"plan": "team"})
        )
        connection = self.rollcall.connection(token["access_token"])
        before = connection.list_employees().data
        again = self.rollcall.begin_sign_in_again(token["token"], self.redirect_uri)
        self.rollcall.finish_sign_in_again(again.kept, self.walk(again.url))
        after = connection.list_employees(fresh=True).data
        self.assertEqual([one["id"] for one in after], [one["id"] for one in before])


class Reads(Service):
    def test_a_cold_read_is_one_request_and_a_second_one_sends_no_body(self) -> None:
        store = MemoryStore()
        with self.rollcall.connect_sandbox() as made:
            access_token = made._account.access_token or ""
        connection = Connection(
            self.base_url, access_token, store=store, http=counting(self.requests)
        )
        self.addCleanup(connection._http.close)
        self.requests.clear()
        first, second = connection.list_employees(), connection.list_employees()
        self.assertEqual(len(self.requests), 2)
        self.assertEqual((first.changed, second.changed), (True, False))
        self.assertEqual(first.data, second.data)
        self.assertGreater(len(first.data), 5)
        self.assertIsNotNone(first.fetched_at)

    def test_all_data_of_a_connection_has_the_promised_fields(self) -> None:
        connection = self.rollcall.connect_sandbox()
        runs = connection.list_payruns(*JANUARY).data
        payslips = connection.list_payslips(runs[0]["id"]).data
        employees = connection.list_employees(employment_status="active").data
        one = connection.get_employee(employees[0]["id"]).data
        self.assertEqual(one["remote_id"], employees[0]["remote_id"])
        self.assertEqual(payslips[0]["payrun_id"], runs[0]["id"])
        for listed in (
            connection.list_companies(),
            connection.list_groups(),
            connection.list_timesheets("2026-01-01", "2026-01-31"),
            connection.list_time_off_entries(*JANUARY),
            connection.list_time_off_balances(),
            connection.list_work_locations(),
        ):
            self.assertIsInstance(listed.data, list)

    def test_what_a_provider_lacks_and_what_has_ended_are_errors_of_their_own(self) -> None:
        poor = self.rollcall.connect_sandbox("user_no_payroll")
        with self.assertRaises(NotSupportedError):
            poor.list_payruns(*JANUARY)
        with self.assertRaises(SignInRequiredError) as expired:
            self.rollcall.connect_sandbox("user_expired").list_employees()
        self.assertEqual(expired.exception.code, "reauthentication_required")
        poor.disconnect_token()
        with self.assertRaises(TokenDisconnectedError) as ended:
            poor.list_groups()
        self.assertIsNotNone(ended.exception.request_id)
        with self.assertRaises(CredentialError):
            Rollcall(self.base_url, self.client_id, "wrong").get_client()

    def test_the_same_is_awaited(self) -> None:
        async def read() -> tuple[int, list[str]]:
            async with AsyncRollcall(self.base_url, self.client_id, self.secret) as rollcall:
                connection = await rollcall.connect_sandbox()
                employees = await connection.list_employees()
                ids = [entry["token"] async for entry in rollcall.iterate_tokens()]
                return len(employees.data), ids

        people, ids = asyncio.run(read())
        self.assertGreater(people, 5)
        self.assertEqual(ids, [entry["token"] for entry in self.rollcall.iterate_tokens()])


class Webhooks(Service):
    def test_a_changed_employee_comes_in_a_webhook_that_is_verified(self) -> None:
        receiver = WebhookReceiver(self.secret)
        with listening(receiver) as (address, received):
            self.rollcall.update_client(webhook_uri=address)
            self.addCleanup(self.rollcall.update_client, webhook_uri=None)
            made = self.rollcall.create_sandbox_connection(scopes=SCOPES)
            self.rollcall.send_sandbox_webhook(made["token"])
            webhook = received.get(timeout=60)
        assert isinstance(webhook, EmployeesChanged), webhook
        self.assertEqual(webhook.token, made["token"])
        changed = webhook.employees
        counts = [len(changed["added"]), len(changed["removed"]), len(changed["updated"])]
        self.assertEqual(counts, [1, 1, 2])
        ids = [delivery["id"] for delivery in self.rollcall.iterate_deliveries()]
        self.assertIn(webhook.id, ids)


class Operations(Service):
    def test_each_of_the_description_has_a_method_called_and_awaited(self) -> None:
        paths = httpx.get(f"{self.base_url}/openapi.json").json()["paths"]
        described = {
            f"{method.upper()} {path}" for path, methods in paths.items() for method in methods
        }
        for rollcall, connection in zip(ROLLCALL, CONNECTION, strict=True):
            asked = {
                *requests_of(rollcall),
                *requests_of(connection),
                *requests_of(connection, mode="official"),
            }
            reached = {f"{one.method} {template_of(one.url.path, paths)}" for one in asked}
            self.assertEqual(described - reached, set())


def requests_of(flavour: type[Any], **options: Any) -> Iterator[httpx.Request]:
    """What each method sends that sends one request."""
    for name, method in inspect.getmembers(flavour, inspect.isfunction):
        if name.startswith(("_", "iterate_", "begin_sign_in", "finish_sign_in_", "follow_")):
            continue
        if name in ("close", "connection", "connect_sandbox"):
            continue
        stand_in = StandIn([answer(200, {"connect_url": ""})])
        run(stand_in, flavour, calling(name, method), options)
        yield from stand_in.requests


def calling(name: str, method: Callable[..., Any]) -> Callable[[Any], Any]:
    required = [
        parameter
        for parameter in list(inspect.signature(method).parameters.values())[1:]
        if parameter.default is inspect.Parameter.empty
    ]
    if name == "finish_sign_in":
        kept = {"state": "s", "code_verifier": "v", "redirect_uri": "r"}
        query = {"state": "s", "code": "c", "iss": BASE_URL}
        return lambda client: client.finish_sign_in(kept, query)
    values = {parameter.name: "unknown" for parameter in required}
    return lambda client: getattr(client, name)(**values)


def template_of(path: str, templates: dict[str, Any]) -> str:
    for template in templates:
        parts, given = template.split("/"), path.split("/")
        if len(parts) == len(given) and all(
            part == other or (part.startswith("{") and other == "unknown")
            for part, other in zip(parts, given, strict=True)
        ):
            return template
    return path


@contextmanager
def listening(receiver: WebhookReceiver) -> Iterator[tuple[str, Queue[Any]]]:
    """A server that gives to the queue what the receiver made of a webhook."""
    received: Queue[Any] = Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            try:
                received.put(receiver.receive(body, dict(self.headers)))
            except Exception as error:
                received.put(error)
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing is printed."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", received
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
