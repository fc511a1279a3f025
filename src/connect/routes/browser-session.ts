import type { FastifyReply, FastifyRequest } from "fastify";
import { checkCredential, mintCredential, type Environment } from "../../platform/crypto/index.ts";

/** The cookie that binds a flow to its browser. Only a digest of its value is stored. */
export class BrowserSession {
  readonly #environment: Environment;
  readonly #isSecure: boolean;
  readonly #name: string;

  constructor({ environment, issuer }: { environment: Environment; issuer: string }) {
    this.#environment = environment;
    this.#isSecure = issuer.startsWith("https:");
    this.#name = this.#isSecure ? "__Host-rollcall" : "rollcall";
  }

  read(request: FastifyRequest): string | undefined {
    const value = request.cookies[this.#name];
    return value !== undefined && checkCredential(value, "bs", this.#environment) === "valid"
      ? value
      : undefined;
  }

  /** Sets the cookie when the browser has none. */
  ensure(request: FastifyRequest, reply: FastifyReply): string {
    const known = this.read(request);
    if (known) return known;
    const value = mintCredential("bs", this.#environment);
    reply.setCookie(this.#name, value, {
      httpOnly: true,
      sameSite: "lax",
      path: "/",
      secure: this.#isSecure,
    });
    return value;
  }
}
