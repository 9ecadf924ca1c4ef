import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '../../src/core/model/object.ts';
import { isRgd } from '../../src/kro/definition/read.ts';
import { findCases } from '../../tools/conformance-cases.mjs';
import { kroSources, moduleFolder } from '../cluster/control-plane/build.ts';
import { readPackageText } from '../cluster/documents.ts';
import type { GeneratedPackage } from './packages.ts';

/**
 * Returns the conformance cases of this repository, without those of `beyond` and of known-gaps.json, which contain
 * deliberate differences. The cases of kro 0.10 count for its engine only: `strict` rejects what it will reject.
 */
export function conformancePackages(isNext: boolean): GeneratedPackage[] {
  const gaps = Object.keys(JSON.parse(readFileSync('test/conformance/known-gaps.json', 'utf8')));
  const isKnown = (folder: string): boolean => gaps.some((gap) => folder.endsWith(gap));
  const cases = findCases('test/conformance').filter(
    (folder) =>
      !folder.includes('/beyond/') &&
      !folder.includes('-graph-') &&
      !isKnown(folder) &&
      (isNext || !folder.includes('/kro-0.10/')),
  );
  return cases.map(packageOfCase);
}

/** Returns the packages of the cases below a folder, in the format of test/conformance. */
export const packagesOfCases = (folder: string): GeneratedPackage[] => findCases(folder).map(packageOfCase);

function packageOfCase(folder: string): GeneratedPackage {
  const read = (name: string): GeneratedPackage['objects'] =>
    existsSync(join(folder, name)) ? objectsIn(readFileSync(join(folder, name), 'utf8')) : [];
  return { objects: read('input.yaml'), observed: read('observed.yaml') };
}

/**
 * Returns RGDs of kro itself, one per package: its examples, its documentation (YAML blocks in the pages), its tests.
 * They are read from the module cache of Go.
 */
export function packagesOfKro(): GeneratedPackage[] {
  const root = kroSources();
  const seen = new Set<string>();
  return ['examples', 'website/docs', 'test'].flatMap((folder) =>
    filesBelow(join(root, folder)).flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      const texts = /\.ya?ml$/.test(file) ? [text] : /\.mdx?$/.test(file) ? blocksOf(text) : [];
      return texts.flatMap((one) =>
        packagesOf(one).filter((each) => {
          const key = JSON.stringify(each.objects, (_, value) => (typeof value === 'bigint' ? String(value) : value));
          return seen.has(key) ? false : seen.add(key) !== undefined;
        }),
      );
    }),
  );
}

/** Returns expressions in the tests of the CEL libraries that are a literal of their own. */
export function expressionsOfLibraries(): string[] {
  const folders = [
    join(moduleFolder('k8s.io/apiserver@v0.36.3'), 'pkg/cel/library'),
    join(moduleFolder('github.com/google/cel-go@v0.26.0'), 'ext'),
  ];
  const texts = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('_test.go'))
      .flatMap((name) => [
        ...readFileSync(join(folder, name), 'utf8').matchAll(/\b(?:expr|expression):\s*(`[^`]+`|"(?:[^"\\\n]|\\.)+")/g),
      ])
      .map(([, literal = '']) => (literal.startsWith('`') ? literal.slice(1, -1) : unquoted(literal))),
  );
  return [...new Set(texts)].filter((text) => text !== '');
}

/** Returns the value of a quoted literal of Go, if JSON writes it equally. */
function unquoted(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return '';
  }
}

const objectsIn = (text: string): GeneratedPackage['objects'] =>
  readPackageText(text) as unknown as GeneratedPackage['objects'];

function packagesOf(text: string): GeneratedPackage[] {
  let objects: KubeObject[];
  try {
    objects = readPackageText(text);
  } catch {
    // Templates of Helm and of tests are not YAML.
    return [];
  }
  const crds = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
  return (
    objects
      .filter(isRgd)
      // Expected results of tests are RGDs with a status, which authors do not write.
      .map(({ status: _, ...rgd }) => ({
        objects: [...crds, rgd] as unknown as GeneratedPackage['objects'],
        observed: [],
      }))
  );
}

const blocksOf = (page: string): string[] =>
  [...page.matchAll(/^```ya?ml[^\n]*\n([\s\S]*?)^```/gm)].map(([, text = '']) => text);

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
