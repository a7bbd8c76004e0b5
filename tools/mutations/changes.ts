import ts from 'typescript';

export type Change = {
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
  readonly after: string;
};

type Kind =
  | 'boundary'
  | 'condition'
  | 'arithmetic'
  | 'call'
  | 'await'
  | 'return'
  | 'arguments'
  | 'member';

const { SyntaxKind } = ts;

const boundaries = new Map([
  [SyntaxKind.LessThanToken, '<='],
  [SyntaxKind.LessThanEqualsToken, '<'],
  [SyntaxKind.GreaterThanToken, '>='],
  [SyntaxKind.GreaterThanEqualsToken, '>'],
]);

const opposites = new Map([
  [SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [SyntaxKind.AmpersandAmpersandToken, '||'],
  [SyntaxKind.BarBarToken, '&&'],
]);

// Between texts the compiler refuses `-`.
const inverses = new Map([
  [SyntaxKind.PlusToken, '-'],
  [SyntaxKind.MinusToken, '+'],
  [SyntaxKind.AsteriskToken, '/'],
  [SyntaxKind.SlashToken, '*'],
]);

/** The changes that are made at a node itself. */
export function changesOf(node: ts.Node): Change[] {
  if (ts.isBinaryExpression(node)) return ofOperator(node);
  if (ts.isNumericLiteral(node)) return ofNumber(node);
  if (ts.isPrefixUnaryExpression(node)) return ofNegation(node);
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return ofCondition(node.expression);
  if (ts.isConditionalExpression(node)) return ofCondition(node.condition);
  if (ts.isExpressionStatement(node)) return ofStatement(node);
  if (ts.isAwaitExpression(node)) return [change('await', node, textOf(node.expression))];
  if (ts.isReturnStatement(node) && node.expression) return ofReturned(node.expression);
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return ofReturned(node.body);
  if (ts.isCallExpression(node)) return ofArguments(node);
  if (ts.isArrayLiteralExpression(node)) return ofMembers(node, node.elements);
  if (ts.isObjectLiteralExpression(node) && isTable(node)) return ofMembers(node, node.properties);
  return [];
}

function ofOperator({ operatorToken, left, right }: ts.BinaryExpression): Change[] {
  const { kind } = operatorToken;
  const boundary = boundaries.get(kind);
  if (boundary) return [change('boundary', operatorToken, boundary)];
  const opposite = opposites.get(kind);
  if (opposite) return [change('condition', operatorToken, opposite)];
  const inverse = inverses.get(kind);
  if (inverse) return [change('arithmetic', operatorToken, inverse)];
  if (kind !== SyntaxKind.QuestionQuestionToken) return [];
  return [{ kind: 'condition', start: left.getEnd(), end: right.getEnd(), after: '' }];
}

// A number that stands alone in a comparison or a declaration is a bound.
function ofNumber(node: ts.NumericLiteral): Change[] {
  const { parent } = node;
  const isCompared = ts.isBinaryExpression(parent) && boundaries.has(parent.operatorToken.kind);
  const isNamed = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent);
  const isDefault = ts.isBindingElement(parent) || ts.isParameter(parent);
  if (!isCompared && !isNamed && !isDefault) return [];
  return [change('boundary', node, String(Number(node.text.replaceAll('_', '')) + 1))];
}

function ofNegation({ operator, operand, parent }: ts.PrefixUnaryExpression): Change[] {
  if (operator !== SyntaxKind.ExclamationToken || isCondition(parent, operand)) return [];
  const start = operand.getStart();
  return [{ kind: 'condition', start: start - 1, end: start, after: '' }];
}

// `if (!x)` is already made `if (true)` and `if (false)`.
function isCondition(parent: ts.Node, operand: ts.Node): boolean {
  return ts.isIfStatement(parent) && parent.expression === operand.parent;
}

function ofCondition(condition: ts.Expression): Change[] {
  return ['true', 'false']
    .filter((each) => each !== textOf(condition))
    .map((each) => change('condition', condition, each));
}

function ofStatement({ expression }: ts.ExpressionStatement): Change[] {
  const called = ts.isAwaitExpression(expression) ? expression.expression : expression;
  const isCall = ts.isCallExpression(called) && called.expression.kind !== SyntaxKind.SuperKeyword;
  return isCall ? [change('call', expression, 'undefined')] : [];
}

function ofReturned(returned: ts.Expression): Change[] {
  const value = ts.isParenthesizedExpression(returned) ? returned.expression : returned;
  return constantsFor(value)
    .filter((each) => each !== textOf(value))
    .map((each) => change('return', returned, each));
}

function constantsFor(value: ts.Expression): string[] {
  if (isBoolean(value)) return ['true', 'false'];
  if (ts.isNumericLiteral(value)) return [String(Number(value.text.replaceAll('_', '')) + 1)];
  if (ts.isStringLiteralLike(value) || ts.isTemplateExpression(value)) return ["''"];
  return ['undefined'];
}

function isBoolean(value: ts.Expression): boolean {
  if (ts.isBinaryExpression(value)) {
    const { kind } = value.operatorToken;
    return boundaries.has(kind) || opposites.has(kind);
  }
  const isNot = ts.isPrefixUnaryExpression(value) && value.operator === SyntaxKind.ExclamationToken;
  return isNot || value.kind === SyntaxKind.TrueKeyword || value.kind === SyntaxKind.FalseKeyword;
}

function ofArguments({ expression, arguments: given }: ts.CallExpression): Change[] {
  // The same in any order.
  if (/^Math\.(max|min)$/.test(textOf(expression))) return [];
  return given.slice(1).flatMap((second, i) => {
    const first = given[i];
    if (!first || !isValue(first) || !isValue(second) || textOf(first) === textOf(second))
      return [];
    const between = first.getSourceFile().text.slice(first.getEnd(), second.getStart());
    const after = textOf(second) + between + textOf(first);
    return [{ kind: 'arguments', start: first.getStart(), end: second.getEnd(), after }];
  });
}

function isValue(node: ts.Expression): boolean {
  return (
    ts.isIdentifier(node) ||
    ts.isPropertyAccessExpression(node) ||
    ts.isStringLiteralLike(node) ||
    ts.isNumericLiteral(node)
  );
}

// Outside functions, or by keys that are data: what a program looks things up in.
function isTable(node: ts.ObjectLiteralExpression): boolean {
  const isQuoted = node.properties.some(
    ({ name }) => name && (ts.isStringLiteral(name) || ts.isNumericLiteral(name)),
  );
  return isQuoted || !ts.findAncestor(node, ts.isFunctionLike);
}

function ofMembers(node: ts.Node, members: ts.NodeArray<ts.Node>): Change[] {
  // `[a] = b` and `[a, b] = [b, a]` take things apart.
  if (ts.isBinaryExpression(node.parent) && node.parent.left === node) return [];
  return members.map((member, i) => {
    const next = members[i + 1];
    const end = next ? next.getStart() : members.end;
    return { kind: 'member', start: member.getStart(), end, after: '' };
  });
}

function change(kind: Kind, node: ts.Node, after: string): Change {
  return { kind, start: node.getStart(), end: node.getEnd(), after };
}

function textOf(node: ts.Node): string {
  return node.getText();
}
