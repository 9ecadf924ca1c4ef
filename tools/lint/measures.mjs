import ts from '@typescript/typescript6';

/** What is counted, by name. */
export const METRICS = {
  'long-functions': 'functions of more than 60 lines',
  'complexity-15': 'functions with a cyclomatic complexity above 15',
  'complexity-20': 'functions with a cyclomatic complexity of 20 and more',
  'nested-4': 'functions whose statements are nested four deep and more',
  'nested-5': 'functions whose statements are nested five deep and more',
  'return-type-of': '`ReturnType<`',
  'return-type-of-exported': '`ReturnType<` in an exported signature',
  'untyped-exports': 'exported functions without a return type',
  'packed-spreads': 'literals that are spread into a literal of their kind',
  'tuple-assignments': '`const [a, b] = [x, y]`',
  'conditional-spreads': '`...(x && { … })` in an object',
  'split-lists': "`'a b c'.split(' ')`",
};

const MOST_LINES = 60;
const MOST_DECISIONS = 15;
const MANY_DECISIONS = 20;

/**
 * Measures files, each with `path` and `text`. Returns the places of each metric, and the numbers of lines, of lines with
 * code and of lines with nothing but a comment.
 */
export function measure(files) {
  const found = Object.fromEntries(Object.keys(METRICS).map((name) => [name, []]));
  const counts = { lines: 0, codeLines: 0, commentLines: 0 };
  for (const { path, text } of files) {
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const report = (metric, node, detail) => {
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      found[metric].push({ file: path, line, detail: detail ?? firstLine(node.getText(source)) });
    };
    countLines(source, counts);
    visit(source, (node) => {
      if (isFunction(node)) measureFunction(node, source, report);
      measureExpression(node, report);
      if (isExported(node)) measureExport(node, report);
    });
  }
  return { found, ...counts };
}

function visit(node, onNode) {
  onNode(node);
  ts.forEachChild(node, (child) => visit(child, onNode));
}

const firstLine = (text) => text.split('\n', 1)[0].slice(0, 100);

/** Counts lines by what their tokens are: a line with a token is code, one with a comment alone is a comment. */
function countLines(source, counts) {
  const { text } = source;
  const lineOf = (offset) => source.getLineAndCharacterOfPosition(offset).line;
  const code = new Set();
  const comments = new Set();
  const add = (lines, start, end) => {
    for (let line = lineOf(start); line <= lineOf(Math.max(start, end - 1)); line++) lines.add(line);
  };
  const onToken = (node) => {
    for (const { pos, end } of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) add(comments, pos, end);
    for (const { pos, end } of ts.getTrailingCommentRanges(text, node.getEnd()) ?? []) add(comments, pos, end);
    if (node.getEnd() > node.getStart(source)) add(code, node.getStart(source), node.getEnd());
  };
  const walk = (node) => {
    const children = node.getChildren(source).filter((child) => !ts.isJSDoc(child));
    if (children.length === 0) onToken(node);
    else children.forEach(walk);
  };
  walk(source);
  counts.lines += text.split('\n').length - 1;
  counts.codeLines += code.size;
  counts.commentLines += [...comments].filter((line) => !code.has(line)).length;
}

const isFunction = (node) => ts.isFunctionLike(node) && node.body !== undefined;

/** Visits what a function runs itself, without the functions in it. */
function visitOwn(node, onNode) {
  ts.forEachChild(node, (child) => {
    if (isFunction(child)) return;
    onNode(child);
    visitOwn(child, onNode);
  });
}

const DECISIONS = new Set([
  ts.SyntaxKind.IfStatement,
  ts.SyntaxKind.ConditionalExpression,
  ts.SyntaxKind.ForStatement,
  ts.SyntaxKind.ForInStatement,
  ts.SyntaxKind.ForOfStatement,
  ts.SyntaxKind.WhileStatement,
  ts.SyntaxKind.DoStatement,
  ts.SyntaxKind.CaseClause,
  ts.SyntaxKind.CatchClause,
]);

const BRANCHING = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.AmpersandAmpersandEqualsToken,
  ts.SyntaxKind.BarBarEqualsToken,
  ts.SyntaxKind.QuestionQuestionEqualsToken,
]);

const isDecision = (node) =>
  DECISIONS.has(node.kind) || (ts.isBinaryExpression(node) && BRANCHING.has(node.operatorToken.kind));

/** Statements whose own statements are one deeper. */
const NESTING = new Set([
  ts.SyntaxKind.IfStatement,
  ts.SyntaxKind.ForStatement,
  ts.SyntaxKind.ForInStatement,
  ts.SyntaxKind.ForOfStatement,
  ts.SyntaxKind.WhileStatement,
  ts.SyntaxKind.DoStatement,
  ts.SyntaxKind.SwitchStatement,
  ts.SyntaxKind.TryStatement,
]);

