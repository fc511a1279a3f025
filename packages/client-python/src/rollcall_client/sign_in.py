"""The sign-in of an end user: the link, what comes back, and the exchange of the code."""

import base64
import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from urllib.parse import urlencode

from .call import UNSET, Call
from .errors import SignInFailedError, StateMismatchError
from .models import API_VERSION, ConnectSession, Scope, Token

_MANAGEMENT = f"/{API_VERSION}/management"


@dataclass(frozen=True)
class SignIn:
    """Redirect the browser to `url`, and keep `kept` in the browser's session on your server."""

    url: str
    kept: dict[str, str] = field(repr=False)


@dataclass(frozen=True)
class LinkOptions:
    """What a link may say beside the scopes, whose mode is that of the link."""

    provider: str | None = None
    sandbox: bool = False
    locale: str | None = None
    tags: str | None = None


def keep_for(redirect_uri: str) -> dict[str, str]:
    """What the browser's session holds from the link to the callback, new for each sign-in."""
    return {
        "state": secrets.token_urlsafe(16),
        "code_verifier": secrets.token_urlsafe(32),
        "redirect_uri": redirect_uri,
    }


def link_parameters(
    kept: Mapping[str, str], scopes: Sequence[Scope], options: LinkOptions
) -> dict[str, object]:
    digest = hashlib.sha256(kept["code_verifier"].encode()).digest()
    given = {name: value for name, value in asdict(options).items() if value}
    return {
        "redirect_uri": kept["redirect_uri"],
        "scope": " ".join(scopes),
        "state": kept["state"],
        "code_challenge": base64.urlsafe_b64encode(digest).decode().rstrip("="),
        "code_challenge_method": "S256",
        **given,
    }


def link_of(base_url: str, client_id: str, parameters: Mapping[str, object]) -> str:
    named: dict[str, object] = {"client_id": client_id, **parameters}
    if parameters.get("sandbox"):
        named["sandbox"] = "true"
    return f"{base_url}/connect?{urlencode(named)}"


def one_time_link(parameters: Mapping[str, object], expires_in: int | None) -> Call[ConnectSession]:
    body: dict[str, object] = {**parameters, "expires_in": expires_in or UNSET}
    return Call("POST", f"{_MANAGEMENT}/connect-session", "basic", body=body)


def link_again(
    kept: Mapping[str, str], token_id: str, expires_in: int | None
) -> Call[ConnectSession]:
    parameters = {"token": token_id, "state": kept["state"], "redirect_uri": kept["redirect_uri"]}
    return one_time_link(parameters, expires_in)


def check_callback(kept: Mapping[str, str], query: Mapping[str, str], issuer: str) -> None:
    """Raises unless it is the end of the sign-in that was kept, and a success."""
    state, returned = kept.get("state", ""), query.get("state", "")
    if not state or not secrets.compare_digest(state.encode(), returned.encode()):
        raise StateMismatchError("The callback is not of the sign-in that this browser began.")
    if query.get("iss", "").rstrip("/") != issuer.rstrip("/"):
        raise StateMismatchError(f"The callback is of another service than {issuer}.")
    if "error" in query:
        failure = SignInFailedError(f"{query['error']}: {query.get('error_description', '')}")
        failure.error = query["error"]
        raise failure


def exchange(
    kept: Mapping[str, str],
    query: Mapping[str, str],
    client: tuple[str, str],
    yours: Mapping[str, object],
) -> Call[Token]:
    """A code is worth one token, so an exchange that is sent again cannot make a second one."""
    code = query.get("code")
    if not code:
        raise SignInFailedError("The callback has no code.")
    client_id, client_secret = client
    body: dict[str, object] = {
        "client_id": client_id,
        "client_secret": client_secret,
        "grant_type": "authorization_code",
        "code": code,
        "code_verifier": kept["code_verifier"],
        "redirect_uri": kept["redirect_uri"],
        **yours,
    }
    return Call("POST", f"{_MANAGEMENT}/token", "none", body=body, repeatable=True)


class SignIns:
    """The steps of a sign-in that send nothing."""

    def __init__(self, base_url: str, client_id: str, client_secret: str) -> None:
        self._base_url = base_url
        self._client = (client_id, client_secret)

    def begin_sign_in(
        self,
        redirect_uri: str,
        scopes: Sequence[Scope],
        *,
        provider: str | None = None,
        sandbox: bool = False,
        locale: str | None = None,
        tags: str | None = None,
    ) -> SignIn:
        """The link to the sign-in, with state and PKCE.

        Without `provider` the end user chooses one. `sandbox` offers the simulated one.
        """
        kept = keep_for(redirect_uri)
        options = LinkOptions(provider, sandbox, locale, tags)
        parameters = link_parameters(kept, scopes, options)
        return SignIn(link_of(self._base_url, self._client[0], parameters), kept)

    def finish_sign_in_again(
        self, kept: Mapping[str, str], query: Mapping[str, str], *, issuer: str | None = None
    ) -> None:
        """Takes the query of the redirect after `begin_sign_in_again`, which has no code."""
        check_callback(kept, query, issuer or self._base_url)

    def _exchange_call(
        self,
        kept: Mapping[str, str],
        query: Mapping[str, str],
        issuer: str | None,
        yours: Mapping[str, object],
    ) -> Call[Token]:
        check_callback(kept, query, issuer or self._base_url)
        return exchange(kept, query, self._client, yours)
