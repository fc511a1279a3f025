import cookie from "@fastify/cookie";
import { registerAssetRoute, takeForms, type HttpApp } from "../../platform/http/index.ts";
import { assetFolder, assets } from "../assets.ts";
import { consolePath } from "../pages/layout.ts";
import { ConsoleSessions } from "../sessions.ts";
import type { Viewer } from "../viewer.ts";
import { checkForm, originCheck } from "./check-form.ts";
import { ConsoleCookie } from "./console-cookie.ts";
import type { ConsoleDependencies, ConsoleRooms } from "./console-dependencies.ts";
import { registerOrganisationRoutes } from "./organisation-routes.ts";
import { prepareReplies, sendError } from "./page-scope.ts";
import { registerPageRoutes } from "./page-routes.ts";
import { registerSignInRoutes } from "./sign-in-routes.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who is signed in to the console. Set on each of its pages but those of the sign-in. */
    viewer?: Viewer;
    /** The cookie of that session. */
    consoleSession?: string;
  }
}

/** The pages for operators and developers. */
export async function registerConsole(app: HttpApp, rooms: ConsoleRooms): Promise<void> {
  const dependencies: ConsoleDependencies = {
    ...rooms,
    cookie: new ConsoleCookie(rooms),
    sessions: new ConsoleSessions(rooms),
    isOwnOrigin: originCheck(rooms),
  };
  await app.register(async (inner) => {
    const scope = inner as HttpApp;
    await scope.register(cookie);
    takeForms(scope);
    prepareReplies(scope, { isSecure: rooms.publicUrl.startsWith("https:") });
    registerAssetRoute(scope, {
      folder: assetFolder,
      assets: Object.values(assets),
      refuse: (request, reply) => sendError(request, reply, "missing"),
    });
    registerSignInRoutes(scope, dependencies);
    if (rooms.operatorIssuer) registerOrganisationRoutes(scope, dependencies, rooms.operatorIssuer);
    await scope.register(async (signedIn) => {
      guardPages(signedIn as HttpApp, dependencies);
      registerPageRoutes(signedIn as HttpApp, dependencies);
    });
  });
}

/** Whoever is not signed in is led to the sign-in. Each form has to be one of the session's own pages. */
function guardPages(
  app: HttpApp,
  { cookie: cookies, sessions, isOwnOrigin, takesClients }: ConsoleDependencies,
): void {
  app.addHook("onRequest", async (request, reply) => {
    const session = cookies.read(request);
    const found = session === undefined ? undefined : await sessions.find(session);
    const viewer = found?.clientId === undefined || takesClients ? found : undefined;
    if (session === undefined || viewer === undefined) {
      const [path = consolePath] = request.url.split("?", 1);
      const to = request.method === "GET" ? `?to=${encodeURIComponent(path)}` : "";
      return reply.redirect(`${consolePath}/sign-in${to}`, 303);
    }
    request.viewer = viewer;
    request.consoleSession = session;
    if (viewer.clientId !== undefined) request.logIds["clientId"] = viewer.clientId;
    return undefined;
  });
  app.addHook("preHandler", async (request) => {
    const { viewer, method } = request;
    if (method === "POST") checkForm(request, { formToken: viewer?.formToken ?? "", isOwnOrigin });
  });
}
