import { onStage, type ManagementStage } from "./management.ts";
import type { Claim } from "./report.ts";

const documents = [
  { path: "/openapi.json", encoding: "br" },
  { path: "/openapi.json", encoding: "identity" },
  { path: "/docs/reference/list-employees", encoding: "br" },
  { path: "/providers", encoding: "br" },
] as const;

/** Documents that do not change, against a Fastify that sends the same Buffer. */
export async function benchDocuments(): Promise<Claim[]> {
  return await onStage("embedded", measure);
}

async function measure(stage: ManagementStage): Promise<Claim[]> {
  const bodies = await Promise.all(
    documents.map(async ({ path, encoding }, index) => ({
      name: `document-${index}`,
      encoding: encoding === "identity" ? undefined : encoding,
      bytes: await stage.fetchBytes(path, { "accept-encoding": encoding }),
    })),
  );
  const measurements = documents.map(({ path, encoding }, index) => ({
    name: `${path} (${encoding}) against the same Buffer`,
    target: 0.35,
    requests: 1_500,
    ours: { path, headers: { "accept-encoding": encoding } },
    reference: { path: `/document-${index}` },
  }));
  return await stage.measure(bodies, measurements);
}
