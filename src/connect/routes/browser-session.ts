import type { CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { checkCredential, mintCredential, type Environment } from "../../platform/crypto/index.ts";

/** For so long a browser that has signed in to an account has attempts of its own. */
const markSeconds = 90 * 24 * 60 * 60;

/**
 * The cookie that binds a flow to its browser, and ends with the browser's session. Beside it a mark, by which the
 * browser is known again and which opens nothing. Only digests of their values are stored.
 */
export class BrowserSession {
  readonly #environment: Environment;
  readonly #attributes: CookieSerializeOptions;
  readonly #name: string;
  readonly #markName: string;

  constructor({ environment, issuer }: { environment: Environment; issuer: string }) {
    this.#environment = environment;
    const secure = issuer.startsWith("https:");
    this.#attributes = { httpOnly: true, sameSite: "lax", path: "/", secure };
    this.#name = secure ? "__Host-rollcall" : "rollcall";
    this.#markName = `${this.#name}-mark`;
  }

  read(request: FastifyRequest): string | undefined {
    return this.#readCookie(request, this.#name);
  }

  readMark(request: FastifyRequest): string | undefined {
    return this.#readCookie(request, this.#markName);
  }

  #readCookie(request: FastifyRequest, name: string): string | undefined {
    const value = request.cookies[name];
    return value !== undefined && checkCredential(value, "bs", this.#environment) === "valid"
      ? value
      : undefined;
  }

  /** Sets the cookie when the browser has none, and the mark for another 90 days: a sign-in may follow. */
  ensure(request: FastifyRequest, reply: FastifyReply): string {
    const known = this.read(request);
    const value = known ?? mintCredential("bs", this.#environment);
    if (!known) reply.setCookie(this.#name, value, this.#attributes);
    const mark = this.readMark(request) ?? mintCredential("bs", this.#environment);
    reply.setCookie(this.#markName, mark, { ...this.#attributes, maxAge: markSeconds });
    return value;
  }
}
