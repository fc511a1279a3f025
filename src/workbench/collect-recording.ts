import { readFileSync, statSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { utcDay } from "../platform/clock.ts";
import { listFiles } from "../platform/list-files.ts";
import type { FormValues } from "../providers/index.ts";
import type { SeenExchange, SeenRecording, SeenStep } from "../recordings/index.ts";
import type { RunDescription, RunEvent } from "./child/messages.ts";

const adapters = fileURLToPath(new URL("../providers", import.meta.url));
const codeFile = /\.[cm]?[jt]s$/;
/** What every adapter is made with. */
const common = [join(adapters, "kit"), fileURLToPath(new URL("../model", import.meta.url))];

/** Gathers what a run tells, for a recording. */
export class RecordingCollector {
  readonly #signIn: SeenExchange[] = [];
  readonly #exchanges = new Map<string, SeenExchange[]>();
  readonly #steps: SeenStep[] = [];
  readonly #origins = new Set<string>();
  readonly answers: string[] = [];
  formValues: FormValues = {};

  note(event: RunEvent): void {
    if (event.type === "exchange") {
      const { step, exchange } = event;
      this.#origins.add(exchange.origin);
      if (!exchange.seen) return;
      if (step === "sign-in") this.#signIn.push(exchange.seen);
      else this.#exchanges.set(step, [...(this.#exchanges.get(step) ?? []), exchange.seen]);
    }
    if (event.type !== "read") return;
    const { resource, pages, records, range } = event;
    const exchanges = this.#exchanges.get(resource) ?? [];
    const known = this.#steps.find((step) => step.resource === resource);
    if (known)
      Object.assign(known, {
        pages: known.pages + pages,
        records: known.records + records,
        exchanges,
      });
    else this.#steps.push({ resource, pages, records, ...(range && { range }), exchanges });
  }

  /** Throws when nobody signed in: a recording begins with that. */
  finish({ provider, mode, fields }: RunDescription, now: Date): SeenRecording {
    if (this.#steps.length === 0) throw new Error("nothing was read, so nothing is recorded");
    return {
      provider,
      mode,
      today: utcDay(now),
      formValues: this.formValues,
      secretFields: fields.filter(({ isSecret }) => isSecret).map(({ name }) => name),
      settingFields: fields.filter(({ isSetting }) => isSetting).map(({ name }) => name),
      addressFields: fields.filter(({ isAddress }) => isAddress).map(({ name }) => name),
      answers: this.answers,
      origins: [...this.#origins],
      signIn: this.#signIn,
      steps: this.#steps,
    };
  }
}

/** They spell the people whom a fake or a test makes up, and perhaps not only those. */
const noAdapterCode = /(?:fake|mock|test|spec|conformance|fixture|example|recording)/i;

/** The text of the code of an adapter: of a built-in one, or of the files and folders of a package. */
export function readAdapterCode(provider: string, packageCode: readonly string[]): string[] {
  const own = packageCode.length > 0 ? packageCode : [join(adapters, provider)];
  return [...common, ...own].flatMap((path) => {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
    if (!isFolder) return noAdapterCode.test(basename(path)) ? [] : [readFileSync(path, "utf8")];
    return listFiles(path)
      .filter((file) => codeFile.test(file) && !noAdapterCode.test(relative(path, file)))
      .map((file) => readFileSync(file, "utf8"));
  });
}
