import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Collector } from '../../src/core/diagnostics/index.ts';
import type { InputObject } from '../../src/core/model/object.ts';
import { readStreams } from '../../src/yaml/parse/yaml.ts';

/** The sources of mutants. */
export interface Corpus {
  texts: readonly string[];
  /** The readable texts, as objects. */
  packages: readonly (readonly InputObject[])[];
  /** Every `${...}` in them: exchanged, they have wrong types and unknown names. */
  expressions: readonly string[];
}

/** Larger files cost much and find nothing new. */
const MAX_LENGTH = 300_000;

/** The default folders; `root` is the folder of the project. */
export const ownFolders = (root: string): string[] =>
  ['test/conformance', 'test/cases', 'test/function', 'examples'].map((folder) => join(root, folder));

export function readCorpus(folders: readonly string[]): Corpus {
  const texts = folders
    .flatMap((folder) => filesIn(folder))
    .map((file) => readFileSync(file, 'utf8'))
    .filter((text) => text.length <= MAX_LENGTH);
  const packages = texts.flatMap((text) => {
    const reports = new Collector();
    const objects = readStreams([{ file: '-', text }], reports) as InputObject[];
    const isPackage = reports.all.length === 0 && objects.every(({ object }) => typeof object === 'object');
    return isPackage && objects.length > 0 ? [objects] : [];
  });
  const expressions = new Set(texts.flatMap((text) => text.match(/\$\{[^\n]*?\}(?=["']?(?:\n|$))/g) ?? []));
  return { texts, packages, expressions: [...expressions] };
}

/** Returns inputs without results, which contain no expressions. */
function filesIn(folder: string): string[] {
  if (statSync(folder).isFile()) return [folder];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.(?:ya?ml|json)$/.test(name) && !/(?:^|\/)(?:expected|about|node_modules)/.test(name))
    .sort()
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
}

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));
