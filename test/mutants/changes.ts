import ts from "typescript";

/** A part of a file and what takes its place. */
export interface Change {
  start: number;
  end: number;
  text: string;
  /** What kind of change it is. */
  kind: string;
}

const comparisons: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: "!==",
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: "===",
  [ts.SyntaxKind.LessThanToken]: "<=",
  [ts.SyntaxKind.LessThanEqualsToken]: "<",
  [ts.SyntaxKind.GreaterThanToken]: ">=",
  [ts.SyntaxKind.GreaterThanEqualsToken]: ">",
  [ts.SyntaxKind.AmpersandAmpersandToken]: "||",
  [ts.SyntaxKind.BarBarToken]: "&&",
};

const mostLines = 3;
const sqlStart = /^\s*(?:with|select|insert|update|delete)\b/;
const sqlChanges: readonly [find: RegExp, text: string][] = [
  [/ and /, " or "],
  [/ <= /, " < "],
  [/ < /, " <= "],
  [/ >= /, " > "],
  [/ > /, " >= "],
  [/ is null/, " is not null"],
  [/ is not null/, " is null"],
  [/ \+ make_interval/, " - make_interval"],
  [/ - make_interval/, " + make_interval"],
  [/ for update/, " "],
  [/greatest\(/, "least("],
];

/** Every change of a file inside of its functions: what runs when a module is loaded is seen by too many tests. */
export function listChanges(path: string, text: string): Change[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const changes: Change[] = [];
  const visit = (node: ts.Node, isInFunction: boolean): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    if (isInFunction) changes.push(...changesOf(node, file));
    const isFunction = ts.isFunctionLike(node);
    ts.forEachChild(node, (child) => visit(child, isInFunction || isFunction));
  };
  visit(file, false);
  return changes;
}

function changesOf(node: ts.Node, file: ts.SourceFile): Change[] {
  const change = (of: ts.Node, text: string, kind: string): Change[] => [
    { start: of.getStart(file), end: of.getEnd(), text, kind },
  ];
  if (ts.isBinaryExpression(node)) {
    const text = comparisons[node.operatorToken.kind];
    return text === undefined ? [] : change(node.operatorToken, text, "operator");
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return change(node, node.operand.getText(file), "not");
  if (node.kind === ts.SyntaxKind.TrueKeyword) return change(node, "false", "boolean");
  if (node.kind === ts.SyntaxKind.FalseKeyword) return change(node, "true", "boolean");
  if (ts.isIfStatement(node)) return change(node.expression, "false", "condition");
  if (ts.isExpressionStatement(node) && isCall(node.expression) && isShort(node, file))
    return change(node, ";", "statement");
  if (ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node) || isText(node))
    return changesOfSql(node, file);
  return [];
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node);
}

/** Long ones are hard to find again when the code around them has changed. */
function isShort(node: ts.Node, file: ts.SourceFile): boolean {
  return node.getText(file).split("\n").length <= mostLines;
}

/** A call, awaited or not, of anything but the log. */
function isCall(expression: ts.Expression): boolean {
  if (ts.isAwaitExpression(expression)) return isCall(expression.expression);
  return ts.isCallExpression(expression) && !/\blog\.|^log/.test(expression.expression.getText());
}

function changesOfSql(node: ts.Node, file: ts.SourceFile): Change[] {
  const whole = ts.isTemplateExpression(node.parent)
    ? node.parent
    : ts.isTemplateSpan(node.parent)
      ? node.parent.parent
      : node;
  if (!sqlStart.test(whole.getText(file).slice(1))) return [];
  const start = node.getStart(file);
  return sqlChanges.flatMap(([find, text]) => {
    const found = find.exec(node.getText(file));
    if (!found) return [];
    const at = start + found.index;
    return [{ start: at, end: at + found[0].length, text, kind: "sql" }];
  });
}
