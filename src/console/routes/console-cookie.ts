import type { CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { checkCredential, mintCredential, type Environment } from "../../platform/crypto/index.ts";
import { sessionSeconds } from "../sessions.ts";

/** The cookie of the console. Before the sign-in it binds the form to its browser, and opens nothing. */
export class ConsoleCookie {
  readonly #environment: Environment;
  readonly #name: string;
  readonly #attributes: CookieSerializeOptions;

  constructor({ environment, publicUrl }: { environment: Environment; publicUrl: string }) {
    this.#environment = environment;
    const secure = publicUrl.startsWith("https:");
    this.#name = secure ? "__Host-rollcall-console" : "rollcall-console";
    this.#attributes = { httpOnly: true, sameSite: "lax", path: "/", secure };
  }

  read(request: FastifyRequest): string | undefined {
    const value = request.cookies[this.#name];
    return value !== undefined && checkCredential(value, "bs", this.#environment) === "valid"
      ? value
      : undefined;
  }

  /** What the form of the sign-in is bound to. */
  ensure(request: FastifyRequest, reply: FastifyReply): string {
    const known = this.read(request);
    if (known !== undefined) return known;
    const value = mintCredential("bs", this.#environment);
    this.set(reply, value);
    return value;
  }

  set(reply: FastifyReply, value: string): void {
    reply.setCookie(this.#name, value, { ...this.#attributes, maxAge: sessionSeconds });
  }

  clear(reply: FastifyReply): void {
    reply.clearCookie(this.#name, this.#attributes);
  }
}
