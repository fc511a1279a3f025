import type { CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { HttpApp } from "../../platform/http/index.ts";
import { attemptSeconds } from "../organisation/attempt.ts";
import type { OperatorIssuer } from "../organisation/is-operator.ts";
import { Organisation } from "../organisation/organisation.ts";
import { SignInRefusal, type RefusalKind } from "../organisation/sign-in-refusal.ts";
import { consolePath } from "../pages/layout.ts";
import { refusedPage } from "../pages/sign-in-pages.ts";
import type { Form } from "./check-form.ts";
import type { ConsoleDependencies } from "./console-dependencies.ts";
import { sendPage } from "./page-scope.ts";
import { placeOf } from "./show.ts";

const open = { config: { rateLimitClass: "open" }, schema: { hide: true } } as const;
const startPath = `${consolePath}/oidc`;
const callbackPath = `${startPath}/callback`;

/** How operators come in by the issuer of their organisation: away to it, and back. */
export function registerOrganisationRoutes(
  app: HttpApp,
  dependencies: ConsoleDependencies,
  settings: OperatorIssuer,
): void {
  const { cookie, publicUrl } = dependencies;
  const redirectUri = `${publicUrl}${callbackPath}`;
  const organisation = new Organisation({ ...dependencies, settings, redirectUri });
  app.addHook("onClose", () => organisation.close());
  const attempts = new AttemptCookie(publicUrl);

  app.get(startPath, open, async (request, reply) =>
    orRefused(request, reply, async () => {
      const to = placeOf((request.query as Form)["to"]);
      const { address, attempt } = await organisation.begin(to);
      attempts.set(reply, attempt);
      return reply.redirect(address, 303);
    }),
  );

  app.get(callbackPath, open, async (request, reply) =>
    orRefused(request, reply, async () => {
      const query = new URL(request.url, publicUrl).search;
      const { session, to } = await organisation.finish(query, attempts.read(request));
      attempts.clear(reply);
      cookie.set(reply, session);
      return reply.redirect(to, 303);
    }),
  );
}

async function orRefused(
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SignInRefusal)) throw error;
    const { kind, detail } = error;
    request.log.warn(
      { reason: kind, ...detail },
      "a sign-in by the organisation was refused; nobody was signed in to the console",
    );
    const status = statusOf(kind);
    if (status === 503) reply.header("retry-after", "10");
    return sendPage(reply, refusedPage(kind, { reference: request.id }), status);
  }
}

/** Whether another try soon may help, or it is the issuer's word or the set-up. */
function statusOf(kind: RefusalKind): number {
  if (kind === "unreachable") return 503;
  return kind === "issuer" || kind === "client" ? 502 : 403;
}

/** What the browser keeps of a sign-in between the way to the issuer and the way back. */
class AttemptCookie {
  readonly #name: string;
  readonly #attributes: CookieSerializeOptions;

  constructor(publicUrl: string) {
    const secure = publicUrl.startsWith("https:");
    this.#name = secure ? "__Host-rollcall-console-oidc" : "rollcall-console-oidc";
    this.#attributes = { httpOnly: true, sameSite: "lax", path: "/", secure };
  }

  read(request: FastifyRequest): string | undefined {
    return request.cookies[this.#name];
  }

  set(reply: FastifyReply, value: string): void {
    reply.setCookie(this.#name, value, { ...this.#attributes, maxAge: attemptSeconds });
  }

  clear(reply: FastifyReply): void {
    reply.clearCookie(this.#name, this.#attributes);
  }
}
