import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { ObjectSource } from '../../src/api/index.ts';
import { sample } from '../../src/api/tools/index.ts';
import { Collector } from '../../src/core/diagnostics/index.ts';
import { groupVersionKind, type KubeObject, nameOf } from '../../src/core/model/object.ts';
import { getAt } from '../../src/core/model/value.ts';
import { isRgd } from '../../src/kro/definition/read.ts';
import { builtinKinds } from '../../src/kubernetes/schema/index.ts';
import { flattenObjects } from '../../src/yaml/parse/flatten.ts';
import { readStreams } from '../../src/yaml/parse/yaml.ts';
import { jsonText, readPackageText } from '../cluster/documents.ts';
import { identityIn } from '../cluster/identity.ts';
import { groupKind, kindsOfRgds, mentionedKinds, permissiveCrds } from '../cluster/kinds.ts';
import type { GeneratedPackage } from '../differential/packages.ts';

/** An object, and the folder of its file in the repository. */
interface Found {
  object: KubeObject;
  folder: string;
}

export interface RepositoryPackage extends GeneratedPackage {
  /** The name of the RGD, unique in the repository. */
  name: string;
}

/** Instances of one RGD in a package; further ones rarely differ. */
const INSTANCES = 5;

/** Returns a package for each RGD of a clone: equal RGDs count once. `unread` is the number of files that are not YAML. */
export async function packagesOf(clone: string): Promise<{ packages: RepositoryPackage[]; unread: number }> {
  const files = filesBelow(clone).map((file) => ({ folder: dirname(relative(clone, file)), objects: objectsIn(file) }));
  // Templates of Helm and Backstage can be YAML too.
  const all = files.flatMap(({ folder, objects = [] }) =>
    objects.filter((object) => !jsonText(object).includes('{{')).map((object): Found => ({ object, folder })),
  );
  const seen = new Set<string>();
  const names = new Map<string, number>();
  const packages: RepositoryPackage[] = [];
  for (const found of all.filter(({ object }) => isRgd(object))) {
    const text = jsonText(found.object.spec ?? null);
    if (seen.has(text)) continue;
    seen.add(text);
    const count = (names.get(nameOf(found.object)) ?? 0) + 1;
    names.set(nameOf(found.object), count);
    const name = `${nameOf(found.object)}${count === 1 ? '' : `-${count}`}`;
    packages.push({ name, ...(await packageOf(found, all)) });
  }
  return { packages, unread: files.filter(({ objects }) => objects === undefined).length };
}

async function packageOf(root: Found, all: readonly Found[]): Promise<GeneratedPackage> {
  const rgds = all.filter(({ object }) => isRgd(object));
  const crds = all.filter(({ object }) => object.kind === 'CustomResourceDefinition');
  const needed = new Map<string, KubeObject>();
  const take = ({ object, folder }: Found): void => {
    const identity = identityIn(object, '');
    if (needed.has(identity)) return;
    needed.set(identity, withoutStatus(object));
    for (const kind of isRgd(object) ? mentionedKinds([object]).map(groupKind) : []) {
      if (kind === groupKind(object)) continue;
      const definition = nearest(folder, [
        ...rgds.filter((one) => kindsOfRgds([one.object]).some((defined) => groupKind(defined) === kind)),
        ...crds.filter((one) => kindOfCrd(one.object) === kind),
      ]);
      if (definition !== undefined) take(definition);
    }
  };
  take(root);
  const [kind] = kindsOfRgds([root.object]).map(groupKind);
  const instances = new Map<string, KubeObject>();
  for (const one of byDistance(root.folder, all).filter(({ object }) => groupKind(object) === kind)) {
    const identity = identityIn(one.object, 'default');
    if (!instances.has(identity) && instances.size < INSTANCES) instances.set(identity, withoutStatus(one.object));
  }
  const given = [
    ...needed.values(),
    ...(instances.size > 0 ? instances.values() : sampleOf([...needed.values()], root)),
  ];
  const permissive = await permissiveCrds(given, { knows: async (object) => isKnown(object as KubeObject) });
  return { objects: [...permissive, ...given] as unknown as GeneratedPackage['objects'], observed: [] };
}

/** Returns an instance as `render-rgd instance` writes it; none if the RGD is invalid. */
function sampleOf(objects: readonly KubeObject[], { object }: Found): KubeObject[] {
  const [defined] = kindsOfRgds([object]);
  const { text } = sample({ objects: objects as readonly object[] as ObjectSource[] }, defined?.kind ?? '');
  return text === undefined ? [] : readPackageText(text);
}

const withoutStatus = ({ status: _, ...object }: KubeObject): KubeObject => object;
const kindOfCrd = (crd: KubeObject): string =>
  `${getAt(crd, ['spec', 'group'])} ${getAt(crd, ['spec', 'names', 'kind'])}`;
const isKnown = (object: KubeObject): boolean =>
  isRgd(object) || builtinKinds.find(groupVersionKind(object)) !== undefined;

/** Sorts objects by the number of steps between their folders and another one. */
const byDistance = (folder: string, all: readonly Found[]): Found[] =>
  [...all].sort((one, other) => distance(folder, one.folder) - distance(folder, other.folder));

const nearest = (folder: string, all: readonly Found[]): Found | undefined => byDistance(folder, all)[0];

function distance(from: string, to: string): number {
  const path = relative(from, to);
  return path === '' ? 0 : path.split('/').length;
}

/** Returns the objects of a file; undefined if it has errors, as templates of other tools have. */
function objectsIn(file: string): KubeObject[] | undefined {
  const reports = new Collector();
  const objects = flattenObjects(readStreams([{ file, text: readFileSync(file, 'utf8') }], reports), reports);
  return reports.hasErrors ? undefined : objects.map(({ object }) => object);
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(path);
      return entry.isFile() && /\.ya?ml$/.test(entry.name) ? [path] : [];
    })
    .sort();
