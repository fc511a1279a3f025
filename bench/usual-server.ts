// What the usual stack does: rows from Postgres, stringified and compressed for each request, limits by the plugin.
// Its parent sends the address of the database, and gets its port.
import type { AddressInfo } from "node:net";
import compress from "@fastify/compress";
import rateLimit from "@fastify/rate-limit";
import { fastify } from "fastify";
import { Pool } from "pg";

process.once("message", (databaseUrl: string) => void serve(databaseUrl));
process.once("disconnect", () => process.exit());

async function serve(databaseUrl: string): Promise<void> {
  const pool = new Pool({ connectionString: databaseUrl });
  const app = fastify();
  await app.register(compress, { threshold: 0 });
  await app.register(rateLimit, { max: 1_000_000_000, timeWindow: 60_000 });
  app.get("/employees/:company", async (request) => {
    const { company } = request.params as { company: string };
    const { rows } = await pool.query<{ data: unknown }>({
      name: "employees",
      text: "select data from usual_employees where company = $1 order by position",
      values: [Number(company)],
    });
    return rows.map(({ data }) => data);
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  process.send?.((app.server.address() as AddressInfo).port);
}
