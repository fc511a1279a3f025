import { management, onStage, type ManagementStage } from "./management.ts";
import { rounds } from "./options.ts";
import type { Claim } from "./report.ts";
import { warmUpRounds } from "./warm.ts";
import type { Store } from "./with-context.ts";

const requests = 200;
const targets: Record<Store, { target: number; guard: number }> = {
  embedded: { target: 0.03, guard: 0.023 },
  redis: { target: 0.03, guard: 0.023 },
};
const peerTarget = { target: 0.48, guard: 0.37 };

/**
 * The exchange of a code, which changes four tables, against a Fastify that parses the same and stores nothing, and
 * against oidc-provider, which stores its part too.
 */
export async function benchExchange(): Promise<Claim[]> {
  return [...(await onStage("embedded", measure)), ...(await onStage("redis", measure))];
}

async function measure(stage: ManagementStage): Promise<Claim[]> {
  const needed = requests * (warmUpRounds + rounds);
  const codes = await stage.issueCodes(2 * needed + 1);
  const bytes = await stage.exchange(codes.pop() ?? "");
  const body = stage.exchangeBody(codes[0] ?? "");
  const ours = {
    path: `${management}/token`,
    nextBody: () => stage.exchangeBody(codes.pop() ?? ""),
    status: 201,
  };
  const bare = await stage.measure(
    [{ name: "exchange", encoding: undefined, bytes }],
    [
      {
        name: `${stage.store}: exchange of a code against a bare POST that stores nothing`,
        ...targets[stage.store],
        requests,
        ours,
        reference: { path: "/exchange", nextBody: () => body },
      },
    ],
  );
  const oidc = await stage.startOidcPeer(needed);
  const peer = await stage.measureAgainst(oidc.server, [
    {
      name: `${stage.store}: exchange of a code against oidc-provider`,
      ...peerTarget,
      requests,
      ours,
      reference: oidc.exchange,
    },
  ]);
  return [...bare, ...peer];
}
