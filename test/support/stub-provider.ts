import { z } from "zod";
import { resources, type Identity, type Resource } from "../../src/model/index.ts";
import {
  defineProvider,
  type CheckResult,
  type FetchParameters,
  type ProviderContext,
  type ProviderDefinition,
  type ProviderMode,
  type ReadContext,
  type ResourceReader,
  type Session,
} from "../../src/providers/contract.ts";
import { formField } from "../../src/providers/form-field.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";

export interface StubFetch {
  /** Counts from one. */
  number: number;
  resource: Resource;
  parameters: FetchParameters;
  session: Session;
  context: ReadContext;
}

interface StubOptions {
  /** Resources that the adapter does not have. */
  lacks?: readonly Resource[];
  concurrency?: number;
  /** It tells who has changed since the last read, which is nobody. */
  tellsChanges?: boolean;
}

/** A provider that answers as a test tells it and records its fetches. */
export class StubProvider {
  readonly definition: ProviderDefinition;
  readonly fetches: StubFetch[] = [];
  /** The pages of each resource. Their records are already mapped and may be invalid. */
  pages: Partial<Record<Resource, readonly (readonly unknown[])[]>> = {};
  /** Resources that the check at the sign-in reports as unsupported. */
  unsupported: readonly Resource[] = [];
  /** What else that check finds of the rights of the account. */
  rights: Pick<CheckResult, "forbidden" | "limited"> = {};
  /** Fields that each fetch says the account may not read. */
  limited: readonly string[] = [];
  /** Called at each sign-in. May throw or wait. */
  onLogin: (context: ProviderContext) => Promise<void> | void = () => undefined;
  /** Called when a fetch is made, before its generator exists. May throw. */
  onCall: (fetch: StubFetch) => void = () => undefined;
  /** Called before the first page. May throw or wait. */
  onFetch: (fetch: StubFetch) => Promise<void> | void = () => undefined;
  /** Called after each page but the last. May throw. */
  onPageEnd: (fetch: StubFetch) => Promise<void> | void = () => undefined;
  /** The adapter's `map`. */
  map: (raw: unknown) => unknown = (raw) => raw;
  /** The number of sign-ins. */
  signIns = 0;
  readonly #tellsChanges: boolean;

  constructor({ lacks = [], concurrency = 16, tellsChanges = false }: StubOptions = {}) {
    this.#tellsChanges = tellsChanges;
    const read = (names: readonly Resource[]): ProviderMode["resources"] =>
      Object.fromEntries(
        names
          .filter((resource) => !lacks.includes(resource))
          .map((resource) => [resource, this.#reader(resource)]),
      );
    const mode: Omit<ProviderMode, "form" | "resources"> = {
      login: async (context) => {
        await this.onLogin(context);
        return { session: { signIn: (this.signIns += 1) } };
      },
      check: async () => ({ unsupported: this.unsupported, ...this.rights }),
      identity: async (): Promise<Identity> => ({
        name: "Ann Stub",
        email: "ann@stub.example",
        phone_number: null,
      }),
    };
    const username = formField({ title: "User name" });
    this.definition = defineProvider({
      apiVersion: 1,
      name: "stub",
      title: "Stub",
      modes: {
        xhr: {
          ...mode,
          resources: read(resources),
          form: z.object({ username, password: formField({ title: "Password", isSecret: true }) }),
        },
        official: {
          ...mode,
          resources: read(resources.filter((name) => name !== "payruns" && name !== "payslips")),
          form: z.object({ username, api_key: formField({ title: "Key", isSecret: true }) }),
        },
      },
      limits: { concurrency },
    });
  }

  /** Includes the sandbox, because every start makes the sandbox's shared token. */
  registry(): ProviderRegistry {
    return new ProviderRegistry([sandbox, this.definition]);
  }

  /** Returns to the state after the start, except for the number of sign-ins. */
  reset(): void {
    this.fetches.length = 0;
    this.pages = {};
    this.unsupported = [];
    this.rights = {};
    this.limited = [];
    this.onLogin = () => undefined;
    this.onCall = () => undefined;
    this.onFetch = () => undefined;
    this.onPageEnd = () => undefined;
    this.map = (raw) => raw;
  }

  #reader(resource: Resource): ResourceReader {
    const read = (context: ReadContext, session: Session, parameters: FetchParameters) => {
      const fetch = { number: this.fetches.length + 1, resource, parameters, session, context };
      this.fetches.push(fetch);
      this.onCall(fetch);
      context.limited(this.limited);
      if (this.#tellsChanges) context.continueFrom({});
      return this.#read(fetch);
    };
    const map = ((raw: unknown) => this.map(raw)) as never;
    if (!this.#tellsChanges) return { fetch: read, map };
    return { fetch: read, changes: tellNobody, map };
  }

  async *#read(fetch: StubFetch): AsyncGenerator<readonly unknown[]> {
    const pages = this.pages[fetch.resource] ?? [];
    await this.onFetch(fetch);
    for (const [index, page] of pages.entries()) {
      yield page;
      if (index < pages.length - 1) await this.onPageEnd(fetch);
    }
  }
}

async function* tellNobody(context: ReadContext) {
  context.continueFrom({});
  yield { changed: [] };
}

/** Work that passes the gate waits until the test opens it. */
export class Gate {
  readonly #reached = Promise.withResolvers<void>();
  readonly #opened = Promise.withResolvers<void>();

  /** Resolves when the work waits at the gate. */
  get reached(): Promise<void> {
    return this.#reached.promise;
  }

  async pass(): Promise<void> {
    this.#reached.resolve();
    await this.#opened.promise;
  }

  open(): void {
    this.#opened.resolve();
  }
}
