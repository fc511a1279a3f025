import { sha256 } from "../platform/crypto/index.ts";
import type { Pool } from "../platform/db/index.ts";
import type { Flow } from "./flow.ts";
import { findFlow, type FlowSource } from "./find-flow.ts";
import { recoverSignIn } from "./recover-sign-in.ts";

export interface VisitFlowDependencies extends FlowSource {
  pool: Pool;
}

/** What a browser that opens a flow's address gets. The flow of another browser is unknown to it. */
export type Visit =
  { kind: "flow"; flow: Flow } | { kind: "unknown" } | { kind: "expired"; flow: Flow };

export async function visitFlow(
  dependencies: VisitFlowDependencies,
  id: string,
  browser: string | undefined,
): Promise<Visit> {
  const flow = await findFlow(dependencies, id);
  if (!flow || !browser || !flow.browserDigest?.equals(sha256(browser))) return { kind: "unknown" };
  if (flow.isExpired) return { kind: "expired", flow };
  return { kind: "flow", flow: await recoverSignIn(dependencies, flow) };
}
