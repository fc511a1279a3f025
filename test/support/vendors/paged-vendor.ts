import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { makeEmployee } from "../../../bench/people.ts";

/** A vendor of many companies, whose lists come in pages, as the provider `paged` of paged-provider.ts reads them. */
export interface PagedVendor {
  url: string;
  /** How often it was asked for a page. */
  requests(): number;
  /** One employee of each of these companies gets another job title. */
  change(companies: readonly string[]): void;
  close(): Promise<void>;
}

/** Each company has so many employees, in so many pages. */
export async function startPagedVendor(size: {
  employees: number;
  pages: number;
}): Promise<PagedVendor> {
  const perPage = Math.ceil(size.employees / size.pages);
  const changed = new Set<string>();
  let requests = 0;
  const pageOf = (company: string, page: number): string => {
    const first = (page - 1) * perPage + 1;
    const count = Math.max(0, Math.min(perPage, size.employees - first + 1));
    const records = Array.from({ length: count }, (_, index) =>
      first + index === 1 && changed.has(company)
        ? makeEmployee(1, "Head of Warehouse")
        : makeEmployee(first + index),
    );
    return JSON.stringify({ records, isLast: page >= size.pages });
  };
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    requests += 1;
    const { searchParams } = new URL(request.url ?? "/", "http://vendor");
    const body = pageOf(searchParams.get("company") ?? "", Number(searchParams.get("page")));
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    change: (companies) => companies.forEach((company) => changed.add(company)),
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
