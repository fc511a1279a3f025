import { z } from "zod";
import type { ProviderResponse } from "../../platform/outbound/index.ts";
import { ProviderBug } from "../errors.ts";
import { tokenFields } from "../kit/oauth2.ts";
import { isRecord } from "../kit/source.ts";
import { number, readValue, text, type Reader } from "../kit/readers.ts";
import { auth, rest, type Meaning } from "../kit/rest.ts";

/** The label before `.bamboohr.com`. */
const domain = z.string();

const keySession = z.strictObject({
  domain,
  key: z.string(),
  /** Whether BambooHR lets a key list employees. */
  canListEmployees: z.boolean(),
});

const tokenSession = z.strictObject({
  ...tokenFields,
  domain,
  /** Names the account for as long as it is signed in. */
  account: z.array(z.string()),
});

export type BambooSession = z.output<typeof keySession> | z.output<typeof tokenSession>;

/** Every user and every scope may read it. BambooHR refuses paths that a key or a scope does not open with 401, too. */
export const sessionProbe = "/api/v1/meta/fields";

/** Without `Accept`, BambooHR answers in XML. */
export const api = rest<BambooSession>({
  session: z.union([keySession, tokenSession]),
  origin: (session) => originOf(session.domain),
  // BambooHR ignores the password.
  auth: (session) =>
    "key" in session ? auth.basic(session.key, "x") : auth.bearer(session.accessToken),
  draws: (session) => ({ company: session.domain }),
  errors: explain,
  sessionProbe,
  // The tables have no pages.
  maxBytes: 100 * 1024 * 1024,
});

export function originOf(companyDomain: string): string {
  return `https://${companyDomain}.bamboohr.com`;
}

function explain(answer: ProviderResponse): Meaning | undefined {
  switch (answer.status) {
    case 400:
    case 422:
      // The list changed while it was read: it is read anew.
      return isCursorTooOld(answer) ? "down" : "refused";
    case 403:
      return isSwitchedOff(answer) ? "unsupported" : "forbidden";
    case 404:
      return "unsupported";
    case 408:
      return "down";
    case 413:
      return "refused";
    default:
      return undefined;
  }
}

/** Such as "Directory disabled for this account". A missing right has the same status, and counts where both are told. */
function isSwitchedOff(answer: ProviderResponse): boolean {
  const { detail, title } = toRecord(readJson(answer));
  const told = [answer.headers["x-bamboohr-error-message"], detail, title].join(" ").toLowerCase();
  const words = ["disabled", "not turned on", "not enabled"];
  return words.some((word) => told.includes(word)) && !told.includes("permission");
}

function isCursorTooOld(answer: ProviderResponse): boolean {
  return toRecord(toRecord(readJson(answer))["error"])["code"] === "BadPage";
}

/** Undefined for what is no JSON: BambooHR also refuses with an empty body or a page. */
export function readJson(answer: ProviderResponse): unknown {
  try {
    return answer.json();
  } catch {
    return undefined;
  }
}

/** A record as BambooHR returns it. */
export type BambooRecord = Readonly<Record<string, unknown>>;

export function toRecord(value: unknown): BambooRecord {
  return isRecord(value) ? value : {};
}

/** BambooHR counts from 1: 0 means that there is none. */
export const id: Reader<string> = {
  kind: "id",
  read: (value) => {
    const read = text.read(value);
    return read === "0" ? null : read;
  },
};

export function requireId(record: BambooRecord, name: string): string {
  const read = readValue(id, record[name]);
  if (typeof read !== "string") throw new ProviderBug(`a record of BambooHR has no ${name}`);
  return read;
}

/** Whether a page is the last one, of answers that say how many there are. */
export function endsWith(countOf: (body: BambooRecord) => unknown) {
  return (body: unknown, read: { pages: number }): boolean => {
    const count = readValue(number, countOf(toRecord(body)));
    if (typeof count !== "number")
      throw new ProviderBug("BambooHR does not say how many pages there are");
    return count <= read.pages;
  };
}
