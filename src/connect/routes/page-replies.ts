import type { FastifyReply, FastifyRequest } from "fastify";
import type { Html } from "../../platform/html/index.ts";
import { pageHeaders } from "../../platform/http/index.ts";
import { errorPage, errorPages, type ErrorPageKind, type LinkFault } from "../pages/error-pages.ts";
import type { WayBack } from "../pages/end-page.ts";
import type { Brand } from "../brand.ts";
import type { PageContext } from "../pages/layout.ts";
import { callService, chooseLocale, textsOf } from "../texts/index.ts";

/** Answers requests with pages: in the right language, with the headers that every page has. */
export class PageReplies {
  readonly #isSecure: boolean;
  readonly #brand: Brand;
  readonly #texts: typeof textsOf;

  constructor({ issuer, brand }: { issuer: string; brand: Brand }) {
    this.#isSecure = issuer.startsWith("https:");
    this.#brand = brand;
    this.#texts = callService(textsOf, brand.serviceName);
  }

  /** The language is that of the address, else of the flow, else of the link, else of the browser. */
  contextOf(request: FastifyRequest, flowLocale?: string | null): PageContext {
    const { lang, locale: ofLink } = request.query as Record<string, unknown>;
    const asked = [lang, flowLocale, ofLink].find((value) => typeof value === "string");
    const locale = chooseLocale(asked, request.headers["accept-language"]);
    return {
      locale,
      texts: this.#texts[locale],
      here: findAddress(request),
      reference: request.id,
      brand: this.#brand,
    };
  }

  send(reply: FastifyReply, page: Html, options: { leadsAway?: boolean } = {}): FastifyReply {
    return this.#sendPage(reply, page, { status: 200, ...options });
  }

  sendError(
    request: FastifyRequest,
    reply: FastifyReply,
    kind: ErrorPageKind,
    {
      status = errorPages[kind].status,
      locale,
      ...more
    }: {
      status?: number | undefined;
      fault?: LinkFault;
      back?: WayBack;
      locale?: string | null;
    } = {},
  ): FastifyReply {
    const context = this.contextOf(request, locale);
    return this.#sendPage(reply, errorPage(context, kind, more), { status });
  }

  /**
   * A page loads nothing from other hosts and shows in no frame. A page whose forms lead to the client in the
   * end has no `form-action`: browsers apply it to every redirect after a form, and nobody knows the redirects
   * of the client's application.
   */
  #sendPage(
    reply: FastifyReply,
    page: Html,
    { status, leadsAway = false }: { status: number; leadsAway?: boolean },
  ): FastifyReply {
    return reply
      .status(status)
      .headers({
        ...pageHeaders({ isSecure: this.#isSecure, leadsAway }),
        "cache-control": "no-store",
      })
      .type("text/html; charset=utf-8")
      .send(page.toString());
  }
}

/** A form of a flow is posted to an address that shows no page. The address of the flow does. */
function findAddress({ method, raw: { url = "" } }: FastifyRequest): string {
  if (!url.startsWith("/connect")) return "/connect";
  const [path = ""] = url.split("?", 1);
  return method === "GET" || path === "/connect" ? url : path.split("/", 3).join("/");
}
