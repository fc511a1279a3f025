import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { copyFolder } from "./copy.ts";
import type { Answer, Question } from "./test-server.ts";

/** Test files of the copy, which run again and again in one start of Vitest: the quickest first, until one fails. */
export class ServedTests {
  readonly #server: ChildProcess;
  readonly #ended = new AbortController();
  #files: readonly string[];
  /** Restored since, which Vitest has to be told too. */
  #lastChanged: string | undefined;

  private constructor(files: readonly string[]) {
    this.#server = fork("test/mutants/test-server.ts", { cwd: copyFolder, stdio: "ignore" });
    this.#server.once("exit", () => this.#ended.abort(new Error("the tests of the copy ended")));
    this.#files = files;
  }

  /** Throws for a file that fails without a mutant. */
  static async start(files: readonly string[]): Promise<ServedTests> {
    const served = new ServedTests(files);
    const times: { file: string; ms: number }[] = [];
    for (const file of files) {
      const { isKept, ms } = await served.#ask({ file, changed: [] });
      if (!isKept) throw new Error(`${file} fails without a mutant`);
      times.push({ file, ms });
    }
    served.#files = times.toSorted((a, b) => a.ms - b.ms).map(({ file }) => file);
    return served;
  }

  /** The first file that fails now that this one is changed. */
  async findFailing(changed: string): Promise<string | undefined> {
    const paths = [changed, ...(this.#lastChanged === undefined ? [] : [this.#lastChanged])];
    this.#lastChanged = changed;
    for (const file of this.#files)
      if (!(await this.#ask({ file, changed: paths })).isKept) return file;
    return undefined;
  }

  async stop(): Promise<void> {
    const ended = once(this.#server, "exit");
    this.#server.disconnect();
    await ended;
  }

  async #ask(question: Question): Promise<Answer> {
    const options = { signal: this.#ended.signal };
    this.#server.send(question);
    const [answer] = (await once(this.#server, "message", options)) as [Answer];
    return answer;
  }
}
