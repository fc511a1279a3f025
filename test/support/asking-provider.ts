import { z } from "zod";
import type { Resource } from "../../src/model/index.ts";
import {
  defineProvider,
  defineReader,
  type CheckResult,
  type ProviderDefinition,
  type Session,
  type Settings,
  type SignInChallenge,
  type SignInResult,
} from "../../src/providers/contract.ts";
import { AuthError, ProviderDown } from "../../src/providers/errors.ts";
import { formField } from "../../src/providers/form-field.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";

const rightAnswers: Readonly<Record<string, string>> = {
  otp: "123456",
  text: "blue",
  secret: "blue",
  choose: "b",
};
export const helpUrl = "https://asking.example/help";
const options = [
  { value: "a", title: "Acme <Ltd>" },
  { value: "b", title: "Bolt & Sons" },
];

/**
 * A provider that asks what its user name lists, such as `text,choose`, and is told how an approval goes. A service
 * finds it by `PROVIDERS` too.
 */
export class AskingProvider {
  /** The answers that reached the adapter. */
  readonly answers: string[] = [];
  readonly loggedOut: Session[] = [];
  /** The settings of each read. */
  readonly settings: Settings[] = [];
  /** The settings of each check at a sign-in. */
  readonly checkedSettings: Settings[] = [];
  /** What the approval is: a state, or nothing known. Called with the number of the try. */
  onWait: (tries: number) => "approved" | "open" | "denied" | "down" | "next" = (tries) =>
    tries < 2 ? "open" : "approved";
  everySeconds: number | undefined;
  /** Replaces every challenge. */
  challenge: unknown;
  onLogOut: (signal: AbortSignal) => Promise<void> | void = () => undefined;
  checked: Partial<CheckResult> = {};
  readonly definition: ProviderDefinition;

  constructor() {
    this.definition = defineProvider({
      apiVersion: 1,
      name: "asking",
      title: "Asking HR",
      texts: { de: { Region: "Gegend", Europe: "Europa" } },
      modes: {
        xhr: {
          form: z.object({
            username: formField({ title: "User name" }),
            password: formField({ title: "Password", isSecret: true }),
            region: formField({
              title: "Region",
              isSetting: true,
              help: "Where your data is.",
              helpUrl,
              choices: [
                { value: "eu", title: "Europe" },
                { value: "us", title: "America" },
              ],
            }),
          }),
          login: async (_context, { username = "" }) =>
            this.#ask(username.split(",").filter((kind) => kind !== "none")),
          resume: async (_context, state, answer) => this.#resume(state, answer),
          account: ({ username = "" }) => ({ login: username }),
          check: async ({ settings }) => {
            this.checkedSettings.push(settings);
            return { unsupported: [], ...this.checked };
          },
          identity: async () => ({ name: "Ann", email: "ann@asking.example", phone_number: null }),
          logOut: async ({ signal }, session) => {
            this.loggedOut.push(session);
            await this.onLogOut(signal);
          },
          resources: { groups: this.#reader() },
        },
      },
    });
  }

  registry(): ProviderRegistry {
    return new ProviderRegistry([sandbox, this.definition]);
  }

  /** Returns to the state after the start. */
  reset(): void {
    for (const list of [this.answers, this.loggedOut, this.settings, this.checkedSettings])
      list.length = 0;
    this.onWait = (tries) => (tries < 2 ? "open" : "approved");
    this.everySeconds = undefined;
    this.challenge = undefined;
    this.onLogOut = () => undefined;
    this.checked = {};
  }

  #reader() {
    const { settings } = this;
    return defineReader<Resource & "groups", { remote_id: string; name: string }>({
      async *fetch(context) {
        settings.push(context.settings);
        yield [{ remote_id: "1", name: "Everybody" }];
      },
      map: ({ remote_id, name }) => ({ remote_id, name }),
    });
  }

  #resume(state: Session, answer: string): SignInResult {
    const { kinds, tries } = state as unknown as { kinds: string[]; tries: number };
    const [kind = "", ...others] = kinds;
    this.answers.push(answer);
    if (kind !== "wait") {
      if (answer !== rightAnswers[kind]) throw new AuthError("incorrect_mfa_or_otp");
      return this.#ask(others);
    }
    switch (this.onWait(tries + 1)) {
      case "approved":
        return this.#ask(others);
      case "open":
        return this.#ask(kinds, tries + 1);
      case "next":
        return this.#ask(["wait"], tries + 1, "Now type 42 in your app");
      case "denied":
        throw new AuthError("incorrect_mfa_or_otp");
      case "down":
        throw new ProviderDown("away");
    }
  }

  #ask(kinds: string[], tries = 0, prompt = "Approve it in your app"): SignInResult {
    const [kind] = kinds;
    if (kind === undefined) return { session: { user: "ann" } };
    if (this.challenge) return { challenge: this.challenge as SignInChallenge };
    const state = { kinds, tries };
    switch (kind) {
      case "choose":
        return { challenge: { kind: "choose", prompt: "Which company?", options, state } };
      case "wait":
        return {
          challenge: {
            kind: "wait",
            prompt,
            state,
            ...(this.everySeconds !== undefined && { everySeconds: this.everySeconds }),
          },
        };
      case "otp":
        return { challenge: { kind: "otp", prompt: "Code from your phone", state } };
      default:
        return {
          challenge: { kind: "text", prompt: "A colour", isSecret: kind === "secret", state },
        };
    }
  }
}

// oxlint-disable-next-line import/no-default-export
export default new AskingProvider().definition;
