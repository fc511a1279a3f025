import type { Store } from "./companies.ts";
import { management, onStage, type ManagementStage } from "./management.ts";
import type { Claim } from "./report.ts";
import { rounds } from "./warm.ts";

const requests = 300;
const targets: Record<Store, { target: number; guard: number }> = {
  embedded: { target: 0.06, guard: 0.03 },
  redis: { target: 0.06, guard: 0.03 },
};

/** The exchange of a code, which changes four tables, against a Fastify that parses the same and stores nothing. */
export async function benchExchange(): Promise<Claim[]> {
  return [...(await onStage("embedded", measure)), ...(await onStage("redis", measure))];
}

async function measure(stage: ManagementStage): Promise<Claim[]> {
  // One round more warms up.
  const codes = await stage.issueCodes(requests * (rounds + 1) + 1);
  const bytes = await stage.exchange(codes.pop() ?? "");
  const body = stage.exchangeBody(codes[0] ?? "");
  return await stage.measure(
    [{ name: "exchange", encoding: undefined, bytes }],
    [
      {
        name: `${stage.store}: exchange of a code against a bare POST that stores nothing`,
        ...targets[stage.store],
        requests,
        ours: {
          path: `${management}/token`,
          nextBody: () => stage.exchangeBody(codes.pop() ?? ""),
          status: 201,
        },
        bare: { path: "/exchange", nextBody: () => body },
      },
    ],
  );
}
