import type { ClientId } from "../../model/index.ts";
import type { HttpApp } from "../../platform/http/index.ts";
import { sumSpans } from "../counts/count-store.ts";
import { consolePath } from "../pages/layout.ts";
import { overviewPage, mostCounted } from "../pages/overview-page.ts";
import { findProblems } from "../problems/find-problems.ts";
import { registerAuditPages } from "./audit-routes.ts";
import { registerClientPages } from "./client-routes.ts";
import { registerConnectionPages } from "./connection-routes.ts";
import type { ConsoleDependencies } from "./console-dependencies.ts";
import { registerDeliveryPages } from "./delivery-routes.ts";
import { sendPage } from "./page-scope.ts";
import { registerProblemPages } from "./problem-pages.ts";
import { registerReadPages } from "./read-routes.ts";
import { registerServicePages } from "./service-routes.ts";
import { findNames, leadTo, shownRoute, viewerOf } from "./show.ts";
import { registerTryPages } from "./try-routes.ts";

/** Every page behind the sign-in. */
export function registerPageRoutes(app: HttpApp, dependencies: ConsoleDependencies): void {
  const { cookie, sessions, connections, reads, sync, pool } = dependencies;

  app.post(`${consolePath}/sign-out`, shownRoute, async (request, reply) => {
    if (request.consoleSession !== undefined) await sessions.end(request.consoleSession);
    cookie.clear(reply);
    return reply.header("clear-site-data", '"cache"').redirect(`${consolePath}/sign-in`, 303);
  });

  app.get(consolePath, shownRoute, async (request, reply) => {
    const viewer = viewerOf(request);
    const { clientId } = viewer;
    const [all, refused, forbidden, pending, found, day, month, ids] = await Promise.all([
      connections.listing.count({ clientId }, mostCounted),
      connections.listing.count({ clientId, state: "refused" }, mostCounted),
      connections.listing.count({ clientId, state: "forbidden" }, mostCounted),
      reads.lists.countPending(clientId, mostCounted),
      findProblems(dependencies, clientId),
      sumSpans(pool, clientId, "day"),
      sumSpans(pool, clientId, "month"),
      connections.listing.sample(clientId),
    ]);
    const names = await findNames(dependencies, found.problems);
    const counts = { connections: all, refused, forbidden, waiting: pending };
    const freshness = { ages: await sync.ages(ids), sampled: ids.length };
    const shown = {
      counts,
      found,
      isNew: await isNew(dependencies, clientId, all),
      spans: { day, month },
      freshness,
    };
    return sendPage(reply, overviewPage(viewer, shown, names));
  });

  app.get(`${consolePath}/`, shownRoute, async (_request, reply) => leadTo(reply, consolePath));

  registerProblemPages(app, dependencies);
  registerConnectionPages(app, dependencies);
  registerTryPages(app, dependencies);
  registerReadPages(app, dependencies);
  registerDeliveryPages(app, dependencies);
  registerClientPages(app, dependencies);
  registerAuditPages(app, dependencies);
  registerServicePages(app, dependencies);
}

/** Nobody has connected anything: what is there may be that of the sandbox's shared token. */
async function isNew(
  { connections, clients }: ConsoleDependencies,
  clientId: ClientId | undefined,
  count: number,
): Promise<boolean> {
  if (count > 1) return false;
  const { listed } = await connections.listing.page({ clientId, limit: 1 });
  const [only] = listed;
  return only === undefined || (await clients.isSharedSandbox(only.clientId));
}
