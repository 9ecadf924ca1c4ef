import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';

/** A document that can be edited. */
// biome-ignore lint/suspicious/noExplicitAny: whatever stands in a file of YAML.
export type Doc = any;

/** A package as input of the commands. */
export interface ExamplePackage {
  objects: readonly Doc[];
  definitions: readonly Doc[];
  observed: readonly Doc[];
  namespace: string;
}

const ROOT = fileURLToPath(new URL('../../../examples', import.meta.url));

/** Options that the documentation passes to the command besides the folder. */
const GIVEN: Readonly<Record<string, { definitions?: readonly string[]; observed?: readonly string[] }>> = {
  'argocd/blog': { definitions: ['argocd/platform'] },
  'argocd/shop': { definitions: ['argocd/platform'] },
  'pending/site': { observed: ['pending/observed.yaml'] },
};

const isInput = (name: string): boolean => /\.ya?ml$/.test(name) && !name.startsWith('expected');

/** Returns every folder of examples that contains input files; '' is `examples` itself. */
export function exampleFolders(folder = ROOT): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const own = entries.some((entry) => entry.isFile() && isInput(entry.name)) ? [relative(ROOT, folder)] : [];
  const below = entries
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => exampleFolders(join(folder, name)));
  return [...own, ...below].sort();
}

/** The package of a folder; that of a golden test is the one that its test.yaml names. */
export function examplePackage(folder: string): ExamplePackage {
  const at = join(ROOT, folder);
  const test = join(at, 'test.yaml');
  const given = GIVEN[folder] ?? {};
  const settings = existsSync(test) ? parse(readFileSync(test, 'utf8')) : {};
  const beside = (paths: readonly string[] = []): Doc[] => paths.flatMap((path) => documentsAt(join(at, path)));
  const below = (paths: readonly string[] = []): Doc[] => paths.flatMap((path) => documentsAt(join(ROOT, path)));
  const isTest = existsSync(test);
  const files = readdirSync(at).filter((name) => isInput(name) && name !== 'test.yaml');
  const isObserved = (name: string): boolean => isTest && name === 'observed.yaml';
  return {
    objects: [...beside(files.filter((name) => !isObserved(name))), ...beside(settings.input)],
    definitions: [...below(given.definitions), ...beside(settings.definitions)],
    observed: [...below(given.observed), ...beside(files.filter(isObserved))],
    namespace: settings.namespace ?? '',
  };
}

function documentsAt(path: string): Doc[] {
  if (statSync(path).isDirectory()) {
    const names = readdirSync(path).filter(isInput);
    return names.flatMap((name) => documentsAt(join(path, name)));
  }
  return parseAllDocuments(readFileSync(path, 'utf8')).map((document) => document.toJS());
}
