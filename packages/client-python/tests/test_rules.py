"""What is sent, what is repeated, and when a call is given up. Each case is called and awaited."""

import asyncio
import base64
import unittest
from typing import Any

import httpx
from rollcall_client import (
    AsyncConnection,
    AsyncMemoryStore,
    Connection,
    ConnectionFailedError,
    Copy,
    MemoryStore,
    NotReadyError,
    RateLimitedError,
    Rollcall,
    ServerError,
    TokenDisconnectedError,
    UnavailableError,
    UnexpectedReplyError,
)

from .stand_in import (
    BASE_URL,
    Answer,
    CONNECTION,
    LOST,
    ROLLCALL,
    UNREACHABLE,
    Event,
    StandIn,
    answer,
    both,
    pending,
    run,
)

DATA = answer(200, [{"name": "Sales"}], etag='W/"1"')


def groups(**options: Any) -> Any:
    return lambda connection: connection.list_groups(**options)


class Waiting(unittest.TestCase):
    def test_one_request_is_enough_when_the_service_can_wait_so_long(self) -> None:
        for outcome in both(CONNECTION, groups(), DATA):
            self.assertEqual(outcome.value.data, [{"name": "Sales"}])
            self.assertEqual(outcome.stand_in.sent("prefer"), ["wait=30"])
            self.assertEqual(outcome.stand_in.pauses, [])

    def test_after_a_202_it_asks_once_more_and_not_before_its_time(self) -> None:
        for outcome in both(CONNECTION, groups(), pending(7), DATA):
            self.assertEqual(outcome.stand_in.pauses, [7])
            self.assertEqual(len(outcome.stand_in.requests), 2)

    def test_callers_who_got_the_same_time_do_not_come_together(self) -> None:
        for outcome in both(CONNECTION, groups(), pending(10), DATA, luck=0.5):
            self.assertEqual(outcome.stand_in.pauses, [10.5])

    def test_the_service_holds_the_reply_no_longer_than_the_caller_waits(self) -> None:
        for outcome in both(CONNECTION, groups(wait=12), pending(4), pending(4), pending(5)):
            self.assertEqual(outcome.stand_in.sent("prefer"), ["wait=12", "wait=8", "wait=4"])
            self.assertIsInstance(outcome.error, NotReadyError)
            self.assertEqual(outcome.error.retry_after, 5)

    def test_it_does_not_wait_for_a_time_behind_the_deadline(self) -> None:
        for outcome in both(CONNECTION, groups(wait=20), pending(21)):
            self.assertIsInstance(outcome.error, NotReadyError)
            self.assertEqual(outcome.stand_in.pauses, [])

    def test_who_does_not_want_to_wait_is_told_at_once(self) -> None:
        for outcome in both(CONNECTION, groups(wait=0), pending(1)):
            self.assertIsInstance(outcome.error, NotReadyError)
            self.assertEqual(outcome.stand_in.sent("prefer"), [None])

    def test_identity_is_never_waited_for(self) -> None:
        person = answer(200, {"name": "Ann", "email": "", "phone_number": None})
        for outcome in both(CONNECTION, lambda connection: connection.get_identity(), person):
            self.assertEqual(outcome.stand_in.sent("prefer"), [None])

    def test_fresh_data_is_asked_for_by_a_header(self) -> None:
        for outcome in both(CONNECTION, groups(fresh=True), DATA):
            self.assertEqual(outcome.stand_in.sent("cache-control"), ["no-cache"])


