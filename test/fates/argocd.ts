import type { Draw } from '../differential/draw.ts';
import { named } from '../plans/repository.ts';
import { claimOrMap, type History, type Manifest, URL, type Version } from './history.ts';

const NAMESPACE = 'x';

/** An Application of a generated repository. */
interface App {
  name: string;
  folder: string;
  settings: AppSettings;
}

interface AppSettings {
  finalizers: string[];
  syncPolicy?: Record<string, unknown>;
  annotations?: Record<string, string>;
}

/** Who declares the Applications: people, another Application, or an ApplicationSet. */
type Parent = 'people' | 'root' | 'set';

interface World {
  parent: Parent;
  apps: App[];
  root: AppSettings;
  set: Record<string, unknown>;
  hasSet: boolean;
  hasRoot: boolean;
  objects: Record<string, Manifest[]>;
}

const FINALIZERS = [
  ['resources-finalizer.argocd.argoproj.io'],
  ['resources-finalizer.argocd.argoproj.io/background'],
  ['resources-finalizer.argocd.argoproj.io/foreground'],
  [],
];

const OBJECT_OPTIONS: readonly Record<string, string>[] = [
  { 'argocd.argoproj.io/sync-options': 'Prune=false' },
  { 'argocd.argoproj.io/sync-options': 'Prune=confirm' },
  { 'argocd.argoproj.io/sync-options': 'Delete=false' },
  { 'argocd.argoproj.io/sync-options': 'Delete=confirm' },
  { 'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false' },
  { 'argocd.argoproj.io/sync-options': 'Delete=false, Prune=true' },
  { 'argocd.argoproj.io/sync-options': 'Prune=true,Delete=true' },
  { 'helm.sh/resource-policy': 'keep' },
  { 'argocd.argoproj.io/compare-options': 'IgnoreExtraneous' },
];

const SYNC_OPTIONS = [
  ['Prune=false'],
  ['Prune=confirm'],
  ['Delete=false'],
  ['Delete=confirm'],
  ['PruneLast=true'],
  ['ApplyOutOfSyncOnly=true'],
  ['ServerSideApply=true'],
];

/** Reading the OpenAPI document for each object takes most of the time of a sync, and decides nothing here. */
const UNVALIDATED = ['Validate=false'];

function objectOf(draw: Draw, kind: string, name: string): Manifest {
  const metadata = {
    name,
    namespace: NAMESPACE,
    ...(draw.chance(35) && { annotations: draw.pick(OBJECT_OPTIONS) }),
  };
  return claimOrMap(kind, metadata);
}

function settingsOf(draw: Draw): AppSettings {
  const automated: Record<string, unknown> = {};
  if (draw.chance(75)) automated.prune = true;
  if (draw.chance(30)) automated.selfHeal = true;
  if (draw.chance(30)) automated.allowEmpty = true;
  if (draw.chance(8)) automated.enabled = false;
  const syncPolicy: Record<string, unknown> = { syncOptions: UNVALIDATED };
  if (draw.chance(85)) syncPolicy.automated = automated;
  if (draw.chance(25)) syncPolicy.syncOptions = [...UNVALIDATED, ...draw.pick(SYNC_OPTIONS)];
  return { finalizers: draw.chance(60) ? (FINALIZERS[0] as string[]) : draw.pick(FINALIZERS), syncPolicy };
}

/** The settings of what only declares others: it deploys them, whatever else. */
function rootSettings(draw: Draw): AppSettings {
  const automated = { prune: draw.chance(80), allowEmpty: draw.chance(50) };
  return { ...settingsOf(draw), syncPolicy: { automated, syncOptions: UNVALIDATED } };
}

function setSettings(draw: Draw): Record<string, unknown> {
  const policy: Record<string, unknown> = {};
  if (draw.chance(40)) policy.applicationsSync = draw.pick(['create-only', 'create-update', 'create-delete', 'sync']);
  if (draw.chance(25)) policy.preserveResourcesOnDeletion = true;
  return policy;
}

function worldOf(draw: Draw): World {
  const parent = draw.pick(['people', 'root', 'set'] as const);
  const shared = settingsOf(draw);
  const apps = ['a', 'b'].map((name): App => {
    return { name, folder: `apps/${name}`, settings: parent === 'set' ? shared : settingsOf(draw) };
  });
  const objects: Record<string, Manifest[]> = {};
  for (const { name, folder } of apps) {
    objects[folder] = ['PersistentVolumeClaim', draw.pick(['ConfigMap', 'Secret']), 'ConfigMap'].map((kind, index) =>
      objectOf(draw, kind, `${name}-${index}`),
    );
  }
  return { parent, apps, root: rootSettings(draw), set: setSettings(draw), hasSet: true, hasRoot: true, objects };
}

function applicationOf(name: string, path: string, { finalizers, syncPolicy, annotations }: AppSettings): Manifest {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name,
      namespace: 'argocd',
      ...(finalizers.length > 0 && { finalizers }),
      ...(annotations && { annotations }),
    },
    spec: {
      project: 'default',
      destination: { server: 'https://kubernetes.default.svc', namespace: NAMESPACE },
      source: { repoURL: URL, targetRevision: 'HEAD', path },
      ...(syncPolicy && Object.keys(syncPolicy).length > 0 && { syncPolicy }),
    },
  };
}

