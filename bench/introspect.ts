import { onStage, type ManagementStage } from "./management.ts";
import type { Claim } from "./report.ts";
import type { Store } from "./with-context.ts";

const requests = 1_500;
const peerRequests = 500;
const targets: Record<Store, { target: number; guard: number }> = {
  embedded: { target: 0.1, guard: 0.07 },
  redis: { target: 0.08, guard: 0.05 },
};
const peerTargets: Record<Store, { target: number; guard: number }> = {
  embedded: { target: 3.5, guard: 2.7 },
  redis: { target: 9, guard: 7 },
};

/** The introspection of a token, against a Fastify that sends the same bytes, and against oidc-provider. */
export async function benchIntrospect(): Promise<Claim[]> {
  return [...(await onStage("embedded", measure)), ...(await onStage("redis", measure))];
}

async function measure(stage: ManagementStage): Promise<Claim[]> {
  const ours = await stage.introspection();
  const bytes = await stage.fetchBytes(ours.path, ours.headers);
  const bare = await stage.measure(
    [{ name: "introspect", encoding: undefined, bytes }],
    [
      {
        name: `${stage.store}: introspect against a bare route`,
        ...targets[stage.store],
        requests,
        ours,
        reference: { path: "/introspect" },
      },
    ],
  );
  const oidc = await stage.startOidcPeer(1);
  const peer = await stage.measureAgainst(oidc.server, [
    {
      name: `${stage.store}: introspect against oidc-provider`,
      ...peerTargets[stage.store],
      requests: peerRequests,
      ours,
      reference: await oidc.introspection(),
    },
  ]);
  return [...bare, ...peer];
}
