import type { ProviderHttp } from "../../platform/outbound/index.ts";
import type { ProviderContext, ReadContext, Session } from "../contract.ts";
import {
  AuthError,
  OperationNotSupported,
  ProviderBug,
  ProviderDown,
  type ProviderFailure,
} from "../errors.ts";
import { isPermissionMissing } from "../kit/rights.ts";
import { authorizationOf, originOf, parseSession, type BambooSession } from "./bamboohr-session.ts";
import { toRecord, toText } from "./field-values.ts";

type Response = Awaited<ReturnType<ProviderHttp["request"]>>;

export interface BambooRequest {
  path: string;
  query?: Readonly<Record<string, string | number>>;
  /** With it, the request is a POST. All of them only read. */
  json?: unknown;
}

/** Every user and every scope may read it, so its answer shows whether the session works. */
export const sessionProbe: BambooRequest = { path: "/api/v1/meta/fields" };

/** The tables have no pages. */
const maxBytes = 100 * 1024 * 1024;

/** BambooHR says that a value of the request is wrong. */
export class BadRequest extends ProviderBug {}

/** The answer of a dataset would be too large. A smaller page can be asked for. */
export class TooMuchData extends ProviderBug {}

/** BambooHR finds nothing at this path. */
class NotFound extends OperationNotSupported {}

/** Asks BambooHR with the newest session. */
export class BambooClient {
  readonly #context: ProviderContext | ReadContext;
  readonly #session: Session;

  constructor(context: ProviderContext | ReadContext, session: Session) {
    this.#context = context;
    this.#session = session;
  }

  get session(): BambooSession {
    return parseSession(this.#session);
  }

  /** Throws what a refusal means. */
  async ask(request: BambooRequest): Promise<unknown> {
    return await this.#withSession(async (current) => {
      const session = parseSession(current);
      const response = await sendRequest(this.#context, session, request);
      if (response.status === 200) return readAnswer(response);
      if (response.status === 401) throw await this.#explainRefusal(session, request);
      throw toFailure(response);
    });
  }

  /** For optional data. Null when the account may not read them, or BambooHR does not have them. */
  async askIfAllowed(request: BambooRequest): Promise<unknown> {
    return await ifAllowed(() => this.ask(request));
  }

  /** Null for somebody whom BambooHR does not find. */
  async askIfThere(request: BambooRequest): Promise<unknown> {
    try {
      return await this.ask(request);
    } catch (error) {
      if (error instanceof NotFound) return null;
      throw error;
    }
  }

  /** BambooHR also refuses single paths with 401: those that a key or a scope does not open. */
  async #explainRefusal(session: BambooSession, { path }: BambooRequest): Promise<AuthError> {
    const ended = new AuthError("reauthentication_required");
    if (path === sessionProbe.path) return ended;
    const { status } = await sendRequest(this.#context, session, sessionProbe);
    return status === 401 ? ended : new AuthError("insufficient_permission");
  }

  async #withSession<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return "withSession" in this.#context
      ? await this.#context.withSession(work)
      : await work(this.#session);
  }
}

/** Null when the account may not read it, or BambooHR does not have it. */
export async function ifAllowed<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OperationNotSupported || isPermissionMissing(error)) return null;
    throw error;
  }
}

/** Without `Accept`, BambooHR answers in XML. */
export async function sendRequest(
  context: Pick<ProviderContext, "http">,
  session: BambooSession,
  { path, query, json }: BambooRequest,
): Promise<Response> {
  const origin = originOf(session.domain);
  return await context.http(origin, { draws: { company: session.domain }, maxBytes }).request({
    method: json === undefined ? "GET" : "POST",
    url: origin + path,
    headers: { accept: "application/json", authorization: authorizationOf(session) },
    ...(query && { query }),
    ...(json !== undefined && { json }),
    isIdempotent: true,
  });
}

/** Throws for null, which the adapter keeps for what the account may not read. */
function readAnswer(response: Response): unknown {
  const answer: unknown = response.json();
  if (answer === null) throw new ProviderBug("BambooHR's answer is null");
  return answer;
}

/** Of the answer only the status is told: its words are about people. */
export function toFailure(response: Response): ProviderFailure {
  const { status } = response;
  switch (status) {
    case 403:
      return isSwitchedOff(response)
        ? new OperationNotSupported("the account does not have it switched on")
        : new AuthError("insufficient_permission");
    case 404:
      return new NotFound("BambooHR does not have it");
    case 408:
      return new ProviderDown("BambooHR waited too long for the request");
    case 413:
      return new TooMuchData("BambooHR refuses to give so much at once");
    case 400:
    case 422:
      return isCursorTooOld(response)
        ? new ProviderDown("the list changed while it was read; it is read anew")
        : new BadRequest(`BambooHR answered with ${status}`);
    default:
      return new ProviderBug(`BambooHR answered with ${status}`);
  }
}

/** Such as "Directory disabled for this account". A missing right has the same status, and counts where both are told. */
function isSwitchedOff(response: Response): boolean {
  const { detail, title } = toRecord(readJson(response));
  const told = [response.headers["x-bamboohr-error-message"], toText(detail), toText(title)]
    .join(" ")
    .toLowerCase();
  const words = ["disabled", "not turned on", "not enabled"];
  return words.some((word) => told.includes(word)) && !told.includes("permission");
}

function isCursorTooOld(response: Response): boolean {
  return toRecord(toRecord(readJson(response))["error"])["code"] === "BadPage";
}

/** Undefined for what is no JSON: BambooHR also refuses with an empty body or a page. */
export function readJson(response: Pick<Response, "json">): unknown {
  try {
    return response.json();
  } catch {
    return undefined;
  }
}
