import type { Server } from "node:http";
import { registerClientRoutes } from "../clients/index.ts";
import type { Config } from "../config/index.ts";
import { registerConnect, type ConnectPages } from "../connect/index.ts";
import { registerConsole, registerProblemRoute } from "../console/index.ts";
import { queueNames } from "./build-queue.ts";
import { registerDataRoutes } from "../data/index.ts";
import { demoPath, readDemo } from "./local-state.ts";
import { createLimitedApp } from "./limited-app.ts";
import { MethodNotAllowed, NotFound, apiVersion } from "../model/index.ts";
import { registerGuides } from "../guides/index.ts";
import { registerHealthRoutes } from "./health.ts";
import {
  collectRoutes,
  FixedDocument,
  registerOpenApi,
  type HttpApp,
} from "../platform/http/index.ts";
import { registerEventRoutes } from "../events/index.ts";
import { registerProviderRoutes } from "../providers/index.ts";
import { registerSiteFiles } from "./site-files.ts";
import type { Services } from "./services.ts";
import type { StartSteps } from "./start-steps.ts";
import { registerSandboxRoutes } from "../sandbox/index.ts";
import { registerTokenRoutes } from "../tokens/index.ts";
import { employeesWebhook, eventWebhooks, registerDeliveryRoutes } from "../webhooks/index.ts";

/**
 * The HTTP API on a server that listens already, or on one that does not listen yet. Closing it also closes what only
 * it uses.
 */
export async function buildApi(
  services: Services,
  { steps, server }: { steps?: StartSteps; server?: Server } = {},
): Promise<HttpApp> {
  const { config, listener } = services;
  const app = await createLimitedApp(services, server);
  const routes = collectRoutes(app);
  await describeApi(app, config);
  registerPages(app, config);
  const { publicUrl: issuer, operatorSecurityContact: securityContact } = config;
  registerSiteFiles(app, { clock: services.clock, issuer, securityContact });
  registerHealthRoutes(app, services, steps);
  const { sendNowhere } = await registerRooms(app, services);
  routes.answerUnknown({
    page: { apiPath: `/${apiVersion}`, send: sendNowhere },
    notFound: (path) => new NotFound(path, "There is nothing at this path."),
    methodNotAllowed: (allowed) => new MethodNotAllowed(allowed),
  });
  listener.start();
  return app;
}

async function describeApi(app: HttpApp, { outboundAddresses, publicUrl }: Config): Promise<void> {
  await registerOpenApi(app, {
    title: "Rollcall",
    version: apiVersion,
    description: describe(outboundAddresses),
    serverUrl: publicUrl,
    license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
    tags: [
      { name: "Providers", description: "The HR and payroll systems that can be connected." },
      {
        name: "Management",
        description:
          "The client, its sign-in links, its tokens and the webhooks that were sent to it.",
      },
      { name: "Sandbox", description: "What happens at a client's connections of the sandbox." },
      { name: "xhr", description: "Data of connections made by a customer's own sign-in." },
      { name: "official", description: "Data of connections made with the vendor's API." },
      { name: "Webhooks", description: "Requests that the service sends to the client." },
      { name: "Health", description: "For operators: whether the service runs." },
    ],
    webhooks: [employeesWebhook, ...eventWebhooks],
  });
}

function registerPages(app: HttpApp, config: Config): void {
  registerGuides(app, {
    operatorName: config.operatorName,
    baseUrl: config.publicUrl,
    isLocal: config.isLocal,
    readDescription: () => app.swagger() as never,
    ...(config.isLocal && { findDemo: () => findDemo(config) }),
  });
}

/** In the order in which the description of the API lists them. */
async function registerRooms(app: HttpApp, services: Services): Promise<ConnectPages> {
  const { config, clock, clients, tokens, sync, events, webhooks, registry } = services;
  const { environment, publicUrl: issuer } = config;
  registerProviderRoutes(app, registry, (content) => new FixedDocument(content));
  await registerClientRoutes(app, {
    clients,
    issuer,
    statusesOf: (clientId) => webhooks.statusesOf(clientId),
  });
  await registerTokenRoutes(app, { clients, tokens });
  await registerDeliveryRoutes(app, { clients, webhooks });
  await registerEventRoutes(app, { clients, events });
  await registerProblemRoute(app, services);
  await registerSandboxRoutes(app, services);
  const connectPages = await registerConnect(app, {
    ...services,
    environment,
    issuer,
    brand: {
      serviceName: config.serviceName,
      operatorName: config.operatorName,
      color: config.operatorColor,
      logo: config.operatorLogo,
      marks: config.providerMarks,
      ofClients: config.clientBranding,
      privacyUrl: config.operatorPrivacyUrl,
      imprintUrl: config.operatorImprintUrl,
      supportUrl: config.operatorSupportUrl,
    },
    isLocal: config.isLocal,
    ...(config.isLocal && { findDemo: () => findDemo(config) }),
  });
  if (config.console.isOn)
    await registerConsole(app, {
      ...services,
      environment,
      publicUrl: issuer,
      isLocal: config.isLocal,
      takesClients: config.console.takesClients,
      queueNames,
    });
  await registerDataRoutes(app, { clients, tokens, sync, clock });
  return connectPages;
}

async function findDemo({ stateDir }: Config) {
  const demo = await readDemo(stateDir);
  return (
    demo && {
      baseUrl: demo.base_url,
      clientId: demo.client_id,
      clientSecret: demo.client_secret,
      sandboxToken: demo.sandbox_token,
      redirectUri: demo.redirect_uri,
      file: demoPath(stateDir),
    }
  );
}

function describe(outboundAddresses: readonly string[]): string {
  const published =
    outboundAddresses.length > 0
      ? outboundAddresses.map((address) => `\`${address}\``).join(", ")
      : "none are published for this environment";
  return [
    "Read access to the employee and payroll data that companies keep in HR and payroll systems.",
    "A data endpoint answers 202 with `Retry-After` while the data is being fetched from the provider; " +
      "repeat the call after that many seconds.",
    "A field that the provider does not have is null and never left out. Dates are `YYYY-MM-DD`, times RFC " +
      "3339 in UTC. Replies are compressed as `Accept-Encoding` asks: `br`, `gzip` or `deflate`.",
    "Any request can also get 400 (it is not valid HTTP, or its query has more than 50 parameters), 405 (the path " +
      "has other methods), 408 (it took too long to arrive), 414 (its " +
      "URL is too long) or 431 (its headers are too large), with a `message`.",
    `Outgoing requests of this service come from: ${published}.`,
  ].join("\n\n");
}
