import type { HttpApp } from "../../platform/http/index.ts";
import { endedPage, endedPath } from "../pages/ended-page.ts";
import { consolePath } from "../pages/layout.ts";
import { problemsPage } from "../pages/problems-page.ts";
import { findEndedProblems } from "../problems/find-ended.ts";
import { findProblems } from "../problems/find-problems.ts";
import type { EndedCursor } from "../problems/problem-store.ts";
import type { ConsoleDependencies } from "./console-dependencies.ts";
import { sendPage } from "./page-scope.ts";
import { findNames, given, pageSize, shownRoute, viewerOf } from "./show.ts";

export function registerProblemPages(app: HttpApp, dependencies: ConsoleDependencies): void {
  app.get(`${consolePath}/problems`, shownRoute, async (request, reply) => {
    const viewer = viewerOf(request);
    const found = await findProblems(dependencies, viewer.clientId);
    const names = await findNames(dependencies, found.problems);
    return sendPage(reply, problemsPage(viewer, found, names));
  });

  app.get(endedPath, shownRoute, async (request, reply) => {
    const viewer = viewerOf(request);
    const after = parseCursor(given(request.query, "before"));
    const { problems, next } = await findEndedProblems(dependencies, viewer.clientId, {
      after,
      limit: pageSize,
    });
    const names = await findNames(dependencies, problems);
    const shown = { problems, next: next && `${next.at.getTime()}_${next.id}` };
    return sendPage(reply, endedPage(viewer, shown, names));
  });
}

function parseCursor(text: string | undefined): EndedCursor | undefined {
  const [, ms, id] = /^(\d{1,14})_(\d{1,18})$/.exec(text ?? "") ?? [];
  return ms !== undefined && id !== undefined ? { at: new Date(Number(ms)), id } : undefined;
}
