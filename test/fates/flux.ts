import type { Draw } from '../differential/draw.ts';
import { named } from '../plans/repository.ts';
import { claimOrMap, type History, type Manifest, URL, type Version } from './history.ts';

const NAMESPACE = 'x';
const PREFIX = 'kustomize.toolkit.fluxcd.io';

interface Unit {
  name: string;
  folder: string;
  settings: Record<string, unknown>;
}

interface World {
  parent: 'people' | 'root';
  units: Unit[];
  hasRoot: boolean;
  root: Record<string, unknown>;
  objects: Record<string, Manifest[]>;
}

const OBJECT_OPTIONS: readonly Record<string, string>[] = [
  { [`${PREFIX}/prune`]: 'disabled' },
  { [`${PREFIX}/prune`]: 'Disabled' },
  { [`${PREFIX}/reconcile`]: 'disabled' },
  { [`${PREFIX}/ssa`]: 'Ignore' },
  { [`${PREFIX}/ssa`]: 'ignore' },
  { [`${PREFIX}/ssa`]: 'Merge' },
  { [`${PREFIX}/ssa`]: 'IfNotPresent' },
  { [`${PREFIX}/force`]: 'enabled' },
];

/** `reconcile` and `ssa: Ignore` are set after the first apply in the cluster, because nothing applies an object with them. */
const KEEPING = OBJECT_OPTIONS.filter(
  (one) => !(`${PREFIX}/reconcile` in one) && !/ignore/i.test(one[`${PREFIX}/ssa`] ?? ''),
);

function objectOf(draw: Draw, kind: string, name: string): Manifest {
  const options = draw.chance(35) ? draw.pick(KEEPING) : undefined;
  const isLabel = draw.chance(30);
  const metadata = {
    name,
    namespace: NAMESPACE,
    ...(options && !isLabel && { annotations: options }),
    ...(options && isLabel && { labels: options }),
  };
  return claimOrMap(kind, metadata);
}

function settingsOf(draw: Draw): Record<string, unknown> {
  return {
    prune: draw.chance(75),
    ...(draw.chance(40) && { deletionPolicy: draw.pick(['Delete', 'Orphan', 'MirrorPrune']) }),
    ...(draw.chance(8) && { suspend: true }),
    ...(draw.chance(10) && { force: true }),
  };
}

function worldOf(draw: Draw): World {
  const units = ['a', 'b'].map((name): Unit => ({ name, folder: `apps/${name}`, settings: settingsOf(draw) }));
  const objects: Record<string, Manifest[]> = {};
  for (const { name, folder } of units) {
    objects[folder] = ['PersistentVolumeClaim', draw.pick(['ConfigMap', 'Secret']), 'ConfigMap'].map((kind, index) =>
      objectOf(draw, kind, `${name}-${index}`),
    );
  }
  const root = { ...settingsOf(draw), suspend: false };
  return { parent: draw.pick(['people', 'root'] as const), units, hasRoot: true, root, objects };
}

const kustomizationOf = (name: string, folder: string, settings: Record<string, unknown>): Manifest => ({
  apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
  kind: 'Kustomization',
  metadata: { name, namespace: 'flux-system' },
  spec: { interval: '1h', path: `./${folder}`, sourceRef: { kind: 'GitRepository', name: 'fleet' }, ...settings },
});

const REPOSITORY: Manifest = {
  apiVersion: 'source.toolkit.fluxcd.io/v1',
  kind: 'GitRepository',
  metadata: { name: 'fleet', namespace: 'flux-system' },
  spec: { interval: '1h', url: URL, ref: { branch: 'main' } },
};

function versionOf({ parent, units, hasRoot, root, objects }: World): Version {
  const declared = units.map(({ name, folder, settings }) => kustomizationOf(name, folder, settings));
  if (parent === 'people') return { people: [REPOSITORY, ...declared], folders: objects };
  const people = hasRoot ? [REPOSITORY, kustomizationOf('root', 'roots/root', root)] : [REPOSITORY];
  return { people, folders: { ...objects, 'roots/root': declared } };
}

const move = ({ objects }: World, from: string, to: string): void => {
  const moved = objects[`apps/${from}`]?.shift();
  if (moved !== undefined) objects[`apps/${to}`]?.push(moved);
};

type Edit = readonly [name: string, edit: (world: World, draw: Draw) => void];

const EDITS: readonly Edit[] = [
  [
    'an object is removed',
    ({ objects }, draw) => void objects[draw.pick(['apps/a', 'apps/b'])]?.splice(draw.int(0, 2), 1),
  ],
  [
    'all objects are removed',
    ({ objects }) => {
      objects['apps/a'] = [];
    },
  ],
  ['an object moves', (world) => move(world, 'a', 'b')],
  ['an object moves the other way', (world) => move(world, 'b', 'a')],
  [
    'an application is renamed',
    ({ units }) => {
      const [first] = units;
      if (first !== undefined) first.name = 'c';
    },
  ],
  ['an application is deleted', ({ units }) => void units.shift()],
  [
    'an application is merged into another',
    ({ units, objects }) => {
      objects['apps/b']?.push(...(objects['apps/a'] ?? []));
      units.shift();
    },
  ],
  [
    'what declares them is deleted',
    (world) => {
      if (world.parent === 'people') world.units.splice(0, 2);
      world.hasRoot = false;
    },
  ],
  [
    'an object of a suspended application is removed',
    ({ units, objects }) => {
      if (units[0] !== undefined) units[0].settings.suspend = true;
      objects['apps/a']?.shift();
    },
  ],
  [
    'an object moves to a suspended application',
    (world) => {
      if (world.units[1] !== undefined) world.units[1].settings.suspend = true;
      move(world, 'a', 'b');
    },
  ],
  [
    'a suspended application is deleted',
    ({ units }) => {
      units.shift();
    },
  ],
];

/** Returns a random change of a small repository of Flux, of those whose title matches. */
export function fluxHistory(draw: Draw, only: string): History {
  const world = worldOf(draw);
  const [title, edit] = draw.pick(named(EDITS, ([name]) => name, only));
  if (title === 'a suspended application is deleted' && world.units[0] !== undefined)
    world.units[0].settings.suspend = true;
  const before = structuredClone(versionOf(world));
  edit(world, draw);
  const after = structuredClone(versionOf(world));
  const names = new Set(['a', 'b', ...world.units.map(({ name }) => name)]);
  const isApplied = JSON.stringify(after.people) !== JSON.stringify(before.people);
  const lacks = before.people.some((one) => !after.people.some(({ metadata }) => metadata.name === one.metadata.name));
  const people = [...(isApplied ? ['apply'] : []), ...(lacks ? ['delete'] : [])];
  const parents = world.parent === 'root' ? ['Kustomization root'] : [];
  const actors = [...people, ...parents, ...[...names].map((name) => `Kustomization ${name}`)];
  return { title: `${world.parent}: ${title}`, before, after, actors, namespace: NAMESPACE, people: 'clusters/main' };
}
