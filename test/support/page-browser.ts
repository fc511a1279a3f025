import { setTimeout as delay } from "node:timers/promises";
import type { Reply } from "./http-client.ts";
import type { ServiceProcess } from "./service-process.ts";

/** As much of a browser as the pages need without their script. */
export class PageBrowser {
  readonly #service: ServiceProcess;
  readonly #jar = new Map<string, string>();
  #path = "";
  #page = "";
  /** Where it was sent outside. */
  leftTo: string | undefined;

  constructor(service: ServiceProcess) {
    this.#service = service;
  }

  get cookies(): string[] {
    return [...this.#jar.values()];
  }

  /** Gives the name of the form that is then to be filled in, or how it ended. */
  async open(path: string): Promise<string> {
    return await this.#follow(
      await this.#service.http.get(path, { headers: this.#headers() }),
      path,
    );
  }

  async submit(form: string, fields: Record<string, string>): Promise<string> {
    const hidden = Object.fromEntries(
      [...this.#page.matchAll(/<input type="hidden" name="([a-z_]+)" value="([^"]*)">/g)].map(
        ([, name, value]) => [name ?? "", value ?? ""],
      ),
    );
    const path = `${this.#path}/${form}`;
    const headers = { ...this.#headers(), "content-type": "application/x-www-form-urlencoded" };
    return await this.#follow(
      await this.#service.http.post(path, {
        headers,
        body: new URLSearchParams({ ...hidden, ...fields }).toString(),
      }),
      path,
    );
  }

  async #follow(reply: Reply, path: string): Promise<string> {
    for (const cookie of [reply.headers["set-cookie"] ?? []].flat()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.#jar.set(name, value);
    }
    const { location } = reply.headers;
    if (typeof location === "string") {
      const target = new URL(location, this.#service.baseUrl);
      if (target.origin === this.#service.baseUrl)
        return await this.open(target.pathname + target.search);
      this.leftTo = target.toString();
      return "left";
    }
    const page = reply.bytes.toString();
    if (page.includes('data-watch="')) {
      await delay(100);
      return await this.open(path);
    }
    [this.#path, this.#page] = [path, page];
    return /action="[^"]*\/(sign-in|answer|provider)"/.exec(page)?.[1] ?? `page ${reply.status}`;
  }

  #headers(): Record<string, string> {
    return this.#jar.size === 0
      ? {}
      : { cookie: [...this.#jar].map(([name, value]) => `${name}=${value}`).join("; ") };
  }
}
