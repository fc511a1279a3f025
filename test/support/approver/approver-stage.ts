import { join } from "node:path";
import { readDemo } from "../../../src/start/local-state.ts";
import { carried, ConnectVisitor, linkPath, type Seen } from "../connect-visitor.ts";
import type { Reply } from "../http-client.ts";
import { makeUsedStateDir, projectDir } from "../program-environment.ts";
import { readWhenReady } from "../read-when-ready.ts";
import { startService, type ServiceProcess } from "../service-process.ts";
import { answerApprover } from "./answer-approver.ts";
import { application, startApprover, type Approver } from "./start-approver.ts";

/** The service in local mode with a provider whose people approve on its own page. */
export interface ApproverStage {
  service: ServiceProcess;
  approver: Approver;
  client: { clientId: string; clientSecret: string; redirectUri: string };
  stateDir: string;
  stop: () => Promise<void>;
}

const scope = "/2023-03-01/xhr/employees";
const exchangePath = "/2023-03-01/management/token";

/** What the operator configures. */
export const offered = {
  PROVIDERS: join(projectDir, "test/support/approver/adapter.js"),
  PROVIDER_APPROVER_CLIENT_ID: application.clientId,
  PROVIDER_APPROVER_CLIENT_SECRET: application.clientSecret,
};

export async function startApproverStage(): Promise<ApproverStage> {
  const { stateDir, remove } = await makeUsedStateDir();
  const service = await startService({
    STATE_DIR: stateDir,
    LOG_LEVEL: "debug",
    ...offered,
    SNAPSHOT_FRESH_SECONDS: "1",
    SNAPSHOT_STALE_SECONDS: "1",
    RATE_LIMIT_OPEN_1M: "100000",
    RATE_LIMIT_OPEN_5M: "100000",
    RATE_LIMIT_GATED_IP_1M: "100000",
    RATE_LIMIT_GATED_CLIENT_5M: "100000",
  });
  await service.untilStarted();
  const approver = await startApprover(`${service.baseUrl}/connect/callback`);
  const demo = await readDemo(stateDir);
  if (!demo) throw new Error("there is no demo client");
  const client = {
    clientId: demo.client_id,
    clientSecret: demo.client_secret,
    redirectUri: demo.redirect_uri,
  };
  const stop = async (): Promise<void> => {
    await service.stop();
    await approver.stop();
    await remove();
  };
  return { service, approver, client, stateDir, stop };
}

export function linkOf({ client }: Pick<ApproverStage, "client">): string {
  const state = "of the client";
  const redirect_uri = client.redirectUri;
  return linkPath(client, { provider: "approver", scope, redirect_uri, state });
}

/** To the address of the provider's own page. */
export async function openProviderPage(
  stage: ApproverStage,
  visitor: ConnectVisitor,
  path = linkOf(stage),
): Promise<URL> {
  const page = await visitor.open(path);
  const { left } = await visitor.send(page, "sign-in", { address: stage.approver.origin });
  if (left === undefined) throw new Error("nothing leads to the provider's page");
  return new URL(left);
}

/** Opens what the provider's page sent the browser back to, until the flow ends or asks something. */
export async function comeBack(visitor: ConnectVisitor, callback: string): Promise<Seen> {
  const { pathname, search } = new URL(callback);
  return await visitor.settle(await visitor.open(pathname + search));
}

export async function signIn(
  stage: ApproverStage,
  path = linkOf(stage),
  options: Parameters<typeof answerApprover>[1] = {},
): Promise<Seen> {
  const visitor = new ConnectVisitor(stage.service.baseUrl);
  const address = await openProviderPage(stage, visitor, path);
  return await comeBack(visitor, await answerApprover(address.href, options));
}

/** The token for the code of a redirect to the client. */
export async function exchange({ service, client }: ApproverStage, back: Seen): Promise<string> {
  const { code } = Object.fromEntries(carried(back));
  const { body } = await service.http.post(exchangePath, {
    json: {
      grant_type: "authorization_code",
      code,
      client_id: client.clientId,
      client_secret: client.clientSecret,
      redirect_uri: client.redirectUri,
    },
  });
  return (body as { access_token: string }).access_token;
}

export async function readEmployees({ service }: ApproverStage, bearer: string): Promise<Reply> {
  return await readWhenReady(service.http, scope, { bearer });
}
