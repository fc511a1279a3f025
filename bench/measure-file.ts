import { dirname, join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";

interface FunctionFigures {
  /** Lines from the first to the last, without blank lines and lines of comments alone. */
  lines: number;
  /** 1, and 1 more for each `if`, loop, `case`, `catch`, `?:`, `&&`, `||` and `??`. */
  complexity: number;
}

export interface FileFigures {
  path: string;
  lines: number;
  /** Lines of more than 120 columns. */
  longLines: number;
  /** Lines that are not blank and not comments alone. */
  codeLines: number;
  functions: FunctionFigures[];
  /** Paths of the project's files that this one imports or exports from, types included. */
  imports: string[];
}

const maxColumns = 120;

export function measureFile(path: string, source: string): FileFigures {
  const { program, module, comments, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const lines = source.replace(/\n$/, "").split("\n");
  const isCode = withoutComments(source, comments)
    .split("\n")
    .map((line) => line.trim() !== "");
  const requests = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.map(({ moduleRequest }) => moduleRequest?.value ?? ""),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
      source.slice(start, end).replaceAll(/["'`]/g, ""),
    ),
  ];
  return {
    path,
    lines: lines.length,
    longLines: lines.filter((line) => line.length > maxColumns).length,
    codeLines: isCode.filter(Boolean).length,
    functions: measureFunctions(program, (start, end) => {
      const first = lineOf(source, start);
      return isCode.slice(first, lineOf(source, end - 1) + 1).filter(Boolean).length;
    }),
    imports: requests
      .filter((request) => request.startsWith("."))
      .map((request) => join(dirname(path), request)),
  };
}

type Program = ReturnType<typeof parseSync>["program"];

/** A function inside another one counts for itself alone. */
function measureFunctions(
  program: Program,
  countLines: (start: number, end: number) => number,
): FunctionFigures[] {
  const functions: FunctionFigures[] = [];
  const open: FunctionFigures[] = [];
  const enter = ({ start, end }: { start: number; end: number }): void => {
    const figures = { lines: countLines(start, end), complexity: 1 };
    functions.push(figures);
    open.push(figures);
  };
  const exit = (): void => void open.pop();
  const branch = (): void => {
    const current = open.at(-1);
    if (current) current.complexity += 1;
  };
  new Visitor({
    FunctionDeclaration: enter,
    "FunctionDeclaration:exit": exit,
    FunctionExpression: enter,
    "FunctionExpression:exit": exit,
    ArrowFunctionExpression: enter,
    "ArrowFunctionExpression:exit": exit,
    IfStatement: branch,
    ForStatement: branch,
    ForInStatement: branch,
    ForOfStatement: branch,
    WhileStatement: branch,
    DoWhileStatement: branch,
    CatchClause: branch,
    ConditionalExpression: branch,
    LogicalExpression: branch,
    SwitchCase: ({ test }) => (test ? branch() : undefined),
    AssignmentExpression: ({ operator }) =>
      ["&&=", "||=", "??="].includes(operator) ? branch() : undefined,
  }).visit(program);
  return functions;
}

/** Replaces comments by spaces, so that every other character keeps its place. */
function withoutComments(
  source: string,
  comments: readonly { start: number; end: number }[],
): string {
  let [code, position] = ["", 0];
  for (const { start, end } of comments) {
    code += source.slice(position, start) + source.slice(start, end).replaceAll(/[^\n]/g, " ");
    position = end;
  }
  return code + source.slice(position);
}

function lineOf(source: string, offset: number): number {
  return source.slice(0, offset).split("\n").length - 1;
}
