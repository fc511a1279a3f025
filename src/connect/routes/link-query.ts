import type { FastifyRequest } from "fastify";
import type { Locale } from "../../model/index.ts";
import { InvalidLink, linkParameters, matchLocale, type LinkParameters } from "../link.ts";

/** The query of a request for `{connect_url}`. */
export class LinkQuery {
  readonly #parameters: URLSearchParams;
  /** Still encoded, so that it goes back byte for byte. */
  readonly rawState: string | undefined;

  constructor({ raw: { url = "" } }: FastifyRequest) {
    const [, rawQuery = ""] = url.split(/\?(.*)/s, 2);
    this.#parameters = new URLSearchParams(rawQuery);
    this.rawState = readRawState(rawQuery);
  }

  all(name: string): string[] {
    return this.#parameters.getAll(name);
  }

  /** Undefined when it is missing or comes more than once. */
  single(name: string): string | undefined {
    const [value, ...others] = this.all(name);
    return others.length === 0 ? value : undefined;
  }

  /** The language that the end user chose on the page of the link. */
  get chosenLocale(): Locale | undefined {
    return matchLocale(this.single("lang"));
  }

  /**
   * RFC 6749, 3.1: an unknown parameter is ignored, a repeated one is an error, and an optional one without a
   * value counts as left out.
   */
  parse(): LinkParameters {
    const repeated = Object.keys(linkParameters.shape).find((name) => this.all(name).length > 1);
    if (repeated) throw new InvalidLink("invalid_request", `${repeated} comes more than once`);
    const parsed = linkParameters.safeParse(
      Object.fromEntries(
        [...this.#parameters].filter(([name, value]) => value !== "" || name === "scope"),
      ),
    );
    if (parsed.success) return parsed.data;
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`);
    throw new InvalidLink("invalid_request", problems.join("; "));
  }
}

function readRawState(rawQuery: string): string | undefined {
  const pair = rawQuery
    .split("&")
    .find((candidate) => new URLSearchParams(`&${candidate}`).has("state"));
  return pair?.replace(/^[^=]*=?/, "");
}
