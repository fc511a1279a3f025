import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { defineProvider } from "../../src/providers/contract.ts";
import { AuthError } from "../../src/providers/errors.ts";
import { formField } from "../../src/providers/form-field.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { runWebhookJobs } from "../support/webhook-harness.ts";

/** A system that takes a password with every request, as some do. From some time on it is wrong. */
class PasswordProvider {
  isWrong = false;
  /** How often the password was sent. */
  logins = 0;

  readonly definition = defineProvider({
    apiVersion: 1,
    name: "password",
    title: "Password",
    modes: {
      xhr: {
        form: z.object({
          username: formField({ title: "User name" }),
          password: formField({ title: "Password", isSecret: true }),
        }),
        login: async () => {
          this.#logIn();
          return { session: {} };
        },
        check: async () => ({ unsupported: [] }),
        identity: async () => ({ name: "Ann", email: "ann@example.com", phone_number: null }),
        resources: {
          employees: { fetch: () => this.#fetch(), map: (raw) => raw },
          company: { fetch: () => this.#fetch(), map: (raw) => raw },
        },
      },
    },
  });

  #logIn(): void {
    this.logins += 1;
    if (this.isWrong) throw new AuthError("incorrect_username_or_password");
  }

  async *#fetch(): AsyncGenerator<readonly unknown[]> {
    this.#logIn();
    yield [];
  }
}

const provider = new PasswordProvider();
let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ registry: new ProviderRegistry([sandbox, provider.definition]) });
});
afterAll(() => harness.close());

/** Half an hour in which callers ask, polls come due, and every worker and sweeper does what there is to do. */
async function halfAnHour(token: string): Promise<void> {
  const { services, clock, http } = harness;
  clock.advance(30 * 60);
  for (const path of ["employees", "company"])
    await http.get(`/2023-03-01/xhr/${path}`, {
      bearer: token,
      headers: { "cache-control": "no-cache" },
    });
  await services.webhooks.schedulePolls();
  await harness.drain({ includeDelayed: true });
  await runWebhookJobs(services, { includeDelayed: true });
  await services.webhooks.sweep();
}

describe("Promise 15: a wrong password is tried once", () => {
  test("over 24 hours of polls and of callers who ask twice an hour", async () => {
    const scopes = ["/2023-03-01/xhr/employees" as const, "/2023-03-01/xhr/company" as const];
    const { client, token } = await harness.connect({ provider: "password", scopes });
    await harness.services.clients.update(client, {
      webhookUri: "https://receiver.example.com/hook",
    });
    await halfAnHour(token);
    expect(provider.logins).toBeGreaterThan(1);
    Object.assign(provider, { logins: 0, isWrong: true });

    harness.clock.advance(3_600);
    await harness.services.webhooks.schedulePolls();
    await runWebhookJobs(harness.services);
    for (let halves = 0; halves < 24 * 2; halves += 1) await halfAnHour(token);
    expect(provider.logins).toBe(1);
    const reply = await harness.http.get("/2023-03-01/xhr/employees", { bearer: token });
    expect(reply.status).toBe(401);
    expect(reply.body).toMatchObject({ code: "incorrect_username_or_password" });
  });
});
