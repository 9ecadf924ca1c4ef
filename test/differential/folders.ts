import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { groupVersionKind, type KubeObject } from '../../src/core/model/object.ts';
import { isRgd } from '../../src/kro/definition/read.ts';
import { builtinKinds } from '../../src/kubernetes/schema/index.ts';
import { kroSources } from '../cluster/control-plane/build.ts';
import { readPackageText } from '../cluster/documents.ts';
import { identityIn } from '../cluster/identity.ts';
import { definedKinds, groupKind, permissiveCrds } from '../cluster/kinds.ts';
import type { GeneratedPackage } from './packages.ts';

/** Files of a folder that are not part of the package: expected results, and later versions of an object. */
const ASIDE = /assert|update|propagate|chainsaw-test|kustomization|values/;

/**
 * Returns the examples and the end-to-end tests of kro: a package for each folder with RGDs and their instances, with
 * permissive CRDs for kinds that the folder does not define.
 */
export async function foldersOfKro(): Promise<GeneratedPackage[]> {
  const packages: GeneratedPackage[] = [];
  for (const folder of ['examples', 'test/e2e', 'test/upgrade'].flatMap((name) =>
    foldersBelow(join(kroSources(), name)),
  )) {
    const objects = objectsOf(folder);
    const { byRgd } = definedKinds(objects);
    if (!objects.some((object) => byRgd.has(groupKind(object)))) continue;
    const crds = await permissiveCrds(objects, { knows: async (object) => isKnown(object as KubeObject) });
    packages.push({ objects: [...crds, ...objects] as unknown as GeneratedPackage['objects'], observed: [] });
  }
  return packages;
}

const isKnown = (object: KubeObject): boolean => isRgd(object) || isBuiltin(object);
const isBuiltin = (object: KubeObject): boolean => builtinKinds.find(groupVersionKind(object)) !== undefined;

/** Returns RGDs, CRDs, instances and objects of Kubernetes' own kinds, without duplicates, as an author writes them. */
function objectsOf(folder: string): KubeObject[] {
  const names = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name) && !ASIDE.test(name));
  const all = names.sort().flatMap((name) => objectsIn(join(folder, name)));
  const { byRgd } = definedKinds(all);
  const found = new Map<string, KubeObject>();
  for (const { status: _, ...object } of all) {
    const isWanted = isRgd(object) || byRgd.has(groupKind(object)) || isBuiltin(object);
    const identity = identityIn(object, 'default');
    if (isWanted && !found.has(identity)) found.set(identity, object);
  }
  return [...found.values()];
}

function objectsIn(file: string): KubeObject[] {
  try {
    return readPackageText(withVariables(readFileSync(file, 'utf8')));
  } catch {
    // Helm templates are not YAML.
    return [];
  }
}

/** Some instances are templates of envsubst: `$APP_NAME` becomes `app-name`. */
const withVariables = (text: string): string =>
  text.replace(/\$([A-Z][A-Z0-9_]+)\b/g, (_, name: string) => name.toLowerCase().replaceAll('_', '-'));

const foldersBelow = (folder: string): string[] => [
  folder,
  ...readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort(),
];
