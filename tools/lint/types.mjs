// Rules that need the types of the sources: node tools/lint/types.mjs [FILE...]
// Without files, those of src and playground. `npm run lint` runs it, and test/tools/lint tests the rules.
//
// records: a name of the input, such as `constructor`, must not find what an object inherits. A key that is no literal
//   is read with `ownValue` or `get`, or after `Object.hasOwn`, and written with `setKey`.
// promises: a promise is awaited, returned or given a rejection handler, and no asynchronous function is passed where
//   nobody looks at its promise, because Node ends the program for an unhandled rejection.
// sentences: no decision is taken from a text that people read: a message, a hint, a title or any `Text`. Codes, remedies
//   and other data say what a sentence says. A line that changes only the form of a sentence, or reads that of another
//   program, has a comment above it: `// sentence: WHY`.
// watchers: an emitter of node:fs has a listener of 'error', because an error event without one ends the program.
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from '@typescript/typescript6';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Functions whose callers do not look at the returned promise, although their types allow one. */
const IGNORES_PROMISES = new Set(['onNotification', 'setImmediate', 'setInterval', 'setTimeout']);

/** Functions that return the own keys of their first argument, and methods that return items of their list. */
const OWN_KEYS = new Set(['keysFirst', 'sortedKeys']);
const SAME_ITEMS = new Set(['filter', 'reverse', 'slice', 'sort']);

const MESSAGES = {
  read: 'Read a key that may be of the input with ownValue() or get(), or after Object.hasOwn().',
  write: 'Write a key that may be of the input with setKey(), or use a Map.',
  in: 'Use Object.hasOwn(): `in` also finds what an object inherits.',
  assign: 'Use a spread or setKey(): Object.assign sets the prototype for the key __proto__.',
  floating: 'Await or return this promise, or handle its rejection.',
  misused: 'Nobody looks at the promise of this function: handle its errors inside, and return nothing.',
  sentence: 'Decide by codes and data, not by what a sentence says; if this is no decision, say why: // sentence: WHY.',
  watcher: "Add a listener of 'error' in the same statement list: an error event without one ends the program.",
};

/** @returns {{ file: string, line: number, rule: string }[]} */
export function findings(files) {
  const program = ts.createProgram(files, options());
  const checked = new Set(files);
  return program.getSourceFiles().flatMap((source) => {
    return checked.has(source.fileName) ? findingsIn(source, program.getTypeChecker()) : [];
  });
}

function options() {
  const path = join(ROOT, 'tsconfig.json');
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  const dom = { ...config.compilerOptions, lib: [...config.compilerOptions.lib, 'DOM', 'DOM.Iterable', 'WebWorker'] };
  return ts.convertCompilerOptionsFromJson(dom, ROOT).options;
}

function findingsIn(source, checker) {
  const found = [];
  const visit = (node) => {
    for (const rule of rulesOf(node, checker)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({ file: relative(ROOT, source.fileName), line: line + 1, rule });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function* rulesOf(node, checker) {
  const isDeleted = ts.isDeleteExpression(node.parent ?? node);
  if (ts.isElementAccessExpression(node) && !isDeleted && isUnchecked(node, checker)) yield useOf(node);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InKeyword) {
    if (isText(checker.getTypeAtLocation(node.left))) yield 'in';
  }
  if (ts.isCallExpression(node)) {
    if (isAssign(node, checker)) yield 'assign';
    if (readsSentence(node, checker) && !isExplained(node)) yield 'sentence';
    if (isUnheardWatcher(node, checker)) yield 'watcher';
    for (const argument of node.arguments) if (isMisused(argument, node, checker)) yield 'misused';
  }
  if (comparesSentence(node, checker) && !isExplained(node)) yield 'sentence';
  if (ts.isExpressionStatement(node) && isInNode(node) && isFloating(node.expression, checker)) yield 'floating';
}

/** records */

function useOf(node) {
  const { parent } = node;
  if (!ts.isBinaryExpression(parent) || parent.left !== node) return 'read';
  const { kind } = parent.operatorToken;
  const isAssignment = kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
  return isAssignment ? 'write' : 'read';
}

function isUnchecked(node, checker) {
  const key = withoutCasts(node.argumentExpression);
  if (!isText(checker.getTypeAtLocation(key))) return false;
  const type = checker.getNonNullableType(checker.getTypeAtLocation(node.expression));
  const parts = type.isUnion() ? type.types : [type];
  if (parts.every((part) => checker.isArrayLikeType(part) || (part.flags & ts.TypeFlags.StringLike) !== 0))
    return false;
  if (isSetKey(node)) return false;
  const object = withoutCasts(node.expression).getText();
  if (isGuarded(node, object, key.getText())) return false;
  // A key of the same object is its own; writing it changes no prototype only if it is there.
  return !isKeyOf(key, object, checker);
}

/** The function that writes any key. */
function isSetKey(node) {
  const { parent } = ts.findAncestor(node, ts.isFunctionDeclaration) ?? {};
  const name = ts.findAncestor(node, ts.isFunctionDeclaration)?.name?.text;
  return name === 'setKey' && parent.fileName.endsWith('/src/core/model/value.ts');
}

function withoutCasts(node) {
  if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node))
    return withoutCasts(node.expression);
  return node;
}

