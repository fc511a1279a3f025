import { createHash } from "node:crypto";
import type { Pool } from "../../../src/platform/db/index.ts";
import { compress } from "../../../src/platform/compression.ts";
import { packList, type PackedList } from "../../../src/platform/packed-list.ts";
import { encodeEmployeeIndex } from "../../../src/reading/records/employee-index.ts";
import type { PublicEmployee } from "../receiver.ts";
import type { Journal } from "./journal.ts";
import type { ProviderStep } from "./steps.ts";

/** A company at the provider, and the connection that reads it. */
export interface ModelCompany {
  index: number;
  connectionId: string;
  tokenId: string;
  /** The content of each person's record, by remote id. */
  truth: Map<string, string>;
  /** Everybody who ever left, also those who came back. */
  everLeft: Set<string>;
  nextAnswer: "part" | "empty" | undefined;
  nextFailure: "unavailable" | "broken" | "pending" | undefined;
  /** Whether the account may not read job titles. */
  isLimited: boolean;
  said: string;
  /** The answer to the first poll. The receiver knows it from the start. */
  baseline: PublicEmployee[] | undefined;
}

export interface ModelList {
  list: PackedList;
  body: Buffer;
  index: Buffer;
  answer: ReadonlyMap<string, string>;
  isGlitch: boolean;
}

/** Few people with few contents, so that an earlier state often comes back. */
const everybody = [
  ["p0", "p1", "p2", "p3"],
  ["q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8"],
];
const contents = ["a", "b", "c"];
/** Two of them are the same without the job title, of which one has none. */
const fieldsOf: Readonly<Record<string, { last_name: string; job_title: string | null }>> = {
  a: { last_name: "a", job_title: "Clerk" },
  b: { last_name: "b", job_title: "Clerk" },
  c: { last_name: "a", job_title: null },
};

export const companyCount = everybody.length;

/**
 * Companies whose people join, change and leave, in a system that sometimes answers wrongly or not
 * at all.
 */
export class ModelProvider {
  readonly companies: ModelCompany[] = [];
  /** The answers, by the version under which they were stored. */
  readonly lists = new Map<string, ModelList>();
  readonly #pool: Pool;
  readonly #journal: Journal;

  constructor(pool: Pool, journal: Journal) {
    this.#pool = pool;
    this.#journal = journal;
  }

  open({ connectionId, tokenId }: { connectionId: string; tokenId: string }): void {
    const index = this.companies.length;
    const truth = new Map((everybody[index] ?? []).slice(1).map((id) => [id, "a"]));
    this.companies.push({
      index,
      connectionId,
      tokenId,
      truth,
      everLeft: new Set(),
      nextAnswer: undefined,
      nextFailure: undefined,
      isLimited: false,
      said: "",
      baseline: undefined,
    });
  }

  change(step: ProviderStep): void {
    const company = this.companies[step.company]!;
    const { truth, index } = company;
    switch (step.do) {
      case "add": {
        const id = choose(
          (everybody[index] ?? []).filter((each) => !truth.has(each)),
          step.pick,
        );
        return void (
          id !== undefined && truth.set(id, choose(contents, (step.pick * 13) % 1) ?? "a")
        );
      }
      case "update": {
        const id = choose([...truth.keys()], step.pick);
        return void (id !== undefined && truth.set(id, next(truth.get(id))));
      }
      case "remove":
        return leave(company, choose([...truth.keys()], step.pick));
      case "layoff":
        for (const [position, id] of [...truth.keys()].entries())
          if (position % 2 === 0 || step.pick > 0.8) leave(company, id);
        return;
      case "glitch":
        return void (company.nextAnswer = step.kind);
      case "fail":
        return void (company.nextFailure = step.kind);
      case "rights":
        return void (company.isLimited = step.areLost);
    }
  }

  recover(): void {
    for (const company of this.companies) {
      company.nextAnswer = company.nextFailure = undefined;
      company.isLimited = false;
    }
  }

