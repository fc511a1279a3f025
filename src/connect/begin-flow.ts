import { createFlow } from "./create-flow.ts";
import type { Flow } from "./flow.ts";
import { findFlow, type FlowSource } from "./find-flow.ts";
import { insertBegunFlow, type Opener } from "./insert-begun-flow.ts";
import type { OpenedLink } from "./opened-link.ts";
import type { Needs } from "./services.ts";

/**
 * Makes the flow of a client's own link at the first form that the browser sends. However often that form comes, there
 * is one flow. Throws RateLimited when the opener's network has too many open.
 */
export async function beginFlow(
  dependencies: FlowSource & Needs<"registry">,
  { flowId, request }: OpenedLink,
  { browser, opener }: { browser: string; opener: Opener },
): Promise<Flow> {
  const opening = { kind: "browser", browser } as const;
  const begun = createFlow(dependencies, request, { id: flowId, opening });
  await insertBegunFlow(dependencies, begun, opener);
  const flow = await findFlow(dependencies, flowId);
  if (!flow) throw new Error("the flow that was begun is gone");
  return flow;
}
