import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { Call, OdooDesk } from "./odoo-desk.ts";
import type { RequestCounts } from "./request-log.ts";

/** What `POST /__control` and `control` take. */
export interface VendorControl {
  delayMs?: number;
  employees?: number;
  /** So many employees get a new job title. */
  change?: number;
  /** Forgets what was asked so far. */
  reset?: boolean;
}

export interface VendorServer {
  /** The first address. */
  url: string;
  /** One for each host. */
  urls: readonly string[];
  /** The number of requests of an account, or of all. */
  requests(account?: string): number;
  counts(account?: string): RequestCounts;
  /** Requests without a whole answer, of which the other side is still there. */
  open: number;
  /** When the requests began, in milliseconds since 1970. */
  requestTimes(account?: string): number[];
  control(change: VendorControl): void;
  close(): Promise<void>;
}

export interface ListenOptions {
  /** Any free port by default. */
  port?: number | undefined;
  /** Listens on so many addresses, from 127.0.0.2 on. Without it on 127.0.0.1 alone. */
  hosts?: number | undefined;
}

type Answer = (
  call: Call,
  response: ServerResponse,
  request: IncomingMessage,
) => Promise<void> | void;

/**
 * An HTTP server in front of a desk. `GET /__requests`, `GET /__times` (both with `?account=`), `GET /__open` and
 * `POST /__control` do over HTTP what the properties of the result do.
 */
export async function serveVendor(
  desk: OdooDesk,
  { port = 0, hosts }: ListenOptions,
  answer: Answer,
): Promise<VendorServer> {
  const control = (change: VendorControl): void => applyControl(desk, change);
  const open = new Set<ServerResponse>();
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://vendor");
    const account = searchParams.get("account") ?? undefined;
    if (pathname === "/__requests") return sendJson(response, desk.log.counts(account));
    if (pathname === "/__times") return sendJson(response, desk.log.times(account));
    if (pathname === "/__open") return sendJson(response, open.size);
    if (pathname === "/__control") {
      control((await json(request)) as VendorControl);
      return sendJson(response, {});
    }
    open.add(response);
    response.once("close", () => open.delete(response));
    await answer(await desk.receive(request), response, request);
  };
  const servers = await listen(addresses(hosts), port, (request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  const urls = servers.map((server) => {
    const { address, port: bound } = server.address() as AddressInfo;
    return `http://${address}:${bound}`;
  });
  return {
    url: urls[0] ?? "",
    urls,
    requests: (account) => desk.log.counts(account).total,
    counts: (account) => desk.log.counts(account),
    get open() {
      return open.size;
    },
    requestTimes: (account) => desk.log.times(account),
    control,
    close: async () => void (await Promise.all(servers.map(close))),
  };
}

function applyControl(desk: OdooDesk, { delayMs, employees, change, reset }: VendorControl): void {
  if (delayMs !== undefined) desk.delayMs = delayMs;
  if (employees !== undefined) desk.company.employees = employees;
  if (change !== undefined) desk.company.change(change);
  if (reset) desk.log.reset();
}

function addresses(hosts: number | undefined): string[] {
  return hosts === undefined
    ? ["127.0.0.1"]
    : Array.from({ length: hosts }, (_, index) => `127.0.0.${index + 2}`);
}

/** On the same port of every address. */
async function listen(
  hosts: readonly string[],
  wanted: number,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server[]> {
  const servers: Server[] = [];
  let port = wanted;
  for (const host of hosts) {
    const server = createServer({ keepAliveTimeout: 60_000 }, handle).listen(port, host);
    await once(server, "listening");
    port = (server.address() as AddressInfo).port;
    servers.push(server);
  }
  return servers;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
}

function sendJson(response: ServerResponse, content: unknown): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(content));
}
