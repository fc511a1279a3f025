"""Why a call failed: a class for each kind of failure, so that `except` chooses what to do.

`str(error)` is for your log. `error.sentence` is for the person in front of your application.
Neither holds a credential.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from .models import AuthErrorCode


class RollcallError(Exception):
    """The base of all of them."""

    sentence: ClassVar[str] = "Something went wrong. Please try again later."
    """What to show to an end user, in English."""

    def __init__(self, message: str, status: int | None = None, request_id: str | None = None):
        details = [str(status)] if status else []
        details += [f"request {request_id}"] if request_id else []
        super().__init__(f"{message} ({', '.join(details)})" if details else message)
        self.message = message
        self.status = status
        self.request_id = request_id
        """Quote it when you ask the operator of the service."""


class ConnectionFailedError(RollcallError):
    """No answer came, in as many attempts as are safe."""


class InvalidRequestError(RollcallError):
    """400 and its kin: the request has to be changed."""

    validation_error: str = ""
    """Names the field, the header or the position."""

    def __str__(self) -> str:
        said = super().__str__()
        return f"{said}: {self.validation_error}" if self.validation_error else said


class CredentialError(RollcallError):
    """401 because of your own credential. Do not ask the end user to sign in again."""


class AccountError(RollcallError):
    """401 because of the end user's account at the provider."""

    code: AuthErrorCode


class SignInRequiredError(AccountError):
    """The end user has to sign in again: `begin_sign_in_again`. The same token works after that."""

    sentence = "The connection to your HR or payroll system has ended. Please sign in again."


class AccountSetupRequiredError(SignInRequiredError):
    """The provider wants something done on its own pages first, such as a new password."""

    sentence = (
        "Your HR or payroll system asks for something. "
        "Please sign in there first, and then connect it again here."
    )


class PermissionMissingError(AccountError):
    """The account lacks the right to read this data. Other data stays readable."""

    sentence = (
        "Your account may not read this data in your HR or payroll system. "
        "Please ask its administrator for the right."
    )


class ForbiddenError(RollcallError):
    """403: the token does not open this."""


class TokenDisconnectedError(ForbiddenError):
    """The token has ended for good. A new sign-in gives another one."""

    sentence = "The connection to your HR or payroll system was ended. Please connect it again."


class ScopeMissingError(ForbiddenError):
    """The token was not made for this data. A sign-in with the scope gives one that is."""


class NotFoundError(RollcallError):
    """404: nothing is there. `id` names what was asked for."""

    id: str = ""


class ConflictError(RollcallError):
    """409: another request came first. `token` is the id of the token that a used code gave."""

    token: str | None = None


class NotSupportedError(RollcallError):
    """501: the provider, or this account, does not have the data."""

    sentence = "Your HR or payroll system does not offer this data."


class ServerError(RollcallError):
    """A fault of the service, or an answer of the provider that cannot be used."""


class RetryLaterError(RollcallError):
    """Another call is worth its while after `retry_after` seconds."""

    retry_after: float = 0.0


class NotReadyError(RetryLaterError):
    """202 until the deadline: the data is still being fetched."""

    sentence = "Your data is still being fetched. Please come back in a few minutes."


class RateLimitedError(RetryLaterError):
    """429, and waiting would take longer than the caller allowed."""


class UnavailableError(RetryLaterError):
    """503: the provider or the service is away."""

    sentence = "Your HR or payroll system cannot be reached now. Please try again later."


class UnexpectedReplyError(RollcallError):
    """An answer that is none of the API, such as the page of a proxy."""


class SignInFailedError(RollcallError):
    """The sign-in led back with an error instead of a code."""

    sentence = "The sign-in was not completed. Please try again."
    error: str = ""


class StateMismatchError(SignInFailedError):
    """The callback is not that of a sign-in which this browser began. Store nothing of it."""


class InvalidWebhookError(RollcallError):
    """The request is no webhook of the service: answer 401, and do not look at its body."""


@dataclass(frozen=True)
class Response:
    """What the service answered. Names of headers are in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)

    def read_json(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError:
            raise UnexpectedReplyError(
                "The reply is not JSON.", self.status, self.request_id
            ) from None

    @property
    def request_id(self) -> str | None:
        return self.headers.get("x-request-id")

    @property
    def retry_after(self) -> float | None:
        value = self.headers.get("retry-after", "")
        return float(value) if value.isdecimal() else None


_by_status: dict[int, type[RollcallError]] = {
    202: NotReadyError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitedError,
    501: NotSupportedError,
    503: UnavailableError,
}
_by_code: dict[str, type[AccountError]] = {
    "additional_account_setup_required": AccountSetupRequiredError,
    "captcha_challenge": AccountSetupRequiredError,
    "insufficient_permission": PermissionMissingError,
}


def error_of(response: Response) -> RollcallError:
    """The error that a refusal stands for."""
    body = _members_of(response)
    kind = _kind_of(response, body)
    error = kind(str(body.get("message", "No message.")), response.status, response.request_id)
    match error:
        case InvalidRequestError():
            error.validation_error = str(body.get("validation_error", ""))
        case AccountError():
            error.code = body["code"]
        case NotFoundError():
            error.id = str(body.get("id", ""))
        case ConflictError():
            error.token = body.get("token")
        case RetryLaterError():
            error.retry_after = response.retry_after or 0.0
    return error


def _members_of(response: Response) -> dict[str, Any]:
    try:
        body = json.loads(response.body)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _kind_of(response: Response, body: Mapping[str, Any]) -> type[RollcallError]:
    status = response.status
    if "message" not in body and status != 409:
        return UnexpectedReplyError
    if status == 401:
        return _kind_of_401(response, body)
    if status == 403:
        return _kind_of_403(response, body)
    if status in _by_status:
        return _by_status[status]
    return InvalidRequestError if 400 <= status < 500 else ServerError


def _kind_of_401(response: Response, body: Mapping[str, Any]) -> type[RollcallError]:
    """The header tells whose credential was refused; the code alone does not."""
    if "www-authenticate" in response.headers or "code" not in body:
        return CredentialError
    return _by_code.get(str(body["code"]), SignInRequiredError)


def _kind_of_403(response: Response, body: Mapping[str, Any]) -> type[RollcallError]:
    if "insufficient_scope" in response.headers.get("www-authenticate", ""):
        return ScopeMissingError
    is_ended = str(body["message"]).startswith("The token was disconnected.")
    return TokenDisconnectedError if is_ended else ForbiddenError