/** Returns how deep statements are nested: an `else if` is as deep as its `if`. */
function nesting(node, depth = 0) {
  let deepest = depth;
  ts.forEachChild(node, (child) => {
    if (isFunction(child)) return;
    const isElseIf = ts.isIfStatement(node) && child === node.elseStatement && ts.isIfStatement(child);
    const isDeeper = NESTING.has(child.kind) && !isElseIf;
    deepest = Math.max(deepest, nesting(child, isDeeper ? depth + 1 : depth));
  });
  return deepest;
}

function measureFunction(node, source, report) {
  const start = source.getLineAndCharacterOfPosition(node.getStart(source)).line;
  const lines = source.getLineAndCharacterOfPosition(node.getEnd()).line - start + 1;
  let complexity = 1;
  visitOwn(node, (child) => {
    if (isDecision(child)) complexity++;
  });
  const depth = nesting(node.body);
  const name = node.name?.getText(source) ?? node.parent.name?.getText(source) ?? '(anonymous)';
  if (lines > MOST_LINES) report('long-functions', node, `${name} has ${lines} lines`);
  if (complexity > MOST_DECISIONS) report('complexity-15', node, `${name} has ${complexity}`);
  if (complexity >= MANY_DECISIONS) report('complexity-20', node, `${name} has ${complexity}`);
  if (depth >= 4) report('nested-4', node, `${name} is ${depth} deep`);
  if (depth >= 5) report('nested-5', node, `${name} is ${depth} deep`);
}

function unwrapped(node) {
  return ts.isParenthesizedExpression(node) ? unwrapped(node.expression) : node;
}

/** Reports whether a spread only packs the entries of one literal into another. */
function isPacked(node) {
  const isOfObject = ts.isSpreadAssignment(node);
  const isOfArray = ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.parent);
  if (!isOfObject && !isOfArray) return false;
  const value = unwrapped(node.expression);
  return isOfObject ? ts.isObjectLiteralExpression(value) : ts.isArrayLiteralExpression(value);
}

function measureExpression(node, report) {
  if (isPacked(node)) report('packed-spreads', node);
  if (ts.isSpreadAssignment(node)) {
    const value = unwrapped(node.expression);
    const isConditional =
      ts.isConditionalExpression(value) || (ts.isBinaryExpression(value) && BRANCHING.has(value.operatorToken.kind));
    if (isConditional) report('conditional-spreads', node);
  }
  if (isTupleAssignment(node)) report('tuple-assignments', node);
  if (isSplitList(node)) report('split-lists', node);
  if (isReturnTypeOf(node)) report('return-type-of', node, firstLine(node.parent.getText()));
}

function isTupleAssignment(node) {
  if (ts.isVariableDeclaration(node)) {
    const { name, initializer } = node;
    return ts.isArrayBindingPattern(name) && initializer !== undefined && ts.isArrayLiteralExpression(initializer);
  }
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return false;
  return ts.isArrayLiteralExpression(node.left) && ts.isArrayLiteralExpression(node.right);
}

function isSplitList(node) {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { expression, name } = node.expression;
  return name.text === 'split' && ts.isStringLiteralLike(expression);
}

const isReturnTypeOf = (node) =>
  ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName) && node.typeName.text === 'ReturnType';

const isExported = (node) =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

const isPrivate = (member) =>
  ts.isPrivateIdentifier(member.name ?? member) ||
  (ts.getModifiers(member) ?? []).some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);

/** Returns the functions that callers of an exported declaration call, and the types that they see. */
function signatureOf(node) {
  if (ts.isFunctionDeclaration(node)) return { functions: [node], types: [...node.parameters, node.type] };
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return { functions: [], types: [node] };
  if (ts.isVariableStatement(node)) {
    const declarations = node.declarationList.declarations;
    const functions = declarations
      .filter(({ type, initializer }) => type === undefined && initializer !== undefined && isFunction(initializer))
      .map(({ initializer }) => initializer);
    const types = functions.flatMap((one) => [...one.parameters, one.type]);
    return { functions, types: [...declarations.map(({ type }) => type), ...types] };
  }
  if (ts.isClassDeclaration(node)) {
    const members = node.members.filter((member) => !isPrivate(member));
    const functions = members.filter(
      (member) => isFunction(member) && !ts.isConstructorDeclaration(member) && !ts.isSetAccessor(member),
    );
    return { functions, types: members.flatMap((member) => [...(member.parameters ?? []), member.type]) };
  }
  return { functions: [], types: [] };
}

function measureExport(node, report) {
  const { functions, types } = signatureOf(node);
  for (const one of functions) if (one.type === undefined) report('untyped-exports', one);
  for (const type of types) {
    if (type === undefined) continue;
    visit(type, (child) => {
      if (isReturnTypeOf(child)) report('return-type-of-exported', child, firstLine(node.getText()));
    });
  }
}
