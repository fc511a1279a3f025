import { join } from "node:path";
import ts from "typescript";
import { projectDir } from "../support/program-environment.ts";

/** Tells whether a file of an adapter still compiles when its text is another one. */
export class Compiler {
  readonly #changed = new Map<string, { version: string; text: string }>();
  readonly #service: ts.LanguageService;

  constructor(paths: readonly string[]) {
    const { config } = ts.readConfigFile(join(projectDir, "tsconfig.json"), (path) =>
      ts.sys.readFile(path),
    ) as { config: unknown };
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, projectDir);
    this.#service = ts.createLanguageService({
      getCompilationSettings: () => options,
      getScriptFileNames: () => paths.map((path) => join(projectDir, path)),
      getScriptVersion: (file) => this.#changed.get(file)?.version ?? "committed",
      getScriptSnapshot: (file) => {
        const text = this.#changed.get(file)?.text ?? ts.sys.readFile(file);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => projectDir,
      getDefaultLibFileName: (of) => ts.getDefaultLibFilePath(of),
      fileExists: (file) => ts.sys.fileExists(file),
      readFile: (file) => ts.sys.readFile(file),
      readDirectory: (...given) => ts.sys.readDirectory(...given),
      directoryExists: (folder) => ts.sys.directoryExists(folder),
      getDirectories: (folder) => ts.sys.getDirectories(folder),
    });
  }

  /** The first error of the file with this text, or undefined. */
  findError(path: string, version: string, text: string): string | undefined {
    const file = join(projectDir, path);
    this.#changed.set(file, { version, text });
    const [first] = [
      ...this.#service.getSyntacticDiagnostics(file),
      ...this.#service.getSemanticDiagnostics(file),
    ];
    this.#changed.delete(file);
    return first && ts.flattenDiagnosticMessageText(first.messageText, " ");
  }
}