/** A string that is not one of the literals that its type lists. */
function isText(type) {
  if (type.isUnion()) return type.types.some(isText);
  return (type.flags & (ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping)) !== 0;
}

/** Reports whether `Object.hasOwn(object, key)` is true where a node is evaluated. */
function isGuarded(node, object, key) {
  for (let at = node; at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (ts.isConditionalExpression(parent) && parent.whenFalse === at && failsWithout(parent.condition, object, key))
      return true;
    if (ts.isConditionalExpression(parent) && parent.whenTrue === at && asksFor(parent.condition, object, key))
      return true;
    if (ts.isIfStatement(parent) && parent.thenStatement === at && asksFor(parent.expression, object, key)) return true;
    const isAnd = ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
    if (isAnd && parent.right === at && asksFor(parent.left, object, key)) return true;
    if (ts.isBlock(parent) && parent.statements.some((one) => one.pos < at.pos && leavesWithout(one, object, key)))
      return true;
  }
  return false;
}

/** `if (!Object.hasOwn(object, key)) return;` */
function leavesWithout(statement, object, key) {
  if (!ts.isIfStatement(statement)) return false;
  const { thenStatement: then } = statement;
  const isExit = ts.isReturnStatement(then) || ts.isContinueStatement(then) || ts.isThrowStatement(then);
  return isExit && failsWithout(statement.expression, object, key);
}

function failsWithout(condition, object, key) {
  if (ts.isBinaryExpression(condition) && condition.operatorToken.kind === ts.SyntaxKind.BarBarToken)
    return failsWithout(condition.left, object, key) || failsWithout(condition.right, object, key);
  const isNot = ts.isPrefixUnaryExpression(condition) && condition.operator === ts.SyntaxKind.ExclamationToken;
  return isNot && asksFor(condition.operand, object, key);
}

