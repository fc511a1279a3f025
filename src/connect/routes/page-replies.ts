import type { FastifyReply, FastifyRequest } from "fastify";
import type { Html } from "../../platform/html/index.ts";
import {
  errorPage,
  errorStatuses,
  type ErrorPageKind,
  type LinkFault,
} from "../pages/error-pages.ts";
import type { WayBack } from "../pages/end-page.ts";
import type { Brand } from "../brand.ts";
import type { PageContext } from "../pages/layout.ts";
import { callService, chooseLocale, textsOf } from "../texts/index.ts";
import { sendPage } from "./send-page.ts";

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
    return sendPage(reply, page, { ...options, isSecure: this.#isSecure });
  }

  sendError(
    request: FastifyRequest,
    reply: FastifyReply,
    kind: ErrorPageKind,
    {
      status = errorStatuses[kind],
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
    const page = errorPage(context, kind, more);
    return sendPage(reply, page, { status, isSecure: this.#isSecure });
  }
}

/** A form of a flow is posted to an address that shows no page. The address of the flow does. */
function findAddress({ method, raw: { url = "" } }: FastifyRequest): string {
  if (!url.startsWith("/connect")) return "/connect";
  const [path = ""] = url.split("?", 1);
  return method === "GET" || path === "/connect" ? url : path.split("/", 3).join("/");
}
