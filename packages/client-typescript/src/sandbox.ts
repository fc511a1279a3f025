import type {
  MadeSandboxConnection,
  NewSandboxConnection,
  SandboxConnection,
  SandboxFailure,
  SandboxRecords,
  SandboxRights,
  SandboxSignIn,
} from "./api.ts";
import type { CallOptions } from "./transport.ts";

type Manage = <Body>(
  method: "GET" | "POST",
  path: string,
  body: object | undefined,
  options: CallOptions | undefined,
) => Promise<Body>;

const connections = "/sandbox/connections";

/** Connections to the simulated provider, without a browser. */
export class Sandbox {
  readonly #manage: Manage;

  constructor(manage: Manage) {
    this.#manage = manage;
  }

  /** A new connection. Give it to `connection` of Rollcall. */
  async connect(
    request: NewSandboxConnection = {},
    options?: CallOptions,
  ): Promise<MadeSandboxConnection> {
    return await this.#manage("POST", connections, request, options);
  }

  async state(token: string, options?: CallOptions): Promise<SandboxConnection> {
    return await this.#manage("GET", pathOf(token), undefined, options);
  }

  /** The next simulated hour: one employee added, one removed, two updated. */
  async advance(token: string, options?: CallOptions): Promise<SandboxConnection> {
    return await this.#manage("POST", pathOf(token, "/advance"), undefined, options);
  }

  /** Reads fail with this code, until the end user signs in again. */
  async fail(
    token: string,
    failure: SandboxFailure,
    options?: CallOptions,
  ): Promise<SandboxConnection> {
    return await this.#manage("POST", pathOf(token, "/fail"), failure, options);
  }

  /** The end user signs in again, so that the same token works; as another scenario when one is named. */
  async signIn(
    token: string,
    request: Exclude<SandboxSignIn, null> = {},
    options?: CallOptions,
  ): Promise<SandboxConnection> {
    return await this.#manage("POST", pathOf(token, "/sign-in"), request, options);
  }

  /** What the account may not read from now on. */
  async setRights(
    token: string,
    rights: SandboxRights,
    options?: CallOptions,
  ): Promise<SandboxConnection> {
    return await this.#manage("POST", pathOf(token, "/rights"), rights, options);
  }

  /** People, pay runs and absences of your own, in place of the simulated ones. */
  async setRecords(
    token: string,
    records: SandboxRecords,
    options?: CallOptions,
  ): Promise<SandboxConnection> {
    return await this.#manage("POST", pathOf(token, "/records"), records, options);
  }

  /** Polls now what the client has polled. */
  async poll(token: string, options?: CallOptions): Promise<SandboxConnection> {
    return await this.#manage("POST", pathOf(token, "/poll"), undefined, options);
  }

  /** Lets an hour pass and polls, so that a webhook is sent. Waits while the first poll sets the baseline. */
  async sendWebhook(token: string, options?: CallOptions): Promise<SandboxConnection> {
    return await this.#manage("POST", pathOf(token, "/webhook"), undefined, options);
  }
}

function pathOf(token: string, action = ""): string {
  return `${connections}/${encodeURIComponent(token)}${action}`;
}
