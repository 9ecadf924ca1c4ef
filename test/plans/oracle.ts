import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { RepoServer } from './programs.ts';
import { type Files, URL } from './repository.ts';

type Json = Record<string, unknown>;
interface Manifest extends Json {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; finalizers?: string[] };
}

/** What one application renders to: its objects as JSON by their identity, or that its controller rejects it. */
export type Rendered = ReadonlyMap<string, string> | 'rejected';
/** The applications by kind, name and place, and the ApplicationSets that fail. */
export interface Deployed {
  applications: ReadonlyMap<string, Rendered>;
  failedSets: ReadonlySet<string>;
  /** The application, or the ApplicationSet by its name, that declares one, by their keys. */
  parents: ReadonlyMap<string, string>;
}

/** The programs of Argo CD and Flux. */
export interface Judges {
  argocd: RepoServer | undefined;
  /** The program of test/argocd. */
  harness: string;
  /** The program of test/flux-controllers. */
  flux: string;
  /** The folder for copies. */
  work: string;
  /** Earlier answers, by an application and every file that it may read. */
  known: Map<string, Manifest[] | 'rejected'>;
}

/**
 * Asks Argo CD and Flux what is deployed from a commit: people apply the folder `argocd`, and each folder below
 * `clusters`. Applications that an Application renders are deployed too. Nothing of src is used.
 */
export async function deployedFrom(folder: string, commit: string, files: Files, judges: Judges): Promise<Deployed> {
  const asked = async (
    manifest: Manifest,
    answer: () => Promise<Manifest[] | 'rejected'> | Manifest[] | 'rejected',
    cluster = '',
  ): Promise<Manifest[] | 'rejected'> => {
    const key = JSON.stringify([cluster, manifest, files.get('outward'), ...relatedTo(manifest, files)]);
    const found = judges.known.get(key) ?? (await answer());
    judges.known.set(key, found);
    return found;
  };
  const applications = new Map<string, Rendered>();
  const failedSets = new Set<string>();
  const parents = new Map<string, string>();
  const queue: { manifest: Manifest; parent?: string }[] = manifestsIn(join(folder, 'argocd'));
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { manifest, parent } = next;
    const { name } = manifest.metadata;
    if (manifest.kind === 'ApplicationSet') {
      const made = expand(manifest, folder, judges);
      if ('error' in made) failedSets.add(name);
      else for (const one of made.applications) queue.push({ manifest: one, parent: name });
    }
    if (manifest.kind !== 'Application') continue;
    const key = `Application ${name}`;
    if (parent !== undefined) parents.set(key, parent);
    const rendered = await asked(manifest, () => render(manifest, folder, commit, judges));
    applications.set(key, rendered === 'rejected' ? rendered : identified(rendered));
    if (rendered !== 'rejected') for (const one of rendered) queue.push({ manifest: one, parent: key });
  }
  const clusters = join(folder, 'clusters');
  for (const cluster of namesIn(clusters)) {
    const applied: Manifest[] = [];
    // The API server rejects the others.
    const isValid = ({ data = {} }: Manifest): boolean =>
      Object.values(data as Json).every((one) => typeof one === 'string');
    const queue: { manifest: Manifest; parent?: string }[] = manifestsIn(join(clusters, cluster));
    const ownMaps = queue.map(({ manifest }) => manifest).filter((one) => one.kind === 'ConfigMap' && isValid(one));
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { manifest, parent } = next;
      const name = `${manifest.metadata.name}@${cluster}`;
      if (parent !== undefined) parents.set(`${manifest.kind} ${name}`, parent);
      if (manifest.kind !== 'Kustomization') continue;
      const built = await asked(manifest, () => buildOfFlux(manifest, ownMaps, folder, judges), cluster);
      const key = `Kustomization ${name}`;
      applications.set(key, built === 'rejected' ? built : identified(built));
      if (built === 'rejected') continue;
      for (const one of built) {
        applied.push(one);
        queue.push({ manifest: one, parent: key });
      }
    }
    const maps = [...ownMaps, ...applied.filter((one) => one.kind === 'ConfigMap' && isValid(one))];
    for (const release of applied.filter(({ kind }) => kind === 'HelmRelease')) {
      const answer = (): Manifest[] | 'rejected' => templateOf(release, maps, folder, judges);
      const rendered = await asked(release, answer, cluster);
      const key = `HelmRelease ${release.metadata.name}@${cluster}`;
      applications.set(key, rendered === 'rejected' ? rendered : identified(rendered));
    }
  }
  return { applications, failedSets, parents };
}

