import type { HttpApp } from "../../platform/http/index.ts";
import { consolePath } from "../pages/layout.ts";
import { signaturePage } from "../pages/signature-page.ts";
import { deliveryPage, webhooksPage } from "../pages/webhooks-page.ts";
import { mostOfKind } from "../problems/find-problems.ts";
import type { ConsoleDependencies } from "./console-dependencies.ts";
import { sendPage } from "./page-scope.ts";
import {
  change,
  chosenClient,
  doneOf,
  findNames,
  given,
  isUuid,
  leadTo,
  offerClients,
  pageSize,
  requireUuid,
  shownRoute,
  viewerOf,
} from "./show.ts";

export function registerDeliveryPages(app: HttpApp, dependencies: ConsoleDependencies): void {
  const { webhooks } = dependencies;

  app.get(`${consolePath}/webhooks`, shownRoute, async (request, reply) => {
    const viewer = viewerOf(request);
    const client = chosenClient(viewer, request);
    const isFailed = given(request.query, "state") === "failed";
    const asked = given(request.query, "before");
    const [found, failing, clients] = await Promise.all([
      webhooks.list({
        clientId: client,
        after: asked !== undefined && isUuid(asked) ? asked : undefined,
        status: isFailed ? "failed" : undefined,
        limit: pageSize + 1,
      }),
      webhooks.lists.failing(client, { limit: mostOfKind + 1 }),
      offerClients(viewer, dependencies, client),
    ]);
    const names = await findNames(dependencies, failing);
    const deliveries = found.slice(0, pageSize);
    const shown = {
      deliveries,
      failing: failing.slice(0, mostOfKind),
      areMoreFailing: failing.length > mostOfKind,
      client: viewer.clientId === undefined ? client : undefined,
      isFailed,
      next: found.length > pageSize ? deliveries.at(-1)?.id : undefined,
      clients,
    };
    return sendPage(reply, webhooksPage(viewer, shown, names));
  });

  app.get(`${consolePath}/webhooks/signature`, shownRoute, async (request, reply) =>
    sendPage(reply, signaturePage(viewerOf(request))),
  );

  app.get(`${consolePath}/deliveries/:id`, shownRoute, async (request, reply) => {
    const viewer = viewerOf(request);
    const id = requireUuid(given(request.params, "id"));
    const delivery = await webhooks.find(id, viewer.clientId);
    const attempts = await webhooks.lists.attempts(id);
    return sendPage(reply, deliveryPage(viewer, { delivery, attempts, done: doneOf(request) }));
  });

  app.post(`${consolePath}/deliveries/:id/replay`, shownRoute, async (request, reply) => {
    const id = requireUuid(given(request.params, "id"));
    const delivery = await webhooks.find(id, viewerOf(request).clientId);
    const subject = { clientId: delivery.clientId, tokenId: delivery.tokenId ?? undefined };
    const sent = await change(
      dependencies,
      request,
      { did: "delivery.sent-again", ...subject },
      () => webhooks.replay(delivery),
    );
    return leadTo(reply, `${consolePath}/deliveries/${sent.id}`, "sent");
  });
}
