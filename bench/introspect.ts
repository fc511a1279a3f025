import { onStage, type ManagementStage } from "./management.ts";
import type { Claim } from "./report.ts";

/** The introspection of a token, against oidc-provider. */
export async function benchIntrospect(): Promise<Claim[]> {
  return [...(await onStage("embedded", measure)), ...(await onStage("redis", measure))];
}

async function measure(stage: ManagementStage): Promise<Claim[]> {
  const oidc = await stage.startOidcPeer(1);
  return await stage.measureAgainst(oidc.server, [
    {
      name: `${stage.store}: introspect against oidc-provider`,
      ...(stage.store === "redis" && { target: 7 }),
      requests: 500,
      ours: await stage.introspection(),
      reference: await oidc.introspection(),
    },
  ]);
}