class AnEventHandedIn(unittest.TestCase):
    def test_ends_the_wait_so_that_two_requests_are_enough(self) -> None:
        stand_in = StandIn([pending(300), DATA])
        event = Event(stand_in, after=42)
        reply = run(stand_in, Connection, groups(ready=event), {})
        self.assertEqual(reply.data, [{"name": "Sales"}])
        self.assertEqual(stand_in.pauses, [42])
        self.assertEqual(stand_in.sent("prefer"), [None, "wait=30"])

    def test_that_is_awaited_ends_the_wait_too(self) -> None:
        async def read(connection: AsyncConnection) -> Any:
            event = asyncio.Event()
            stand_in.before_answer = lambda request: event.set()
            return await connection.list_groups(ready=event)

        stand_in = StandIn([pending(300), DATA])
        reply: Any = run(stand_in, AsyncConnection, read, {})
        self.assertEqual(reply.data, [{"name": "Sales"}])
        self.assertEqual((len(stand_in.requests), stand_in.pauses), (2, []))

    def test_that_does_not_come_is_waited_for_until_the_service_may_be_asked_again(self) -> None:
        stand_in = StandIn([pending(5), pending(7), DATA])
        reply = run(stand_in, Connection, groups(ready=Event(stand_in, after=None), wait=100), {})
        self.assertEqual(reply.data, [{"name": "Sales"}])
        self.assertEqual(stand_in.pauses, [5, 7])
        self.assertEqual(stand_in.sent("prefer"), [None] * 3)

    def test_that_may_come_before_the_deadline_is_waited_for_until_then(self) -> None:
        stand_in = StandIn([pending(300), pending(300)])
        event = Event(stand_in, after=None)
        error = run(stand_in, Connection, groups(ready=event, wait=100), {})
        self.assertIsInstance(error, NotReadyError)
        self.assertEqual(stand_in.pauses, [100])

    def test_that_was_of_other_data_is_believed_once(self) -> None:
        stand_in = StandIn([pending(5), pending(5), DATA])
        reply = run(stand_in, Connection, groups(ready=Event(stand_in, after=2)), {})
        self.assertEqual(reply.data, [{"name": "Sales"}])
        self.assertEqual(stand_in.pauses, [2, 5])


class Refusals(unittest.TestCase):
    def test_a_429_and_a_503_are_waited_out(self) -> None:
        busy = answer(429, {"message": "Too many requests."}, retry_after="20")
        away = answer(503, {"message": "The provider is away."}, retry_after="60")
        for outcome in both(CONNECTION, groups(), busy, away, DATA):
            self.assertEqual(outcome.value.data, [{"name": "Sales"}])
            self.assertEqual(outcome.stand_in.pauses, [20, 60])

    def test_the_last_one_is_raised_when_the_time_is_over(self) -> None:
        busy = answer(429, {"message": "Too many requests."}, retry_after="200")
        for outcome in both(ROLLCALL, lambda rollcall: rollcall.get_client(), busy):
            self.assertIsInstance(outcome.error, RateLimitedError)
            self.assertEqual(outcome.error.retry_after, 200)
            self.assertEqual(outcome.stand_in.pauses, [])

    def test_a_post_is_repeated_after_429_which_did_nothing(self) -> None:
        busy = answer(429, {"message": "Too many requests."}, retry_after="2")
        made = answer(200, {"name": "Acme"})
        for outcome in both(ROLLCALL, lambda it: it.update_client(name="Acme"), busy, made):
            self.assertEqual(outcome.stand_in.pauses, [2])

    def test_a_post_is_not_repeated_after_503_which_may_have_done_something(self) -> None:
        away = answer(503, {"message": "The database is away."}, retry_after="2")
        for outcome in both(ROLLCALL, lambda it: it.update_client(rotate_secret=True), away):
            self.assertIsInstance(outcome.error, UnavailableError)
            self.assertEqual(len(outcome.stand_in.requests), 1)

    def test_where_no_time_is_said_the_pauses_grow(self) -> None:
        away = answer(503, {"message": "Away."})
        for outcome in both(CONNECTION, groups(), *[away] * 7, DATA):
            self.assertEqual(outcome.value.data, [{"name": "Sales"}])
            self.assertEqual(outcome.stand_in.pauses, [1, 2, 4, 8, 16, 30, 30])

    def test_a_500_is_not_repeated(self) -> None:
        for outcome in both(CONNECTION, groups(), answer(500, {"message": "A fault."})):
            self.assertIsInstance(outcome.error, ServerError)

    def test_the_page_of_a_proxy_is_no_answer_of_the_service(self) -> None:
        page = httpx.Response(200, text="<html>Sign in to the network</html>")
        moved = httpx.Response(302, headers={"location": "https://elsewhere.example.com"})
        for given in (page, moved):
            for outcome in both(CONNECTION, groups(), given):
                self.assertIsInstance(outcome.error, UnexpectedReplyError)
                self.assertEqual(len(outcome.stand_in.requests), 1)


