import { z } from "zod";
import type { Identity } from "../../../src/model/index.ts";
import {
  defineProvider,
  type ProviderDefinition,
  type ProviderMode,
  type SignInContext,
  type SignInResult,
} from "../../../src/providers/contract.ts";
import {
  FieldError,
  OperationNotSupported,
  ProviderBug,
  ProviderDown,
} from "../../../src/providers/errors.ts";
import { formField } from "../../../src/providers/form-field.ts";
import { odoo } from "../../../src/providers/odoo/index.ts";
import { ProviderRegistry } from "../../../src/providers/registry.ts";
import { sandbox } from "../../../src/providers/sandbox/index.ts";
import { AskingProvider } from "../../support/asking-provider.ts";
import { Gate } from "../../support/stub-provider.ts";

const identity = async (): Promise<Identity> => ({
  name: "Ann Stub",
  email: "ann@stub.example",
  phone_number: null,
});
const rest: Pick<ProviderMode, "check" | "identity" | "resources"> = {
  check: async () => ({ unsupported: [] }),
  identity,
  resources: {},
};
const username = formField({ title: "User name", autocomplete: "username" });
const password = formField({ title: "Password", isSecret: true, autocomplete: "current-password" });

const login = async (): Promise<SignInResult> => ({ session: {} });

function provider(
  name: string,
  title: string,
  tags: string[],
  mode: Partial<ProviderMode> = {},
): ProviderDefinition {
  return defineProvider({
    apiVersion: 1,
    name,
    title,
    tags,
    modes: { xhr: { form: z.object({ username, password }), login, ...rest, ...mode } },
  });
}

/** A provider that answers when the test says so. */
export class SlowProvider {
  #gate = new Gate();
  readonly definition = provider("slow", "Slow & Steady", [], {
    login: (context) => this.#answer(context),
  });

  /** Resolves when somebody waits for the answer. */
  get reached(): Promise<void> {
    return this.#gate.reached;
  }

  answer(): void {
    this.#gate.open();
  }

  reset(): void {
    this.#gate = new Gate();
  }

  async #answer({ signal }: SignInContext): Promise<SignInResult> {
    const aborted = new Promise<void>((resolve) =>
      signal.addEventListener("abort", () => resolve(), { once: true }),
    );
    await Promise.race([this.#gate.pass(), aborted]);
    return { session: {} };
  }
}

/** Fails at the sign-in in the way that its user name asks for. */
const troubled = provider("troubled", "Troubled HR", [], {
  login: async (_context, form) => {
    switch (form["username"]) {
      case "down":
        throw new ProviderDown("away");
      case "unsupported":
        throw new OperationNotSupported("not here");
      case "field":
        throw new FieldError("username", "Only people of the <head office> may sign in here.");
      default:
        throw new ProviderBug("what was that");
    }
  },
});

/** Has a system at each address with https. */
const placed = provider("placed", "Placed HR", [], {
  form: z.object({
    url: formField({ title: "Address of your system", isAddress: true, autocomplete: "url" }),
    username,
    password,
  }),
  origin: {
    field: "url",
    of: (typed) => (typed.startsWith("https://") ? typed : null),
    probe: async () => ({ version: "19" }),
  },
});

const byKey: ProviderDefinition = {
  ...provider("by-key", "Key & Co", [], {
    keepsSecret: true,
    form: z.object({
      api_key: formField({
        title: "API key",
        isSecret: true,
        help: "Made by an administrator, under Settings.",
        autocomplete: "off",
      }),
    }),
  }),
  guide: "/docs/providers/odoo",
};

const names = [
  "Ärztehaus Personal",
  "Löhne & Gehälter",
  "Zürich Payroll",
  "İstanbul Bordro",
  "نظام الرواتب",
  "A system with a name that is far longer than any sensible person would ever have chosen for it",
];

/** Built-in ones, a few and many: the tags of a link choose between them. */
export function manyProviders(slow: SlowProvider): ProviderRegistry {
  const few = [provider("alpha", "Alpha HR", ["few"]), provider("beta", "Beta Payroll", ["few"])];
  const numbered = Array.from(
    { length: 60 - names.length },
    (_, index) => `Payroll System ${String(index + 1).padStart(2, "0")}`,
  );
  const many = [...names, ...numbered].map((title, index) =>
    provider(`many-${index}`, title, ["many"]),
  );
  const special = [slow.definition, troubled, byKey, placed, new AskingProvider().definition];
  return new ProviderRegistry([sandbox, odoo, ...special, ...few, ...many]);
}
