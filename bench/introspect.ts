import type { Store } from "./companies.ts";
import { management, onStage, type ManagementStage } from "./management.ts";
import type { Claim } from "./report.ts";

const targets: Record<Store, { target: number; guard: number }> = {
  embedded: { target: 0.1, guard: 0.07 },
  redis: { target: 0.08, guard: 0.05 },
};

/** The introspection of a token, against a Fastify that sends the same bytes. */
export async function benchIntrospect(): Promise<Claim[]> {
  return [...(await onStage("embedded", measure)), ...(await onStage("redis", measure))];
}

async function measure(stage: ManagementStage): Promise<Claim[]> {
  const [code = ""] = await stage.issueCodes(1);
  const issued = JSON.parse(Buffer.from(await stage.exchange(code)).toString()) as {
    access_token: string;
  };
  const path = `${management}/introspect`;
  const headers = { authorization: `Bearer ${issued.access_token}` };
  return await stage.measure(
    [{ name: "introspect", encoding: undefined, bytes: await stage.fetchBytes(path, headers) }],
    [
      {
        name: `${stage.store}: introspect against a bare route`,
        ...targets[stage.store],
        requests: 1_500,
        ours: { path, headers },
        bare: { path: "/introspect" },
      },
    ],
  );
}
