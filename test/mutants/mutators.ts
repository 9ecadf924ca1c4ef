import ts from '@typescript/typescript6';

/** The ways in which a source is changed. They are fixed: a test that is missing is not excused by another list. */
export const MUTATORS = [
  'condition',
  'logical',
  'operand',
  'comparison',
  'equality',
  'arithmetic',
  'negation',
  'statement',
  'return',
  'boolean',
  'string',
  'array',
  'optional',
  'method',
] as const;

export type Mutator = (typeof MUTATORS)[number];

/** One change of one file. */
export interface Mutant {
  file: string;
  line: number;
  mutator: Mutator;
  /** The text that changes, and what it becomes. */
  before: string;
  after: string;
  /** What is replaced as a whole: an expression that can be put in parentheses, or a statement. */
  start: number;
  end: number;
  form: 'expression' | 'statement';
  replacement: string;
}

const OPERATORS: ReadonlyMap<ts.SyntaxKind, readonly [Mutator, string]> = new Map([
  [ts.SyntaxKind.AmpersandAmpersandToken, ['logical', '||']],
  [ts.SyntaxKind.BarBarToken, ['logical', '&&']],
  [ts.SyntaxKind.LessThanToken, ['comparison', '<=']],
  [ts.SyntaxKind.LessThanEqualsToken, ['comparison', '<']],
  [ts.SyntaxKind.GreaterThanToken, ['comparison', '>=']],
  [ts.SyntaxKind.GreaterThanEqualsToken, ['comparison', '>']],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, ['equality', '!==']],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, ['equality', '===']],
  [ts.SyntaxKind.PlusToken, ['arithmetic', '-']],
  [ts.SyntaxKind.MinusToken, ['arithmetic', '+']],
  [ts.SyntaxKind.AsteriskToken, ['arithmetic', '/']],
  [ts.SyntaxKind.SlashToken, ['arithmetic', '*']],
  [ts.SyntaxKind.PercentToken, ['arithmetic', '*']],
]);

/** Operators of which each operand is also tried alone. */
const WITH_OPERANDS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

/** Methods with an opposite. */
const OPPOSITES: ReadonlyMap<string, string> = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['min', 'max'],
  ['max', 'min'],
  ['toLowerCase', 'toUpperCase'],
  ['toUpperCase', 'toLowerCase'],
]);

/** Methods that return something like their object: the call is left out. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'filter',
  'reverse',
  'slice',
  'sort',
  'toReversed',
  'toSorted',
  'trim',
  'trimEnd',
  'trimStart',
]);

/** Groups mutants, which have numbers, by their files. */
export function byFile(mutants: ReadonlyMap<number, Mutant>): ReadonlyMap<string, ReadonlyMap<number, Mutant>> {
  const files = new Map<string, Map<number, Mutant>>();
  for (const [id, mutant] of mutants) {
    const entries = files.get(mutant.file) ?? new Map<number, Mutant>();
    files.set(mutant.file, entries.set(id, mutant));
  }
  return files;
}

