import type { HttpApp } from "../../platform/http/index.ts";
import type { Read, ReadCursor } from "../../reading/index.ts";
import { consolePath } from "../pages/layout.ts";
import { readPage, readsPage } from "../pages/reads-page.ts";
import type { ConsoleDependencies } from "./console-dependencies.ts";
import { sendPage } from "./page-scope.ts";
import {
  findNames,
  given,
  isUuid,
  pageSize,
  requireOwn,
  requireUuid,
  shownRoute,
  viewerOf,
} from "./show.ts";

const path = `${consolePath}/reads`;

export function registerReadPages(app: HttpApp, dependencies: ConsoleDependencies): void {
  const { reads, connections } = dependencies;

  app.get(path, shownRoute, async (request, reply) => {
    const viewer = viewerOf(request);
    const { clientId } = viewer;
    const filter = given(request.query, "state") === "failed" ? "failed" : "pending";
    const after = parseCursor(given(request.query, "before"));
    const page =
      filter === "failed"
        ? await reads.lists.failed(clientId, { after, limit: pageSize })
        : { reads: await reads.lists.pending(clientId, pageSize + 1), next: undefined };
    const isCut = page.reads.length > pageSize;
    const { system } = await findNames(dependencies);
    const listed = page.reads.slice(0, pageSize);
    const shown = clientId === undefined ? listed : await ownOnly(listed, clientId);
    const next = page.next && `${page.next.micros}_${page.next.id}`;
    return sendPage(reply, readsPage(viewer, { reads: shown, filter, next, isCut }, system));
  });

  /** Whose a read is says its connection, which is proved. */
  const ownOnly = async (listed: readonly Read[], clientId: string): Promise<Read[]> => {
    const ids = [...new Set(listed.map(({ connectionId }) => connectionId))];
    const found = ids.length > 0 ? await connections.findAll(ids) : [];
    const own = new Set(found.flatMap((each) => (each.clientId === clientId ? each.id : [])));
    return listed.filter(({ connectionId }) => own.has(connectionId));
  };

  app.get(`${path}/:id`, shownRoute, async (request, reply) => {
    const viewer = viewerOf(request);
    const read = await reads.find(requireUuid(given(request.params, "id")));
    const connection = await connections.find(read.connectionId);
    requireOwn(viewer, connection?.clientId, read.id);
    const { system } = await findNames(dependencies);
    return sendPage(
      reply,
      readPage(viewer, read, { system: system(read.provider), tokenId: connection?.tokenId }),
    );
  });
}

function parseCursor(text: string | undefined): ReadCursor | undefined {
  const [micros = "", id = ""] = (text ?? "").split("_", 2);
  return /^\d{1,17}$/.test(micros) && isUuid(id) ? { micros, id } : undefined;
}
