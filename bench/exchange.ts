import { management, onStage, type ManagementStage } from "./management.ts";
import { atOnce, rounds } from "./options.ts";
import type { Claim } from "./report.ts";

const requests = 400;
const mostWarmUps = 10;

/** The exchange of a code, which changes four tables and the audit record, against oidc-provider, which stores its part. */
export async function benchExchange(): Promise<Claim[]> {
  return [...(await onStage("embedded", measure)), ...(await onStage("redis", measure))];
}

async function measure(stage: ManagementStage): Promise<Claim[]> {
  const needed = (requests + atOnce) * (mostWarmUps + rounds);
  const oidc = await stage.startOidcPeer(needed);
  const codes = await stage.issueCodes(needed);
  return await stage.measureAgainst(oidc.server, [
    {
      name: `${stage.store}: exchange of a code against oidc-provider`,
      target: 0.5,
      requests,
      mostWarmUps,
      ours: {
        path: `${management}/token`,
        nextBody: () => stage.exchangeBody(codes.pop() ?? ""),
        status: 201,
      },
      reference: oidc.exchange,
    },
  ]);
}