class LostAnswers(unittest.TestCase):
    def test_a_get_is_made_again_after_a_time_that_grows(self) -> None:
        for outcome in both(CONNECTION, groups(), LOST, LOST, UNREACHABLE, DATA, luck=1.0):
            self.assertEqual(outcome.value.data, [{"name": "Sales"}])
            self.assertEqual(outcome.stand_in.pauses, [1, 2, 4])

    def test_it_is_given_up_after_four_attempts(self) -> None:
        for outcome in both(CONNECTION, groups(), *[UNREACHABLE] * 4):
            self.assertIsInstance(outcome.error, ConnectionFailedError)
            self.assertEqual(len(outcome.stand_in.requests), 4)

    def test_only_those_in_a_row_count(self) -> None:
        answers: list[Answer] = [LOST, pending(1)]
        for outcome in both(CONNECTION, groups(), *answers * 5, DATA):
            self.assertEqual(outcome.value.data, [{"name": "Sales"}])

    def test_who_follows_events_outlives_a_restart_of_the_service(self) -> None:
        event = {"id": "1", "type": "data.ready", "timestamp": "", "data": {}}
        page = answer(200, {"events": [event], "after": "b", "more": True})
        for outcome in both(ROLLCALL, _two_pages, *[UNREACHABLE] * 10, page, page):
            self.assertEqual([page["after"] for page in outcome.value], ["b", "b"])

    def test_a_post_that_may_have_arrived_is_not_sent_again(self) -> None:
        for outcome in both(ROLLCALL, lambda it: it.update_client(rotate_secret=True), LOST):
            self.assertIsInstance(outcome.error, ConnectionFailedError)
            self.assertEqual(len(outcome.stand_in.requests), 1)

    def test_a_post_that_did_not_arrive_is_sent_again(self) -> None:
        made = answer(200, {"name": "Acme"})
        for outcome in both(ROLLCALL, lambda it: it.update_client(name="Acme"), UNREACHABLE, made):
            self.assertEqual(outcome.value, {"name": "Acme"})

    def test_a_disconnect_is_sent_again_as_the_second_one_does_nothing(self) -> None:
        done = answer(200, {"disconnected": True})
        for outcome in both(CONNECTION, lambda it: it.disconnect_token(), LOST, done):
            self.assertEqual(outcome.value, {"disconnected": True})


class Credentials(unittest.TestCase):
    def test_may_end_in_the_line_break_of_their_file(self) -> None:
        stand_in = StandIn([DATA, answer(200, {"name": "Acme"})])
        Connection(BASE_URL, "secret-token\n", http=stand_in.http).list_groups()
        Rollcall(BASE_URL, "id\n", " secret\n", http=stand_in.http).get_client()
        basic = base64.b64encode(b"id:secret").decode()
        sent = stand_in.sent("authorization")
        self.assertEqual(sent, ["Bearer secret-token", f"Basic {basic}"])

    def test_that_are_none_are_refused_at_once_and_not_repeated(self) -> None:
        for credential in ("secret-tok…", "secret\ntoken", "secret\x00token"):
            with self.assertRaisesRegex(ValueError, "^access_token has a character") as raised:
                Connection(BASE_URL, credential)
            self.assertNotIn(credential, str(raised.exception))
            with self.assertRaisesRegex(ValueError, "^client_secret has a character") as raised:
                Rollcall(BASE_URL, "id", credential)
            self.assertNotIn(credential, str(raised.exception))

    def test_are_not_quoted_when_a_request_cannot_be_made(self) -> None:
        illegal = httpx.LocalProtocolError("Illegal header value b'Bearer token'")
        for outcome in both(CONNECTION, groups(), *[illegal] * 4):
            self.assertIsInstance(outcome.error, ConnectionFailedError)
            self.assertNotIn("token", str(outcome.error))


