import { findNewestMigration } from "../../platform/db/index.ts";
import type { HttpApp } from "../../platform/http/index.ts";
import { readProgramVersion } from "../../platform/program-version.ts";
import { withTimeout } from "../../platform/with-timeout.ts";
import { sumProviders } from "../counts/count-store.ts";
import { describeProviders } from "../counts/describe-providers.ts";
import { consolePath } from "../pages/layout.ts";
import { action, actions } from "../pages/pieces.ts";
import { providersPage, systemPage } from "../pages/service-pages.ts";
import type { ConsoleDependencies } from "./console-dependencies.ts";
import { sendPage } from "./page-scope.ts";
import { change, leadTo, requireOperator, shownRoute, viewerOf } from "./show.ts";

const queueMs = 1_500;

export function registerServicePages(app: HttpApp, dependencies: ConsoleDependencies): void {
  const { pool, registry, reads, sessions, keys, keyring, queue, queueNames } = dependencies;

  app.get(`${consolePath}/providers`, shownRoute, async (request, reply) => {
    const viewer = viewerOf(request);
    const [{ failing, isCut }, work] = await Promise.all([
      reads.lists.failing(viewer.clientId),
      sumProviders(pool, viewer.clientId),
    ]);
    const figures = describeProviders(work);
    return sendPage(reply, providersPage(viewer, registry.list(), { failing, isCut, figures }));
  });

  app.get(`${consolePath}/system`, shownRoute, async (request, reply) => {
    const viewer = requireOperator(request);
    const [processes, formerKeys, migration, queues, signedIn] = await Promise.all([
      keys.processes(),
      keys.listUnretired(),
      findNewestMigration(pool),
      withTimeout(queueMs, () => queue.depths(queueNames)).catch(() => undefined),
      sessions.list(),
    ]);
    const shown = {
      version: readProgramVersion(),
      migration: migration?.name ?? "none",
      processes,
      activeKey: keyring.activeKeyId,
      formerKeys,
      queues,
      sessions: signedIn,
    };
    const end = action(viewer, {
      address: `${consolePath}/system/end-sessions`,
      label: "End all sessions",
      asks: "Everybody is signed out of the console, you too. Links that were not used yet end as well.",
      isDanger: true,
    });
    return sendPage(reply, systemPage(viewer, shown, actions(end)));
  });

  app.post(`${consolePath}/system/end-sessions`, shownRoute, async (request, reply) => {
    requireOperator(request);
    await change(dependencies, request, { did: "sessions.ended" }, () => sessions.endAll());
    return leadTo(reply, `${consolePath}/sign-in`);
  });
}
