import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';

/** Functions of src/cli that read the names in a folder, or objects of git. */
const READERS: ReadonlySet<string> = new Set([
  'entriesIn',
  'namesIn',
  'opendir',
  'opendirSync',
  'readdir',
  'readdirSync',
  'readEntries',
  'readObjects',
]);

/** A function that walks: it reads folders or objects of git, or calls itself. */
export interface FoundWalk {
  /** `FILE FUNCTION`, the outermost function. */
  place: string;
  calls: string;
}

type Named = ts.FunctionDeclaration | ts.VariableDeclaration | ts.MethodDeclaration;

/** Returns the functions of a folder that walk. Those that call one another are found by the first of them. */
export function walksIn(folder: string): FoundWalk[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return files.sort().flatMap((file) => walksOf(join(folder, file)));
}

function walksOf(path: string): FoundWalk[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const functions = namedFunctionsIn(source);
  const known = new Set(functions.map(({ name }) => name));
  const called = new Map(functions.map(({ name, node }) => [name, callsIn(node)]));
  return functions.flatMap(({ name, outer }) => {
    const own = called.get(name) ?? new Set();
    const reads = path.startsWith('src/cli/') ? [...own].filter((one) => READERS.has(one) && one !== name) : [];
    const again = reaches(name, name, called, known) ? ['itself'] : [];
    return [...reads, ...again].map((calls) => ({ place: `${path} ${outer}`, calls }));
  });
}

function namedFunctionsIn(source: ts.SourceFile): { name: string; outer: string; node: Named }[] {
  const found: { name: string; outer: string; node: Named }[] = [];
  const visit = (node: ts.Node, outer: string | undefined): void => {
    const name = nameOf(node);
    const within = outer ?? name;
    if (name !== undefined && within !== undefined) found.push({ name, outer: within, node: node as Named });
    ts.forEachChild(node, (child) => visit(child, within));
  };
  visit(source, undefined);
  return found;
}

function nameOf(node: ts.Node): string | undefined {
  const isFunction =
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    (ts.isVariableDeclaration(node) && node.initializer !== undefined && ts.isArrowFunction(node.initializer));
  return isFunction ? (node as Named).name?.getText() : undefined;
}

function callsIn(node: ts.Node): Set<string> {
  const names = new Set<string>();
  const visit = (at: ts.Node): void => {
    // A function that is passed to another one is called by it.
    const isPassed = ts.isCallExpression(at.parent) || ts.isNewExpression(at.parent);
    if (ts.isIdentifier(at) && isPassed) names.add(at.text);
    if (ts.isCallExpression(at) && at.expression.getText().startsWith('this.'))
      names.add(at.expression.getText().slice(5));
    ts.forEachChild(at, visit);
  };
  ts.forEachChild(node, (child) => {
    if (child !== (node as Named).name) visit(child);
  });
  return names;
}

function reaches(
  from: string,
  to: string,
  called: ReadonlyMap<string, ReadonlySet<string>>,
  known: ReadonlySet<string>,
): boolean {
  const seen = new Set<string>();
  const next = [from];
  for (let at = next.pop(); at !== undefined; at = next.pop()) {
    for (const one of called.get(at) ?? []) {
      if (one === to) return true;
      if (!known.has(one) || seen.has(one)) continue;
      seen.add(one);
      next.push(one);
    }
  }
  return false;
}