class Copies(unittest.TestCase):
    def test_unchanged_data_is_not_sent_again(self) -> None:
        stores = [MemoryStore(), AsyncMemoryStore()]
        for store, flavour in zip(stores, CONNECTION, strict=True):
            first, second = StandIn([DATA]), StandIn([answer(304)])
            before = run(first, flavour, groups(), {"store": store})
            after = run(second, flavour, groups(), {"store": store})
            self.assertEqual(second.sent("if-none-match"), ['W/"1"'])
            self.assertEqual((before.changed, after.changed), (True, False))
            self.assertEqual(after.data, before.data)

    def test_a_copy_is_of_one_token_and_of_one_read(self) -> None:
        store = MemoryStore()
        run(StandIn([DATA]), Connection, groups(), {"store": store})
        other = StandIn([DATA])
        Connection(
            "https://rollcall.example.com", "other", store=store, http=other.http
        ).list_groups()
        third = StandIn([DATA])
        run(third, Connection, lambda it: it.list_employees(), {"store": store})
        self.assertEqual(other.sent("if-none-match") + third.sent("if-none-match"), [None, None])

    def test_a_store_is_given_no_credential(self) -> None:
        class Watching(MemoryStore):
            def save(self, owner: str, name: str, copy: Copy) -> None:
                saved.append(owner + name)

        saved: list[str] = []
        run(StandIn([DATA]), Connection, groups(), {"store": Watching()})
        self.assertNotIn("token", saved[0])

    def test_nothing_stays_of_a_token_that_has_ended(self) -> None:
        gone = answer(403, {"message": "The token was disconnected."})
        ends: list[tuple[Any, Any]] = [
            (answer(200, {"disconnected": True}), lambda it: it.disconnect_token()),
            (gone, groups()),
        ]
        for last, act in ends:
            for store, flavour in zip([MemoryStore(), AsyncMemoryStore()], CONNECTION, strict=True):
                run(StandIn([DATA]), flavour, groups(), {"store": store})
                ended = run(StandIn([last]), flavour, act, {"store": store})
                if last is gone:
                    self.assertIsInstance(ended, TokenDisconnectedError)
                next_one = StandIn([DATA])
                run(next_one, flavour, groups(), {"store": store})
                self.assertEqual(next_one.sent("if-none-match"), [None])


class LongLists(unittest.TestCase):
    def test_are_read_page_by_page_and_no_further_than_they_go(self) -> None:
        first = [{"token": str(number)} for number in range(1000)]
        outcomes = both(ROLLCALL, _listed, answer(200, first), answer(200, [{"token": "last"}]))
        for outcome in outcomes:
            self.assertEqual(len(outcome.value), 1001)
            queries = [request.url.params for request in outcome.stand_in.requests]
            self.assertEqual([query.get("after") for query in queries], [None, "999"])


class Events(unittest.TestCase):
    def test_come_in_pages_from_a_cursor_on_and_an_empty_page_is_held_open(self) -> None:
        event = {"id": "1", "type": "data.ready", "timestamp": "", "data": {}}
        pages = [
            answer(200, {"events": [event], "after": "b", "more": True}),
            answer(200, {"events": [], "after": "b", "more": False}),
            answer(200, {"events": [event], "after": "c", "more": False}),
        ]
        for outcome in both(ROLLCALL, _two_pages, *pages):
            self.assertEqual([page["after"] for page in outcome.value], ["b", "c"])
            cursors = [request.url.params["after"] for request in outcome.stand_in.requests]
            self.assertEqual(cursors, ["a", "b", "b"])
            self.assertEqual(outcome.stand_in.sent("prefer"), ["wait=30"] * 3)

    def test_end_without_another_request_when_nobody_waits(self) -> None:
        page = answer(200, {"events": [{"type": "new.type"}], "after": "b", "more": False})
        for outcome in both(ROLLCALL, _pages_so_far, page):
            self.assertEqual(len(outcome.value), 1)
            self.assertEqual(outcome.stand_in.sent("prefer"), [None])


def _listed(rollcall: Any) -> Any:
    return _all_of(rollcall.iterate_tokens(), None)


def _two_pages(rollcall: Any) -> Any:
    return _all_of(rollcall.follow_events(after="a"), 2)


def _pages_so_far(rollcall: Any) -> Any:
    return _all_of(rollcall.follow_events(wait=0), None)


def _all_of(found: Any, limit: int | None) -> Any:
    """A list, or what is awaited to be one."""
    if not hasattr(found, "__aiter__"):
        return [entry for _, entry in zip(range(limit or 10**6), found, strict=False)]

    async def gather() -> list[Any]:
        entries: list[Any] = []
        async for entry in found:
            entries.append(entry)
            if len(entries) == limit:
                break
        return entries

    return gather()
