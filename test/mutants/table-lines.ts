import { createHash } from "node:crypto";
import ts from "typescript";

/** One line of a table of an adapter, left out or renamed. */
export interface LineMutant {
  /** Stays the same as long as the line and its change do. */
  id: string;
  /** Of the project. */
  path: string;
  start: number;
  end: number;
  /** What stands there, for people. */
  line: string;
  kind: "removed" | "renamed";
  replace: string;
}

/** By its second argument, or its third: `definePart<…>()(source, table)`, `defineFields(resource, source, table)`. */
const tableMakers = new Set(["defineFields", "definePart"]);
/** Their first argument has a reader for each name of the vendor's record. */
const shapeMakers = new Set(["defineSource", "part"]);
const otherName = "name of nothing";
/** A reader of another name of the vendor's record; of a part, each reader of it. */
const renameReader =
  `(function rename(of) { return typeof of.read === "function" ? { ...of, name: "${otherName}" } : ` +
  `Object.fromEntries(Object.entries(of).map(([name, one]) => [name, rename(one)])); })`;

/**
 * Each line of each table of fields without it, and each line of what tables read of the vendor's records with another
 * name. A field of ours, or a path of a table, that is misspelt does not compile.
 */
export function listLineMutants(path: string, text: string): LineMutant[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const mutants: LineMutant[] = [];
  const change = (
    of: ts.Node,
    kind: LineMutant["kind"],
    replace: string,
    { end = of.getEnd(), line = text.slice(of.getStart(file), end) } = {},
  ) => {
    const start = of.getStart(file);
    const id = createHash("sha256").update(`${path}\0${start}\0${line}\0${replace}`).digest("hex");
    mutants.push({ id: id.slice(0, 12), path, start, end, line, kind, replace });
  };
  const visitTable = (table: ts.ObjectLiteralExpression): void => {
    for (const line of table.properties) {
      const hasComma = text[line.getEnd()] === ",";
      change(line, "removed", "", { end: line.getEnd() + Number(hasComma) });
      const part = ts.isPropertyAssignment(line) ? line.initializer : undefined;
      if (part && ts.isObjectLiteralExpression(part)) visitTable(part);
    }
  };
  const visitShape = (shape: ts.ObjectLiteralExpression): void => {
    for (const line of shape.properties) {
      if (ts.isShorthandPropertyAssignment(line))
        change(line, "renamed", `${line.name.text}: ${renameReader}(${line.name.text})`);
      if (!ts.isPropertyAssignment(line)) continue;
      const { initializer } = line;
      if (ts.isObjectLiteralExpression(initializer)) visitShape(initializer);
      else
        change(initializer, "renamed", `${renameReader}(${initializer.getText(file)})`, {
          line: line.getText(file),
        });
    }
  };
  const { tables, shapes } = findTables(file);
  tables.forEach(visitTable);
  shapes.forEach(visitShape);
  return mutants;
}

export function applyLineMutant(text: string, { start, end, replace }: LineMutant): string {
  return text.slice(0, start) + replace + text.slice(end);
}

interface Tables {
  tables: ReadonlySet<ts.ObjectLiteralExpression>;
  shapes: ReadonlySet<ts.ObjectLiteralExpression>;
}

function findTables(file: ts.SourceFile): Tables {
  const tables = new Set<ts.ObjectLiteralExpression>();
  const shapes = new Set<ts.ObjectLiteralExpression>();
  const named = findNamed(file);
  const add = (found: Set<ts.ObjectLiteralExpression>, given: ts.Node | undefined): void => {
    const table = given && ts.isIdentifier(given) ? named.get(given.text) : given;
    if (!table || !ts.isObjectLiteralExpression(table) || found.has(table)) return;
    found.add(table);
    for (const line of table.properties)
      if (ts.isSpreadAssignment(line)) add(found, line.expression);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const maker = nameOf(node.expression);
      if (tableMakers.has(maker)) add(tables, node.arguments.at(-1));
      if (shapeMakers.has(maker)) add(shapes, node.arguments[0]);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { tables, shapes };
}

/** The objects of a file that have a name, from which tables are put together. */
function findNamed(file: ts.SourceFile): ReadonlyMap<string, ts.ObjectLiteralExpression> {
  const named = new Map<string, ts.ObjectLiteralExpression>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      if (ts.isObjectLiteralExpression(node.initializer))
        named.set(node.name.text, node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return named;
}

/** Of `definePart<…>()`, too. */
function nameOf(called: ts.Expression): string {
  if (ts.isCallExpression(called)) return nameOf(called.expression);
  return ts.isIdentifier(called) ? called.text : "";
}