/** Returns the files whose path has an id that an application names, or that such a file names. */
function relatedTo(manifest: Manifest, files: Files): [string, string][] {
  const idsIn = (text: string): string[] => text.match(/(?<![A-Za-z0-9])a\d+(?![A-Za-z0-9])/g) ?? [];
  const ids = new Set(idsIn(JSON.stringify(manifest)));
  const related = new Map<string, string>();
  for (let size = -1; size !== related.size; ) {
    size = related.size;
    for (const [file, text] of files) {
      if (related.has(file) || !idsIn(file).some((id) => ids.has(id))) continue;
      related.set(file, text);
      for (const id of idsIn(text)) ids.add(id);
    }
  }
  return [...related].sort(([a], [b]) => (a < b ? -1 : 1));
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

function manifestsIn(folder: string): { manifest: Manifest }[] {
  return namesIn(folder).flatMap((file) =>
    parseAllDocuments(readFileSync(join(folder, file), 'utf8'), { version: '1.1' }).flatMap((document) => {
      const manifest = document.toJS() as Manifest | null;
      return manifest?.kind === undefined ? [] : [{ manifest }];
    }),
  );
}

function expand(set: Manifest, folder: string, { harness }: Judges): { applications: Manifest[] } | { error: string } {
  const output = execFileSync(harness, ['applicationsets'], {
    input: JSON.stringify({ set, folder }),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const { applications = [], error } = JSON.parse(output) as { applications?: Manifest[]; error?: string };
  const names = new Set(applications.map(({ metadata }) => metadata.name));
  // The controller rejects what has the name of another one (validateGeneratedApplications).
  if (error !== undefined || names.size < applications.length) return { error: error ?? 'duplicate name' };
  return { applications: applications.map((one) => ({ ...one, kind: 'Application' })) };
}

async function render(
  application: Manifest,
  folder: string,
  commit: string,
  { argocd }: Judges,
): Promise<Manifest[] | 'rejected'> {
  interface OneSource {
    repoURL: string;
    targetRevision: string;
  }
  const spec = application.spec as {
    source?: OneSource;
    sources?: OneSource[];
    destination: { namespace: string };
  };
  const { source, sources, destination } = spec;
  const local = (one: OneSource): OneSource => {
    if (one.repoURL !== URL) throw new Error(`unexpected source ${one.repoURL}`);
    const targetRevision = one.targetRevision === 'HEAD' ? commit : one.targetRevision;
    return { ...one, repoURL: `file://${folder}`, targetRevision };
  };
  const own = { ...(source && { source: local(source) }), ...(sources && { sources: sources.map(local) }) };
  if (argocd === undefined) throw new Error('Argo CD is not started');
  const answer = await argocd.ask({ do: 'generate', application: { ...application, spec: { ...spec, ...own } } });
  if (answer.error !== undefined) return 'rejected';
  return (answer.manifests ?? []).map((text) => {
    const manifest = JSON.parse(text) as Manifest;
    return withNamespace(manifest, destination.namespace);
  });
}

/** The kinds of the generated repository whose objects have no namespace. */
const CLUSTER = ['Namespace', 'ClusterRole', 'CustomResourceDefinition'];

const withNamespace = (manifest: Manifest, namespace: string): Manifest =>
  CLUSTER.includes(manifest.kind) ? manifest : { ...manifest, metadata: { namespace, ...manifest.metadata } };

/** Adds what both controllers of Flux add after the build. */
function withCommon(manifest: Manifest, { spec }: Manifest): Manifest {
  const { commonMetadata } = spec as { commonMetadata?: Record<'labels' | 'annotations', Json> };
  if (commonMetadata === undefined) return manifest;
  const metadata: Json = { ...manifest.metadata };
  for (const field of ['labels', 'annotations'] as const) {
    if (commonMetadata[field] !== undefined)
      metadata[field] = { ...(metadata[field] as Json | undefined), ...commonMetadata[field] };
  }
  return { ...manifest, metadata: metadata as Manifest['metadata'] };
}

function buildOfFlux(
  kustomization: Manifest,
  maps: readonly Manifest[],
  folder: string,
  { flux, work }: Judges,
): Manifest[] | 'rejected' {
  mkdirSync(work, { recursive: true });
  const copy = mkdtempSync(join(work, 'flux-'));
  try {
    // source-controller leaves links out of an artifact.
    const filter = (path: string): boolean => !path.endsWith('/.git') && !lstatSync(path).isSymbolicLink();
    cpSync(folder, copy, { recursive: true, filter });
    const input = JSON.stringify({ root: copy, kustomization, maps });
    const { status, stdout, stderr } = spawnSync(flux, [], { input, encoding: 'utf8', maxBuffer: 1 << 28 });
    if (status !== 0) throw new Error(stderr);
    const { objects = [], error } = JSON.parse(stdout) as { objects?: Manifest[]; error?: string };
    return error === undefined ? objects.map((one) => withCommon(one, kustomization)) : 'rejected';
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Renders a HelmRelease: Flux's packages merge its values, and helm renders the chart in its source. */
function templateOf(
  release: Manifest,
  maps: readonly Manifest[],
  folder: string,
  { flux, work }: Judges,
): Manifest[] | 'rejected' {
  const { chart, targetNamespace, releaseName } = release.spec as {
    chart: { spec: { chart: string; valuesFiles?: string[] } };
    targetNamespace?: string;
    releaseName?: string;
  };
  const { name, namespace = '' } = release.metadata;
  const { valuesFiles = [] } = chart.spec;
  const files = valuesFiles.map((file) => join(folder, file));
  if (![join(folder, chart.spec.chart, 'Chart.yaml'), ...files].every(existsSync)) return 'rejected';
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  const input = JSON.stringify({ release, maps, texts });
  const { status, stdout, stderr } = spawnSync(flux, [], { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const { error, values, defaults } = JSON.parse(stdout) as { error?: string; values?: unknown; defaults?: unknown };
  if (error !== undefined) return 'rejected';
  mkdirSync(work, { recursive: true });
  const copy = mkdtempSync(join(work, 'chart-'));
  cpSync(join(folder, chart.spec.chart), copy, { recursive: true });
  if (files.length > 0) writeFileSync(join(copy, 'values.yaml'), JSON.stringify(defaults));
  const into = targetNamespace ?? namespace;
  const named = releaseName ?? (targetNamespace === undefined ? name : `${targetNamespace}-${name}`);
  const args = ['template', '--skip-tests', `--namespace=${into}`, '--values=-', named, copy];
  const made = spawnSync('helm', args, { input: JSON.stringify(values ?? {}), encoding: 'utf8' });
  rmSync(copy, { recursive: true });
  if (made.status !== 0) return 'rejected';
  return parseAllDocuments(made.stdout, { version: '1.1' }).flatMap((document): Manifest[] => {
    const manifest = document.toJS() as Manifest | null;
    return manifest === null ? [] : [withNamespace(withCommon(manifest, release), into)];
  });
}

function identified(objects: readonly Manifest[]): Map<string, string> {
  return new Map(
    objects.map((one) => [
      `${one.apiVersion} ${one.kind} ${one.metadata.namespace ?? ''}/${one.metadata.name}`,
      JSON.stringify(one, sortedKeys),
    ]),
  );
}

/** Returns the JSON of an object in YAML. */
export const contentOf = (text: string): string =>
  JSON.stringify(parseAllDocuments(text, { version: '1.1' })[0]?.toJS(), sortedKeys);

const sortedKeys = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
