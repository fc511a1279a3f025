import { spawn } from "node:child_process";
import { once } from "node:events";

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface RunOptions {
  /** Variables of the program itself, which `--env NAME` passes on: no value is in a list of processes. */
  variables?: Readonly<Record<string, string>>;
  input?: string | Buffer;
  limitMs?: number;
}

const usualLimitMs = 120_000;

/** The command line of podman or docker: what is used here is the same in both. */
export class Engine {
  readonly program: string;
  /** Below this cgroup every container runs; undefined for the engine's own choice. */
  readonly cgroupParent: string | undefined;

  constructor(program: string, cgroupParent?: string) {
    this.program = program;
    this.cgroupParent = cgroupParent;
  }

  get placeFlags(): string[] {
    return this.cgroupParent === undefined ? [] : ["--cgroup-parent", this.cgroupParent];
  }

  /** A build takes the cgroup itself, which therefore has to be one without children. */
  get buildFlags(): string[] {
    return this.cgroupParent === undefined ? [] : ["--cgroup-parent", `${this.cgroupParent}/build`];
  }

  async run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    return await runProgram(this.program, args, options);
  }

  /** The standard output of a command that has to succeed. */
  async must(args: readonly string[], options: RunOptions = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, options);
    if (code !== 0)
      throw new Error(
        `${this.program} ${args.slice(0, 3).join(" ")}: ${stderr.trim().slice(-600)}`,
      );
    return stdout.trim();
  }

  async hasImage(name: string): Promise<boolean> {
    return (await this.run(["image", "inspect", name])).code === 0;
  }
}

export async function runProgram(
  program: string,
  args: readonly string[],
  { variables = {}, input = "", limitMs = usualLimitMs }: RunOptions = {},
): Promise<Ended> {
  const child = spawn(program, args, {
    env: { ...process.env, ...variables },
    stdio: ["pipe", "pipe", "pipe"],
    timeout: limitMs,
  });
  const [stdout, stderr]: Buffer[][] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => stdout?.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr?.push(chunk));
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return {
    code,
    stdout: Buffer.concat(stdout ?? []).toString(),
    stderr: Buffer.concat(stderr ?? []).toString(),
  };
}

/** The words of a command line of which none holds a space. */
export function words(text: string): string[] {
  return text.split(" ");
}

/** The first engine whose service or command answers, or why there is none. */
export async function findEngine(cgroupParent?: string): Promise<Engine | { missing: string }> {
  const reasons: string[] = [];
  for (const program of ["podman", "docker"]) {
    try {
      const { code, stderr } = await runProgram(program, ["info"], { limitMs: 30_000 });
      if (code === 0) return new Engine(program, cgroupParent);
      reasons.push(`${program} does not answer (${stderr.trim().split("\n").at(-1) ?? ""})`);
    } catch {
      reasons.push(`${program} is not installed`);
    }
  }
  return { missing: reasons.join("; ") };
}