function asksFor(condition, object, key) {
  if (ts.isParenthesizedExpression(condition)) return asksFor(condition.expression, object, key);
  if (ts.isBinaryExpression(condition) && condition.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
    return asksFor(condition.left, object, key) || asksFor(condition.right, object, key);
  if (!ts.isCallExpression(condition) || condition.expression.getText() !== 'Object.hasOwn') return false;
  const [of, name] = condition.arguments;
  return of !== undefined && withoutCasts(of).getText() === object && name?.getText() === key;
}

/** Reports whether a key is an iteration variable of the keys of this object. */
function isKeyOf(key, object, checker) {
  const declaration = declarationOf(key, checker);
  if (declaration === undefined) return false;
  if (ts.isBindingElement(declaration)) {
    const pattern = declaration.parent;
    return pattern.elements[0] === declaration && isIterationOf(pattern.parent, object, checker, 'Object.entries');
  }
  if (isIterationOf(declaration, object, checker, 'Object.keys')) return true;
  const first = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
  const item = first === undefined ? undefined : withoutCasts(first);
  return (
    item !== undefined &&
    ts.isElementAccessExpression(item) &&
    isListOf(item.expression, object, checker, 'Object.keys')
  );
}

function declarationOf(name, checker) {
  return ts.isIdentifier(name) ? checker.getSymbolAtLocation(name)?.valueDeclaration : undefined;
}

/** Reports whether a declared variable takes each item of `Object.keys(object)` or `Object.entries(object)`. */
function isIterationOf(declaration, object, checker, reader) {
  if (ts.isParameter(declaration)) {
    const list = receiverOf(declaration);
    return list !== undefined && isListOf(list, object, checker, reader);
  }
  const loop = declaration.parent?.parent;
  if (loop === undefined) return false;
  if (ts.isForInStatement(loop)) return withoutCasts(loop.expression).getText() === object;
  return ts.isForOfStatement(loop) && isListOf(loop.expression, object, checker, reader);
}

/** The list whose items are a parameter: of a function that is passed to `map`, `every` and the like. */
function receiverOf(parameter) {
  const { parent } = parameter;
  const call = parent.parent;
  const isReduce = ts.isCallExpression(call) && /\.reduce$/.test(call.expression.getText());
  const isCallback =
    parent.parameters[isReduce ? 1 : 0] === parameter && ts.isCallExpression(call) && call.arguments[0] === parent;
  return isCallback && ts.isPropertyAccessExpression(call.expression) ? call.expression.expression : undefined;
}

function isListOf(list, object, checker, reader) {
  const declaration = declarationOf(list, checker);
  const first = declaration !== undefined && ts.isVariableDeclaration(declaration) && declaration.initializer;
  if (first) return isListOf(first, object, checker, reader);
  // The other list has indexes.
  if (ts.isConditionalExpression(list)) return isListOf(list.whenFalse, object, checker, reader);
  if (!ts.isCallExpression(list)) return false;
  const name = list.expression.getText();
  if (name === reader || (reader === 'Object.keys' && OWN_KEYS.has(name)))
    return withoutCasts(list.arguments[0]).getText() === object;
  const method = ts.isPropertyAccessExpression(list.expression) ? list.expression : undefined;
  return (
    method !== undefined && SAME_ITEMS.has(method.name.text) && isListOf(method.expression, object, checker, reader)
  );
}

/** `Object.assign` of anything but a literal. */
function isAssign(node, checker) {
  if (node.expression.getText() !== 'Object.assign') return false;
  return node.arguments.slice(1).some((source) => {
    if (!ts.isObjectLiteralExpression(source))
      return hasUnknownKeys(checker.getNonNullableType(checker.getTypeAtLocation(source)), checker);
    return source.properties.some((property) => ts.isSpreadAssignment(property));
  });
}

const hasUnknownKeys = (type, checker) => checker.getIndexInfosOfType(type).length > 0;

/** promises */

/** A page reports a rejection that nobody handles, and goes on. */
const isInNode = (node) => !node.getSourceFile().fileName.startsWith(join(ROOT, 'playground/'));

const isPromise = (type) => (type.isUnion() ? type.types.some(isPromise) : type.getProperty('then') !== undefined);

function isFloating(expression, checker) {
  if (ts.isAwaitExpression(expression)) return false;
  if (ts.isVoidExpression(expression)) return isFloating(expression.expression, checker);
  if (ts.isBinaryExpression(expression) || ts.isConditionalExpression(expression)) {
    const parts = ts.isConditionalExpression(expression)
      ? [expression.whenTrue, expression.whenFalse]
      : [expression.right];
    const isStored = ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.EqualsToken;
    return !isStored && parts.some((part) => isFloating(part, checker));
  }
  if (!ts.isCallExpression(expression) || !isPromise(checker.getTypeAtLocation(expression))) return false;
  return !isHandled(expression);
}

/** `.catch(f)` and `.then(f, g)` handle a rejection. */
function isHandled({ expression, arguments: given }) {
  if (!ts.isPropertyAccessExpression(expression)) return false;
  const { name } = expression;
  if (name.text === 'catch') return given.length === 1;
  if (name.text === 'then') return given.length === 2;
  return name.text === 'finally' && ts.isCallExpression(expression.expression) && isHandled(expression.expression);
}

/** An asynchronous function where the type of the parameter returns nothing, or where the promise is known to be lost. */
function isMisused(argument, call, checker) {
  const [signature] = checker.getTypeAtLocation(argument).getCallSignatures();
  if (signature === undefined || !isPromise(signature.getReturnType())) return false;
  const name = ts.isPropertyAccessExpression(call.expression) ? call.expression.name.text : call.expression.getText();
  if (IGNORES_PROMISES.has(name) || /^onDid[A-Z]/.test(name)) return true;
  const wanted = checker.getContextualType(argument);
  const expected = wanted === undefined ? [] : wanted.getCallSignatures();
  return expected.length > 0 && expected.every((one) => (one.getReturnType().flags & ts.TypeFlags.Void) !== 0);
}

/** sentences */

/** Names of properties and variables that hold what people read. */
const SENTENCES = new Set(['hint', 'message', 'title']);
const SEARCHES = new Set([
  'endsWith',
  'includes',
  'indexOf',
  'lastIndexOf',
  'match',
  'matchAll',
  'replace',
  'replaceAll',
  'search',
  'split',
  'startsWith',
]);

/** `message.includes(...)`, `/.../.test(message)` */
function readsSentence({ expression, arguments: given }, checker) {
  if (!ts.isPropertyAccessExpression(expression)) return false;
  const { name, expression: subject } = expression;
  if (SEARCHES.has(name.text) && isSentence(subject, checker)) return true;
  const isPattern = name.text === 'test' || name.text === 'exec';
  return isPattern && given[0] !== undefined && isSentence(given[0], checker);
}

/** `message === 'not found'` */
function comparesSentence(node, checker) {
  if (!ts.isBinaryExpression(node)) return false;
  const { EqualsEqualsEqualsToken: same, ExclamationEqualsEqualsToken: other } = ts.SyntaxKind;
  if (node.operatorToken.kind !== same && node.operatorToken.kind !== other) return false;
  const isWords = (one) => ts.isStringLiteralLike(one) && one.text !== '';
  return (
    (isWords(node.right) && isSentence(node.left, checker)) || (isWords(node.left) && isSentence(node.right, checker))
  );
}

function isSentence(node, checker) {
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isNonNullExpression(node))
    return isSentence(node.expression, checker);
  if (ts.isConditionalExpression(node))
    return isSentence(node.whenTrue, checker) || isSentence(node.whenFalse, checker);
  if (ts.isBinaryExpression(node)) return isSentence(node.left, checker) || isSentence(node.right, checker);
  if (ts.isTemplateExpression(node)) return node.templateSpans.some((span) => isSentence(span.expression, checker));
  if (ts.isCallExpression(node)) return isSentenceOfCall(node, checker);
  const type = checker.getTypeAtLocation(node);
  if (isBranded(type, checker)) return true;
  const name = ts.isPropertyAccessExpression(node) ? node.name.text : ts.isIdentifier(node) ? node.text : '';
  return SENTENCES.has(name) && isText(checker.getNonNullableType(type));
}

