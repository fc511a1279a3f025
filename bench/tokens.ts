import { management, onStage, type ManagementStage } from "./management.ts";
import type { Claim } from "./report.ts";

const lists = [
  { count: 10, requests: 600 },
  { count: 1_000, requests: 100 },
  { count: 10_000, requests: 20 },
] as const;

/** The list of a client's tokens, against a Fastify that sends the same Buffer; and a page of ten from its middle. */
export async function benchTokens(): Promise<Claim[]> {
  return await onStage("embedded", measure);
}

async function measure(stage: ManagementStage): Promise<Claim[]> {
  const path = `${management}/tokens`;
  const { basic: headers } = stage;
  const claims: Claim[] = [];
  for (const { count, requests } of lists) {
    await stage.fillTokens(count);
    const bytes = await stage.fetchBytes(path, headers);
    const name = `the list of ${count} tokens against the same Buffer`;
    claims.push(
      ...(await stage.measure(
        [{ name: "list", encoding: undefined, bytes }],
        [{ name, requests, ours: { path, headers }, reference: { path: "/list" } }],
      )),
    );
  }
  return [...claims, ...(await measurePage(stage))];
}

async function measurePage(stage: ManagementStage): Promise<Claim[]> {
  const { basic: headers } = stage;
  const path = await stage.middlePage();
  return await stage.measure(
    [{ name: "page", encoding: undefined, bytes: await stage.fetchBytes(path, headers) }],
    [
      {
        name: "a page of 10 among 10,000 tokens against the same Buffer",
        requests: 600,
        ours: { path, headers },
        reference: { path: "/page" },
      },
    ],
  );
}
