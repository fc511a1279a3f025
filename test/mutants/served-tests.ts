import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { copyFolder } from "./copy.ts";
import type { Answer, Question } from "./test-server.ts";

/** A mutant that hangs a process for so long is noticed. */
const limitMs = 300_000;

/** Test files of the copy, which run again and again in one start of Vitest. */
export class ServedTests {
  #server: ChildProcess | undefined;
  /** Restored since, which Vitest has to be told too. */
  #lastChanged: string | undefined;

  /** These files, the quickest first. Throws for one that fails without a mutant. */
  async sort(files: readonly string[]): Promise<string[]> {
    const times: { file: string; ms: number }[] = [];
    for (const file of files) {
      const { failed, ms } = await this.#ask({ files: [file], changed: [] });
      if (failed.length > 0) throw new Error(`${file} fails without a mutant`);
      times.push({ file, ms });
    }
    return times.toSorted((a, b) => a.ms - b.ms).map(({ file }) => file);
  }

  /** One of the files that fails now that this path is changed. So many of them run at once, the first ones first. */
  async findFailing(
    changed: string,
    files: readonly string[],
    atOnce: number,
  ): Promise<string | undefined> {
    const paths = [changed, ...(this.#lastChanged === undefined ? [] : [this.#lastChanged])];
    this.#lastChanged = changed;
    for (let from = 0; from < files.length; from += atOnce) {
      const question = { files: files.slice(from, from + atOnce), changed: paths };
      const [by] = (await this.#ask(question)).failed;
      if (by !== undefined) return by;
    }
    return undefined;
  }

  async stop(): Promise<void> {
    if (!this.#server) return;
    const ended = once(this.#server, "exit");
    this.#server.disconnect();
    await ended;
  }

  async #ask(question: Question): Promise<Answer> {
    this.#server ??= fork("test/mutants/test-server.ts", {
      cwd: copyFolder,
      stdio: "ignore",
      detached: true,
    });
    const server = this.#server;
    const ended = new AbortController();
    server.once("exit", () => ended.abort());
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(limitMs)]);
    server.send(question);
    try {
      const [answer] = (await once(server, "message", { signal })) as [Answer];
      return answer;
    } catch {
      if (server.exitCode === null) process.kill(-(server.pid ?? 0), "SIGKILL");
      this.#server = undefined;
      return { failed: question.files, ms: limitMs };
    }
  }
}