function setOf({ apps, set }: World): Manifest {
  const elements = apps.map(({ name, folder }) => ({ name, folder }));
  const [first] = apps;
  const {
    apiVersion: _,
    kind: __,
    metadata,
    spec,
  } = applicationOf('{{name}}', '{{folder}}', first?.settings ?? { finalizers: [] });
  const { name, finalizers, annotations } = metadata;
  const template = { metadata: { name, ...(finalizers && { finalizers }), ...(annotations && { annotations }) }, spec };
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'set', namespace: 'argocd' },
    spec: { generators: [{ list: { elements } }], template, ...(Object.keys(set).length > 0 && { syncPolicy: set }) },
  };
}

function versionOf(world: World): Version {
  const { parent, apps, root, objects, hasRoot, hasSet } = world;
  const declared = apps.map(({ name, folder, settings }) => applicationOf(name, folder, settings));
  if (parent === 'people') return { people: declared, folders: objects };
  if (parent === 'set') return { people: hasSet ? [setOf(world)] : [], folders: objects };
  const people = hasRoot ? [applicationOf('root', 'roots/root', root)] : [];
  return { people, folders: { ...objects, 'roots/root': declared } };
}

type Edit = readonly [name: string, edit: (world: World, draw: Draw) => void];

const SUSPENDED_BEFORE = 'a suspended application is deleted';

const EDITS: readonly Edit[] = [
  [
    SUSPENDED_BEFORE,
    (world) => {
      world.apps.splice(0, 1);
    },
  ],
  [
    'an object is removed',
    (world, draw) => {
      const { folder } = draw.pick(world.apps);
      world.objects[folder]?.splice(draw.int(0, 2), 1);
    },
  ],
  [
    'all objects are removed',
    (world, draw) => {
      world.objects[draw.pick(world.apps).folder] = [];
    },
  ],
  [
    'an object moves',
    (world) => {
      const moved = world.objects['apps/a']?.shift();
      if (moved !== undefined) world.objects['apps/b']?.push(moved);
    },
  ],
  [
    'an object moves the other way',
    (world) => {
      const moved = world.objects['apps/b']?.shift();
      if (moved !== undefined) world.objects['apps/a']?.push(moved);
    },
  ],
  [
    'an application is renamed',
    (world) => {
      const [first] = world.apps;
      if (first !== undefined) first.name = 'c';
    },
  ],
  [
    'an application is deleted',
    (world) => {
      world.apps.splice(0, 1);
    },
  ],
  [
    'an application is merged into another',
    (world) => {
      world.objects['apps/b']?.push(...(world.objects['apps/a'] ?? []));
      world.apps.splice(0, 1);
    },
  ],
  [
    'what declares them is deleted',
    (world) => {
      if (world.parent === 'people') world.apps.splice(0, 2);
      world.hasRoot = false;
      world.hasSet = false;
    },
  ],
  [
    'an object of a suspended application is removed',
    (world) => {
      const [first] = world.apps;
      if (first === undefined) return;
      world.apps[0] = {
        ...first,
        settings: { ...first.settings, annotations: { 'argocd.argoproj.io/skip-reconcile': 'true' } },
      };
      world.objects[first.folder]?.shift();
    },
  ],
  [
    'an object moves to a suspended application',
    (world) => {
      const second = world.apps[1];
      if (second === undefined) return;
      world.apps[1] = {
        ...second,
        settings: { ...second.settings, annotations: { 'argocd.argoproj.io/skip-reconcile': 'true' } },
      };
      const moved = world.objects['apps/a']?.shift();
      if (moved !== undefined) world.objects['apps/b']?.push(moved);
    },
  ],
];

/** Returns a random change of a small repository of Argo CD, of those whose title matches. */
export function argocdHistory(draw: Draw, only: string): History {
  const world = worldOf(draw);
  const [title, edit] = draw.pick(named(EDITS, ([name]) => name, only));
  const [first] = world.apps;
  if (title === SUSPENDED_BEFORE && first !== undefined) {
    first.settings = { ...first.settings, annotations: { 'argocd.argoproj.io/skip-reconcile': 'true' } };
  }
  const before = structuredClone(versionOf(world));
  edit(world, draw);
  const after = structuredClone(versionOf(world));
  const names = new Set(['a', 'b', ...world.apps.map(({ name }) => name)]);
  const applications = [...names].map((name) => `Application ${name}`);
  const parents = { people: [], root: ['Application root'], set: ['ApplicationSet set'] }[world.parent];
  const isApplied = JSON.stringify(after.people) !== JSON.stringify(before.people);
  const lacks = before.people.some((one) => !after.people.some(({ metadata }) => metadata.name === one.metadata.name));
  const people = [...(isApplied && after.people.length > 0 ? ['apply'] : []), ...(lacks ? ['delete'] : [])];
  // One whose objects do not change has nothing to do.
  const active = applications.filter((actor) => isActive(actor.slice('Application '.length), before, after));
  return {
    title: `${world.parent}: ${title}`,
    before,
    after,
    actors: [...people, ...parents, ...active],
    namespace: NAMESPACE,
    people: 'argocd',
  };
}

function isActive(name: string, before: Version, after: Version): boolean {
  const stateIn = ({ people, folders }: Version): string =>
    JSON.stringify([folders[`apps/${name}`], JSON.stringify([people, folders['roots/root']]).includes(`"${name}"`)]);
  return name === 'c' || stateIn(before) !== stateIn(after);
}
