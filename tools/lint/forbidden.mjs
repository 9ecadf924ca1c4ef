#!/usr/bin/env node
// Rejects what only some folders may do: part of `npm run lint`. The syntax tree decides, so that a comment or a text does
// not. A comment `allowed: REASON` on the line above exempts one place. RULES says where each rule holds, and why.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from '@typescript/typescript6';
import { sourceFiles } from './sources.mjs';

/** Functions of node:fs that change files, without `Sync`. */
const CHANGES = new Set([
  'appendFile',
  'chmod',
  'chown',
  'copyFile',
  'cp',
  'createWriteStream',
  'fchmod',
  'fchown',
  'ftruncate',
  'futimes',
  'lchmod',
  'lchown',
  'link',
  'lutimes',
  'mkdir',
  'mkdtemp',
  'open',
  'rename',
  'rm',
  'rmdir',
  'symlink',
  'truncate',
  'unlink',
  'utimes',
  'write',
  'writeFile',
  'writev',
]);

/** Functions that return the name of an object, which may be a value of a Secret. */
const NAMES = new Set(['fullTitleOf', 'generateNameOf', 'identityOf', 'nameOf', 'namespaceOf', 'titleOf']);

const GIT = /^git(?:\.exe|\.cmd)?$|(?:^|[|;&(\s])git (?:-|[a-z]+-[a-z]+)/;

/**
 * Each rule with the paths in which it holds (`folders`), those that may do it (`except`), and `find`, which returns the
 * node to report, or undefined.
 */
export const RULES = {
  catches: {
    message: 'Catch the expected errors only: use attempt(), or rethrow all others.',
    why: 'A bug must not look like an input that is rejected: src/core/model/attempt.ts.',
    folders: ['src/'],
    except: ['src/cli/playground/'],
    find: (node) => (ts.isCatchClause(node) && node.variableDeclaration === undefined ? node : undefined),
  },
  fields: {
    message: 'Write a method: an arrow function in a class field loses this.',
    why: 'The build writes arrow functions of the command as functions.',
    folders: ['src/'],
    except: [],
    find: (node) => (isFieldWithThis(node) ? node : undefined),
  },
  git: {
    message: 'Use git through src/cli/git.',
    why: 'SECURITY.md: it starts git without the configuration of the folder.',
    folders: ['src/cli/'],
    except: ['src/cli/git/'],
    find: (node) => (textsOf(node).some((text) => GIT.test(text)) ? node : undefined),
  },
  names: {
    message: 'A name may be a value of a Secret: use nameText, namespaceText, titleText, fullTitle or addressText.',
    why: 'src/core/diagnostics/title.ts asks whether it is one.',
    folders: ['src/', 'playground/'],
    except: ['src/core/diagnostics/title.ts'],
    find: (node) => (isTrusted(node) && contains(node, isNameOfObject) ? node : undefined),
  },
  programs: {
    message: 'Start programs by src/cli/tool.ts, git by src/cli/git, and another release by src/cli/other-release.ts.',
    why: 'SECURITY.md names the files that start programs.',
    folders: ['src/'],
    except: ['src/cli/git/run.ts', 'src/cli/other-release.ts', 'src/cli/tool.ts'],
    find: (node) => (textsOf(node).some((text) => /^(?:node:)?child_process$/.test(text)) ? node : undefined),
  },
  spreads: {
    message: 'Do not spread a list into the arguments of a call: push its items one by one, or say why it is short.',
    why: 'Arguments are on the stack, so that a list as long as the input ends the program.',
    folders: ['src/'],
    except: [],
    find: spreadOf,
  },
  texts: {
    message: 'Do not cast a string to Text: use composeText, trusted, or a message.',
    why: 'Values reach a printed text by redaction, or by `trusted`: src/core/diagnostics/message.ts.',
    folders: ['src/', 'playground/'],
    except: ['src/core/diagnostics/message.ts'],
    find: (node) => (ts.isAssertionExpression(node) && node.type.getText() === 'Text' ? node : undefined),
  },
  writes: {
    message: 'Change files by src/cli/write only: it follows no link below a folder.',
    why: 'SECURITY.md: elsewhere, files are only read.',
    folders: ['src/'],
    except: ['src/cli/write/'],
    find: (node) => (isImportOfChanges(node) || isLoadOfFiles(node) ? node : undefined),
  },
};

function isFieldWithThis(node) {
  if (!ts.isPropertyDeclaration(node) || node.initializer === undefined) return false;
  const isThis = ({ kind }) => kind === ts.SyntaxKind.ThisKeyword;
  return contains(node.initializer, (one) => ts.isArrowFunction(one) && contains(one, isThis));
}

/** Returns the texts of a literal: those of a template have a space for each expression. */
function textsOf(node) {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (!ts.isTemplateExpression(node)) return [];
  return [[node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' ')];
}

function isTrusted(node) {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  return node.expression.expression.getText() === 'trusted';
}

function isNameOfObject(node) {
  if (!ts.isCallExpression(node)) return false;
  const { expression } = node;
  const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  return ts.isIdentifier(name) && NAMES.has(name.text);
}

function spreadOf(node) {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return undefined;
  const { expression } = node;
  const isApply = ts.isPropertyAccessExpression(expression) && expression.name.text === 'apply';
  if (isApply) return node;
  return node.arguments?.find((one) => ts.isSpreadElement(one) && !isRestParameter(one.expression));
}

/** Reports whether something is the rest parameter of a function around it: its items were arguments already. */
function isRestParameter(node) {
  if (!ts.isIdentifier(node)) return false;
  for (let { parent } = node; parent !== undefined; { parent } = parent) {
    const declared = parent.parameters?.find(({ name }) => name.getText() === node.text);
    if (declared !== undefined) return declared.dotDotDotToken !== undefined;
  }
  return false;
}

/** Reports whether something imports, or passes on, functions that change files. */
function isImportOfChanges(node) {
  if (ts.isExportDeclaration(node)) {
    if (!isOfFiles(node.moduleSpecifier)) return false;
    const { exportClause } = node;
    return exportClause === undefined || !ts.isNamedExports(exportClause) || exportClause.elements.some(isChange);
  }
  if (!ts.isImportDeclaration(node) || !isOfFiles(node.moduleSpecifier)) return false;
  const clause = node.importClause;
  if (clause === undefined || clause.isTypeOnly) return false;
  const { name, namedBindings } = clause;
  if (name !== undefined) return true;
  return ts.isNamespaceImport(namedBindings) || namedBindings.elements.some(isChange);
}

function isChange({ name, propertyName }) {
  return CHANGES.has((propertyName ?? name).text.replace(/Sync$/, ''));
}

/** Reports whether a call returns all of node:fs: `import()`, `require()` or `process.getBuiltinModule()`. */
function isLoadOfFiles(node) {
  if (!ts.isCallExpression(node)) return false;
  const { expression } = node;
  const isImport = expression.kind === ts.SyntaxKind.ImportKeyword;
  const name = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
  return (isImport || name === 'require' || name === 'getBuiltinModule') && isOfFiles(node.arguments[0]);
}

function isOfFiles(node) {
  return node !== undefined && ts.isStringLiteralLike(node) && /^(?:node:)?fs(?:\/promises)?$/.test(node.text);
}

function contains(node, isWanted) {
  return isWanted(node) || ts.forEachChild(node, (child) => contains(child, isWanted) || undefined) === true;
}

/** Returns the lines of a source at which a rule, or one of all rules that hold for its path, finds a fault. */
export function faultsIn(path, text, names = namesFor(path)) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lines = text.split('\n');
  const faults = [];
  const visit = (node) => {
    for (const name of names) {
      const found = RULES[name].find(node);
      if (found === undefined) continue;
      const { line } = source.getLineAndCharacterOfPosition(found.getStart(source));
      if (!/\/\/ allowed: \S/.test(lines[line - 1] ?? '')) faults.push({ line: line + 1, rule: name });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}

function namesFor(path) {
  const isIn = (folders) => folders.some((folder) => path.startsWith(folder));
  return Object.keys(RULES).filter((name) => isIn(RULES[name].folders) && !isIn(RULES[name].except));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const path of [...sourceFiles('src'), ...sourceFiles('playground')]) {
    for (const { line, rule } of faultsIn(path, readFileSync(path, 'utf8'))) {
      console.error(`${path}:${line} ${rule}: ${RULES[rule].message} ${RULES[rule].why}`);
      process.exitCode = 1;
    }
  }
}