  /** The result of asking for the employees. */
  async answer(connectionId: string): Promise<never> {
    const company = this.companies.find((each) => each.connectionId === connectionId)!;
    const failure = company.nextFailure;
    company.nextFailure = undefined;
    if (failure) return { kind: failure } as never;
    const { rows } = await this.#pool.query<{ version: string | null; isFirst: boolean }>(
      `select version, false as "isFirst" from receiver_states where connection_id = $1`,
      [connectionId],
    );
    const { version: versionBefore = null, isFirst = true } = rows[0] ?? {};
    const { employees, ...list } = await this.#makeList(
      company,
      this.lists.get(versionBefore ?? ""),
    );
    const version = createHash("sha256").update(connectionId).update(list.body).digest("hex");
    this.lists.set(version, list);
    if (isFirst) company.baseline = employees;
    this.#sayAnswer(company, list);
    return {
      kind: "ready",
      list: {
        version,
        isSteady: true,
        isReread: true,
        limited: company.isLimited ? ["job_title"] : [],
      },
    } as never;
  }

  /** A wrong answer is never followed by another one: the poll would have to believe the second. */
  async #makeList(
    company: ModelCompany,
    before: ModelList | undefined,
  ): Promise<ModelList & { employees: PublicEmployee[] }> {
    const isGlitch = company.nextAnswer !== undefined && before !== undefined && !before.isGlitch;
    const answer = isGlitch ? glitch(company, before.answer) : new Map(company.truth);
    if (isGlitch) company.nextAnswer = undefined;
    const employees = [...answer].map(([remoteId, content]) => ({
      id: idOf(company.connectionId, remoteId),
      remote_id: remoteId,
      ...fieldsOf[content],
      ...(company.isLimited && { job_title: null }),
      employment_status: null,
    }));
    const encoded = employees.map((employee) => ({
      id: employee.id,
      status: null,
      json: JSON.stringify(employee),
    }));
    const entries = encoded.map(({ id, json }) => ({
      id: Buffer.from(id, "base64url"),
      contentHash: createHash("sha256").update(json).digest(),
    }));
    return {
      list: packList(entries, entries.length),
      body: await compress(Buffer.from(`[${encoded.map(({ json }) => json).join(",")}]`), "br"),
      index: encodeEmployeeIndex(
        encoded.map(({ id, status, json }) => ({ id, status, bytes: json.length })),
      ),
      answer,
      isGlitch,
      employees,
    };
  }

  #sayAnswer(company: ModelCompany, { answer }: ModelList): void {
    const people = [...answer].map(([id, content]) => id + content).join(" ") || "with nobody";
    const said = company.isLimited ? `${people} without titles` : people;
    if (said !== company.said) this.#journal.say(`company ${company.index} answers ${said}`);
    company.said = said;
  }
}

function next(content: string | undefined): string {
  return contents[(contents.indexOf(content ?? "") + 1) % contents.length] ?? "a";
}

/** What a receiver knows of somebody, or should. */
export function describeRecord({
  last_name: name,
  job_title: title,
}: Readonly<Record<string, unknown>>): string {
  return `${String(name)} ${String(title)}`;
}

export function describeContent(content: string): string {
  return describeRecord(fieldsOf[content] ?? {});
}

function choose(items: readonly string[], pick: number): string | undefined {
  return items[Math.floor(pick * items.length)];
}

function leave({ everLeft, truth }: ModelCompany, id: string | undefined): void {
  if (id === undefined) return;
  everLeft.add(id);
  truth.delete(id);
}

/** A complete but wrong answer. So many people are missing that no rule believes it at once. */
function glitch(
  { truth, nextAnswer }: ModelCompany,
  before: ReadonlyMap<string, string>,
): Map<string, string> {
  const stillThere = [...truth].filter(([id]) => before.has(id));
  const fewest = Math.max(2, Math.ceil(before.size / 5));
  if (nextAnswer === "empty" || stillThere.length < fewest) return new Map();
  const missing = new Set(
    stillThere.slice(0, Math.max(fewest, Math.floor(stillThere.length / 2))).map(([id]) => id),
  );
  return new Map([...truth].filter(([id]) => !missing.has(id)));
}

function idOf(connectionId: string, remoteId: string): string {
  return createHash("sha256")
    .update(`${connectionId} ${remoteId}`)
    .digest()
    .subarray(0, 16)
    .toString("base64url");
}
