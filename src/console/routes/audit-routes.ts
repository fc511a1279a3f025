import { Readable } from "node:stream";
import { exportLines, verifyRecord } from "../../audit/index.ts";
import type { HttpApp } from "../../platform/http/index.ts";
import { auditPage, auditPath, verificationPage } from "../pages/audit-pages.ts";
import type { ConsoleDependencies } from "./console-dependencies.ts";
import { sendPage } from "./page-scope.ts";
import {
  change,
  chosenClient,
  given,
  pageSize,
  requireOperator,
  shownRoute,
  viewerOf,
} from "./show.ts";

/** More entries take longer than somebody looks at a page that does not come. */
const mostVerified = 200_000;

/** The record, and for operators the same two proofs that the commands give. */
export function registerAuditPages(app: HttpApp, dependencies: ConsoleDependencies): void {
  const { audit, auditChain, pool } = dependencies;

  app.get(auditPath, shownRoute, async (request, reply) => {
    const viewer = viewerOf(request);
    const client = chosenClient(viewer, request);
    const asked = given(request.query, "before");
    const before = asked !== undefined && /^\d{1,18}$/.test(asked) ? asked : undefined;
    const found = await audit.list(pool, {
      limit: pageSize + 1,
      ...(client !== undefined && { clientId: client }),
      ...(before !== undefined && { before }),
    });
    const entries = found.slice(0, pageSize);
    const next = found.length > pageSize ? entries.at(-1)?.id : undefined;
    return sendPage(reply, auditPage(viewer, { entries, client, next }));
  });

  app.post(`${auditPath}/verify`, shownRoute, async (request, reply) => {
    const viewer = requireOperator(request);
    const found = await change(dependencies, request, { did: "audit.verified" }, async () =>
      (await auditChain.length()) > mostVerified
        ? undefined
        : await verifyRecord({ pool, key: audit.key }, []),
    );
    return sendPage(reply, verificationPage(viewer, found));
  });

  app.post(`${auditPath}/export`, shownRoute, async (request, reply) => {
    requireOperator(request);
    const lines = await change(dependencies, request, { did: "audit.exported" }, async () =>
      exportLines({ pool, auditChain }),
    );
    return reply
      .type("application/jsonl; charset=utf-8")
      .header("content-disposition", 'attachment; filename="audit.jsonl"')
      .send(Readable.from(lines));
  });
}