/** Returns every mutant of a file of TypeScript. */
export function mutantsOf(file: string, text: string): readonly Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const found: Mutant[] = [];

  const add = (mutator: Mutator, from: number, to: number, after: string, whole: ts.Node): void => {
    const start = whole.getStart(source);
    const end = whole.getEnd();
    found.push({
      file,
      line: source.getLineAndCharacterOfPosition(from).line + 1,
      mutator,
      before: text.slice(from, to),
      after,
      start,
      end,
      form: ts.isStatement(whole) ? 'statement' : 'expression',
      replacement: text.slice(start, from) + after + text.slice(to, end),
    });
  };
  const replace = (mutator: Mutator, node: ts.Node, after: string): void =>
    add(mutator, node.getStart(source), node.getEnd(), after, wholeOf(node));

  const visit = (node: ts.Node): void => {
    if (isSkipped(node)) return;
    const condition = conditionOf(node);
    if (condition !== undefined && !isBoolean(condition)) {
      if (!isLoop(node)) replace('condition', condition, 'true');
      replace('condition', condition, 'false');
    }
    if (ts.isBinaryExpression(node)) addOperators(node);
    else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      replace('negation', node, node.operand.getText(source));
    else if (isDropped(node)) add('statement', node.getStart(source), node.getEnd(), '', node);
    else if (ts.isReturnStatement(node) && node.expression !== undefined && isInteresting(node.expression))
      replace('return', node.expression, 'undefined');
    else if (isBoolean(node)) replace('boolean', node, node.kind === ts.SyntaxKind.TrueKeyword ? 'false' : 'true');
    else if (isText(node)) replace('string', node, node.getText(source).length > 2 ? "''" : "'mutant'");
    else if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && !isTarget(node))
      replace('array', node, '[]');
    addChains(node);
    ts.forEachChild(node, visit);
  };

  function addOperators(node: ts.BinaryExpression): void {
    const { left, operatorToken: operator, right } = node;
    const other = OPERATORS.get(operator.kind);
    if (other !== undefined && !(operator.kind === ts.SyntaxKind.PlusToken && (isText(left) || isText(right))))
      add(other[0], operator.getStart(source), operator.getEnd(), other[1], wholeOf(node));
    if (!WITH_OPERANDS.has(operator.kind)) return;
    replace('operand', node, left.getText(source));
    replace('operand', node, right.getText(source));
  }

  function addChains(node: ts.Node): void {
    if (!ts.isPropertyAccessExpression(node) && !ts.isElementAccessExpression(node) && !ts.isCallExpression(node))
      return;
    const { questionDotToken: dot } = node;
    if (dot !== undefined)
      add(
        'optional',
        dot.getStart(source),
        dot.getEnd(),
        ts.isPropertyAccessExpression(node) ? '.' : '',
        wholeOf(node),
      );
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    const { name, expression } = node.expression;
    const opposite = OPPOSITES.get(name.text);
    if (opposite !== undefined) replace('method', name, opposite);
    if (LEFT_OUT.has(name.text) && node.expression.questionDotToken === undefined && dot === undefined)
      replace('method', node, expression.getText(source));
  }

  visit(source);
  return found;
}

/** Types, imports and names of properties are not run. */
function isSkipped(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return true;
  return ts.isStringLiteral(node) && ts.isPropertyAssignment(node.parent) && node.parent.name === node;
}

function conditionOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node)) return node.expression;
  if (ts.isConditionalExpression(node) || ts.isForStatement(node)) return node.condition;
  return undefined;
}

const isLoop = (node: ts.Node): boolean =>
  ts.isWhileStatement(node) || ts.isDoStatement(node) || ts.isForStatement(node);

const isBoolean = (node: ts.Node): boolean =>
  node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword;

const isText = (node: ts.Node): boolean =>
  ts.isStringLiteral(node) ||
  ((ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node)) &&
    !ts.isTaggedTemplateExpression(node.parent));

const isInteresting = (node: ts.Expression): boolean =>
  !isBoolean(node) && !(ts.isIdentifier(node) && node.text === 'undefined');

/** A list on the left of an assignment, or in the head of a loop. */
const isTarget = ({ parent, pos }: ts.Node): boolean =>
  (ts.isBinaryExpression(parent) &&
    parent.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    parent.left.pos === pos) ||
  (ts.isForOfStatement(parent) && parent.initializer.pos === pos);

const isDropped = (node: ts.Node): boolean =>
  ts.isThrowStatement(node) ||
  ts.isContinueStatement(node) ||
  (ts.isExpressionStatement(node) && !ts.isStringLiteral(node.expression));

/** A part of a chain of properties and calls cannot be put in parentheses without changing what it means. */
function wholeOf(node: ts.Node): ts.Node {
  let whole = node;
  while (isHead(whole)) whole = whole.parent;
  return whole;
}

function isHead(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return true;
  if (ts.isTaggedTemplateExpression(parent)) return parent.tag === node;
  return (
    (ts.isElementAccessExpression(parent) || ts.isCallExpression(parent) || ts.isNonNullExpression(parent)) &&
    parent.expression === node
  );
}
