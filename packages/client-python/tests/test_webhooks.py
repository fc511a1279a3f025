"""Webhooks are believed when signature and time are right, and let through until they are done."""

import json
import unittest

from rollcall_client import (
    EmployeesChanged,
    EventReceived,
    InvalidWebhookError,
    MemoryIds,
    WebhookReceiver,
    is_body_signed,
    sign_webhook,
    verify_webhook,
)

SECRET = "rc_cs_dev_secret"
BODY = b'{ "added": [], "removed": [],  "updated": [] }'
NOW = 1_800_000_000.0
HEADERS = sign_webhook(BODY, SECRET, webhook_id="w1", now=NOW)


class Signatures(unittest.TestCase):
    def refused(
        self, body: bytes, headers: dict[str, str], secret: str | list[str] = SECRET
    ) -> None:
        with self.assertRaises(InvalidWebhookError):
            verify_webhook(body, headers, secret, now=NOW)

    def test_that_the_library_of_standard_webhooks_made_are_right(self) -> None:
        """Made by the library `standardwebhooks`, of whose key SECRET is the text."""
        headers = {
            **HEADERS,
            "webhook-signature": "v1,6OzdxCZZwRomO0mUs5aqNDlVIHeOP/pKS4zpB5Emsb4=",
        }
        self.assertEqual(verify_webhook(BODY, headers, SECRET, now=NOW).id, "w1")

    def test_are_checked_over_the_bytes_as_they_came(self) -> None:
        self.assertIsInstance(verify_webhook(BODY, HEADERS, SECRET, now=NOW), EmployeesChanged)
        self.refused(json.dumps(json.loads(BODY)).encode(), HEADERS)

    def test_of_another_secret_id_or_time_are_refused(self) -> None:
        self.refused(BODY, HEADERS, "another")
        self.refused(BODY, {**HEADERS, "webhook-id": "w2"})
        self.refused(BODY, {**HEADERS, "webhook-timestamp": str(int(NOW) + 1)})

    def test_of_a_webhook_that_was_recorded_are_too_old(self) -> None:
        for seconds in (301, -301):
            with self.assertRaises(InvalidWebhookError):
                verify_webhook(BODY, HEADERS, SECRET, now=NOW + seconds)
        verify_webhook(BODY, HEADERS, SECRET, now=NOW + 299)

    def test_are_insisted_on_although_the_other_one_is_right(self) -> None:
        for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
            self.refused(BODY, {key: value for key, value in HEADERS.items() if key != name})
        self.refused(BODY, {**HEADERS, "webhook-timestamp": "soon"})
        self.refused(BODY, {**HEADERS, "webhook-timestamp": "²"})

    def test_by_any_current_secret_are_right_while_secrets_rotate(self) -> None:
        entries = f"v1,bm8= {HEADERS['webhook-signature']} v2,x"
        headers = {**HEADERS, "webhook-signature": entries}
        verify_webhook(BODY, headers, ["new", SECRET], now=NOW)

    def test_need_a_secret(self) -> None:
        empty: list[str | list[str]] = ["", [], ["a", ""]]
        for secrets in empty:
            with self.assertRaises(ValueError):
                verify_webhook(BODY, HEADERS, secrets, now=NOW)

    def test_the_other_one_is_over_the_body_alone(self) -> None:
        signature = HEADERS["x-service-api-signature"]
        self.assertTrue(is_body_signed(BODY, signature, SECRET))
        self.assertFalse(is_body_signed(BODY + b" ", signature, SECRET))
        self.assertFalse(is_body_signed(BODY, signature, "another"))

    def test_names_of_headers_may_be_in_any_case(self) -> None:
        headers = {name.title(): value for name, value in HEADERS.items()}
        self.assertEqual(verify_webhook(BODY, headers, SECRET, now=NOW).id, "w1")


class Kinds(unittest.TestCase):
    def test_an_event_is_told_by_its_body_and_not_by_a_header_which_nobody_signed(self) -> None:
        body = json.dumps({"type": "connection.healed", "timestamp": "", "data": {}}).encode()
        headers = {
            **sign_webhook(body, SECRET),
            "x-service-api-origin": "webhooks-employees-webhook",
        }
        webhook = verify_webhook(body, headers, SECRET)
        assert isinstance(webhook, EventReceived)
        self.assertEqual(webhook.event["type"], "connection.healed")

    def test_a_signed_body_of_neither_kind_is_refused(self) -> None:
        for body in (b"[]", b"{}", b"not JSON", b"\xff"):
            with self.assertRaises(InvalidWebhookError):
                verify_webhook(body, sign_webhook(body, SECRET), SECRET)


class Repetitions(unittest.TestCase):
    def test_of_work_that_is_done_are_not_let_through(self) -> None:
        receiver = WebhookReceiver(SECRET)
        headers = sign_webhook(BODY, SECRET)
        webhook = receiver.receive(BODY, headers)
        assert webhook is not None
        receiver.done(webhook)
        self.assertIsNone(receiver.receive(BODY, headers))

    def test_of_work_that_failed_or_whose_process_ended_are_let_through_again(self) -> None:
        ids = MemoryIds()
        headers = sign_webhook(BODY, SECRET)
        for _process in range(2):
            self.assertIsNotNone(WebhookReceiver(SECRET, ids).receive(BODY, headers))

    def test_a_forged_one_uses_up_no_id(self) -> None:
        receiver = WebhookReceiver(SECRET)
        forged = sign_webhook(BODY, "another", webhook_id="w9")
        with self.assertRaises(InvalidWebhookError):
            receiver.receive(BODY, forged)
        self.assertIsNotNone(receiver.receive(BODY, sign_webhook(BODY, SECRET, webhook_id="w9")))

    def test_ids_in_memory_have_an_end(self) -> None:
        ids = MemoryIds(max_ids=2)
        for name in ("a", "b", "b", "c"):
            ids.add(name)
        self.assertEqual([ids.has(name) for name in ("a", "b", "c")], [False, True, True])