/** `String(message)`, `message.trim()`, and a function that returns a `Text` */
function isSentenceOfCall(node, checker) {
  const { expression, arguments: given } = node;
  if (ts.isIdentifier(expression) && expression.text === 'String') return given.some((one) => isSentence(one, checker));
  if (isBranded(checker.getTypeAtLocation(node), checker)) return true;
  return ts.isPropertyAccessExpression(expression) && isSentence(expression.expression, checker);
}

/** The type `Text` is a string with a property that only its module can name. */
function isBranded(type, checker) {
  if (type.isUnion()) return type.types.some((one) => isBranded(one, checker));
  return type.isIntersection() && type.getProperties().some(({ escapedName }) => /^__@formatted@/.test(escapedName));
}

/** Reports whether a comment above the line says why. */
function isExplained(node) {
  const source = node.getSourceFile();
  const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
  const lines = source.text.split('\n', line);
  return /^\s*\/\/ sentence: \S/.test(lines[line - 1] ?? '');
}

/** watchers */

function isUnheardWatcher(node, checker) {
  const name = checker.typeToString(checker.getTypeAtLocation(node));
  const isStart = ts.isIdentifier(node.expression) && name === 'FSWatcher';
  if (!isStart) return false;
  let statement = node;
  while (!ts.isBlock(statement) && !ts.isSourceFile(statement)) statement = statement.parent;
  return !/\.on\(\s*'error'/.test(statement.getText());
}

function main(given) {
  const files = given.length > 0 ? given.map((file) => join(process.cwd(), file)) : ownFiles();
  const all = findings(files);
  for (const { file, line, rule } of all) console.error(`${file}:${line}: ${MESSAGES[rule]}`);
  console.error(`${files.length} files with types: ${all.length} findings`);
  if (files.length === 0 || all.length > 0) process.exitCode = 1;
}

function ownFiles() {
  return ['src', 'playground'].flatMap((folder) =>
    ts.sys.readDirectory(join(ROOT, folder), ['.ts'], ['**/*.d.ts', '**/node_modules']),
  );
}

if (
  process.argv[1] !== undefined &&
  readFileSync(process.argv[1], 'utf8') === readFileSync(fileURLToPath(import.meta.url), 'utf8')
)
  main(process.argv.slice(2));
