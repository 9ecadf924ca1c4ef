import { MARKED } from '../../compare/review/index.ts';
import { Collector, type Report } from '../../core/diagnostics/index.ts';
import { type Document, groupKind, groupVersionKind, isKubeObject } from '../../core/model/object.ts';
import type { RenderInput } from '../../core/model/render.ts';
import { isMap, mergeMaps, type Value, type ValueMap } from '../../core/model/value.ts';
import { type Reader, readAdditionalInputs, readInput } from '../../describe/input/index.ts';
import { isResourceSet } from '../../flux/index.ts';
import { isRgd } from '../../kro/definition/index.ts';
import { flattenObjects, objectsIn } from '../../yaml/parse/index.ts';
import type { PackageSettings, Source } from './application.ts';
import { refuseEncrypted } from './decryption.ts';
import { configuredSettings } from './discover/argocd-builds.ts';
import { type EditedFile, type Edits, editKustomization, substituteVariables } from './edits.ts';
import { ignoredIn, isLeftOutByDefault, readPath } from './files.ts';
import { filesIn, manifestTexts } from './files-of.ts';
import {
  externalPlugin,
  fluxParts,
  kustomizationIn,
  linkIn,
  NeedsKustomize,
  readKustomization,
} from './kustomization.ts';
import { definitionsFor, NotRendered, type Repository, rejected } from './repository.ts';

export interface Loaded {
  input: RenderInput;
  settings: PackageSettings;
  /** Objects that are applied beside the rendered ones: RGDs and instances that a controller expands. */
  beside: readonly Document[];
  reports: readonly Report[];
  /** Whether the plugin of Argo CD renders it, which refuses more than other commands. */
  plugin?: true;
}

/** Runs a tool in a folder of the repository; returns its output, its error, or the reason why it is not run. */
export type RunTool = (
  tool: 'kustomize' | 'helm',
  path: string,
  args: readonly string[],
  given?: { file?: EditedFile; input?: string },
) => { text: string } | { fault: string } | { reason: string };

export interface LoadContext {
  repository: Repository;
  settings: PackageSettings;
  run: RunTool | undefined;
  /** Whether instances are left to a controller in the cluster. */
  appliesAsIs?: true;
}

type Kustomize = Extract<Source, { type: 'kustomize' }>;
type Helm = Extract<Source, { type: 'helm' }>;

export const loadSource = (source: Source, context: LoadContext): Loaded =>
  'ignore' in source && source.ignore !== undefined
    ? loadFrom(source, withArtifact(source, source.ignore, context))
    : loadFrom(source, context);

/** Returns the context with the files that source-controller does not leave out. A tool would read the others too. */
function withArtifact(source: Source, ignore: string, context: LoadContext): LoadContext {
  const { repository: whole, run } = context;
  const repository = whole.artifact(ignore);
  if (repository === whole) return context;
  const unread = (): string | undefined => {
    const isLeftOut = ignoredIn(whole.tree, ignore);
    return [...filesIn(source, whole)].find((path) => isLeftOut(path) && !isLeftOutByDefault(path));
  };
  const runHere: RunTool = (tool, path, args, given) => {
    const left = unread();
    if (left === undefined) return (run as RunTool)(tool, path, args, given);
    return { reason: `its source leaves out ${left}, which ${tool} would read here` };
  };
  return { ...context, repository, run: run && runHere };
}

function loadFrom(source: Source, context: LoadContext): Loaded {
  switch (source.type) {
    case 'package':
      return loadPackage(source, context);
    case 'manifests':
      return loadManifests(source, context);
    case 'kustomize':
      return loadKustomization(source, context);
    case 'helm':
      return loadChart(source, context);
    case 'none':
    case 'fails':
      throw new NotRendered(source.reason, source.type);
  }
}

const readerOf = ({ tree, parse }: Repository, exclude: readonly string[]): Reader => ({
  parse,
  read: (paths) => paths.flatMap((path) => readPath(tree, path, { exclude })),
});

function loadPackage({ path, settings, plugin }: Source & { type: 'package' }, { repository }: LoadContext): Loaded {
  const texts = readPath(repository.tree, path, settings);
  if (texts.length === 0 && !plugin) throw new NotRendered(`${path || '.'} holds no .yaml, .yml or .json file`);
  return loaded(settings, repository, plugin, (reader, reports) => readInput(texts, settings, reader, reports));
}

function loaded(
  settings: PackageSettings,
  repository: Repository,
  plugin: true | undefined,
  read: (reader: Reader, reports: Collector) => RenderInput,
): Loaded {
  const reports = new Collector();
  const input = { ...read(readerOf(repository, settings.exclude), reports), traceFor: repository.traceFor };
  return { input, settings, beside: [], reports: reports.all, ...(plugin && { plugin }) };
}

function loadManifests(source: Source & { type: 'manifests' }, context: LoadContext): Loaded {
  const reports = new Collector();
  const documents = manifestTexts(source, context.repository).flatMap((found) => {
    const own = new Collector();
    const read = context.repository.parse([found], own, false);
    // Argo CD ignores what it cannot read if it does not look like an object.
    const isObject = OBJECT_KEYS.every((key) => found.text.includes(key)) || found.file.endsWith('.json');
    if (own.hasErrors && !isObject) return [];
    reports.addAll(own.all);
    return read;
  });
  return inCluster(documents, source.path, context, reports);
}

const OBJECT_KEYS = ['apiVersion:', 'kind:', 'metadata:'];

/** Also renders what controllers in the cluster expand, if the definitions are here; pending nodes are omitted. */
function inCluster(
  documents: readonly Document[],
  folder: string,
  { repository, settings, appliesAsIs }: LoadContext,
  reports = new Collector(),
): Loaded {
  if (appliesAsIs) {
    const beside = flattenObjects(documents, reports);
    return { input: { objects: [] }, settings, beside, reports: reports.all };
  }
  const used = objectsIn(documents).map(({ object }) => groupKind(groupVersionKind(object)));
  const own = new Set(documents.flatMap(({ source }) => source?.file ?? []));
  const definitions = definitionsFor(used, folder, repository).filter((file) => !own.has(file));
  const given = { ...settings, definitions, all: true, ...MARKED };
  const input = { ...readAdditionalInputs(given, readerOf(repository, []), reports), objects: documents };
  const isExpanded = ({ object }: Document): boolean =>
    isKubeObject(object) &&
    (isRgd(object) ||
      isResourceSet(object) ||
      repository.kinds.get(groupKind(groupVersionKind(object)))?.some(({ isRgd }) => isRgd) === true);
  return { input, settings: given, beside: documents.filter(isExpanded), reports: reports.all };
}

/** Reads a folder as its controller builds it: for Flux also without a kustomization. */
function loadKustomization(source: Kustomize, context: LoadContext): Loaded {
  const { path, flux, plugin, variables, metadata } = source;
  const { repository } = context;
  const folders = flux ? fluxParts(path, repository).folders : [];
  const [link] = folders.flatMap((folder) => linkIn(folder, repository) ?? []);
  if (link !== undefined) throw rejected(`it reads ${link}, a link, which source-controller leaves out`);
  const { documents, config } = documentsIn(source, context);
  if (flux && !source.decrypts) refuseEncrypted(documents);
  const settings = configuredSettings(config, 'its functionConfig', 'fails', path, context);
  if (plugin === undefined && config !== undefined) return loadDocuments(documents, settings, context);
  const filled = variables ? substituteVariables(documents, variables, repository.parse) : documents;
  return loadApplied(withMetadata(filled, metadata), source, context);
}

function loadChart(source: Helm, context: LoadContext): Loaded {
  const { path, inline, defaults } = source;
  const up = '../'.repeat(path.split('/').filter(Boolean).length);
  const values = [...source.values.map((file) => `${up}${file}`), ...(inline === undefined ? [] : ['-'])];
  const args = [...source.arguments.slice(0, -1), ...values.map((one) => `--values=${one}`)];
  const given = {
    ...(inline !== undefined && { input: inline }),
    ...(defaults !== undefined && { file: { name: 'values.yaml', text: defaults } }),
  };
  const { documents } = build(context, 'helm', path, [...args, '--', source.arguments.at(-1) ?? ''], given);
  return loadApplied(withMetadata(documents, source.metadata), source, context);
}

/** Reads what a tool built: rendered by the plugin, or applied unchanged. */
const loadApplied = (
  documents: readonly Document[],
  { plugin, path }: Kustomize | Helm,
  context: LoadContext,
): Loaded =>
  plugin === undefined ? inCluster(documents, path, context) : loadDocuments(documents, plugin, context, true);

function withMetadata(documents: readonly Document[], common: ValueMap | undefined): readonly Document[] {
  if (common === undefined) return documents;
  return documents.map((document) => {
    const { object } = document;
    if (!isKubeObject(object)) return document;
    const { labels, annotations } = common;
    const more = { ...(isMap(labels) && { labels }), ...(isMap(annotations) && { annotations }) };
    const metadata = mergeMaps(isMap(object.metadata) ? object.metadata : {}, more);
    return { ...document, object: { ...object, metadata } };
  });
}

type Built = { documents: readonly Document[]; config?: Value | undefined };

function documentsIn({ path, functions, flux, edits }: Kustomize, context: LoadContext): Built {
  const { repository, run } = context;
  const flags = functions ? ['--enable-alpha-plugins', '--enable-exec'] : [];
  const args = ['build', ...flags, ...(flux ? ['--load-restrictor=LoadRestrictionsNone'] : [])];
  const built = (own?: Edits): Built =>
    build(context, 'kustomize', path, args, own && { file: editKustomization(path, own, repository) });
  if (edits !== undefined) return built(edits);
  try {
    const { documents, config } = readKustomization(path, repository, flux);
    if (config === undefined || functions) return { documents, config };
    throw rejected('its kustomization runs a function, which its controller does not');
  } catch (error) {
    if (!(error instanceof NeedsKustomize)) throw error;
    if (run === undefined)
      throw new NotRendered(`only kustomize builds it, for ${error.message}; --allow-exec runs kustomize`);
    const isGenerated = flux && kustomizationIn(path, repository) === undefined;
    return built(isGenerated ? { by: 'Flux', fields: {} } : undefined);
  }
}

function build({ run, repository }: LoadContext, ...call: Parameters<RunTool>): Built {
  const [tool, path, args, given] = call;
  if (run === undefined) throw new NotRendered(`only ${tool} builds it; --allow-exec runs ${tool}`);
  const built = run(tool, path, args, given);
  const plugin = tool === 'kustomize' && 'fault' in built ? externalPlugin(path, repository) : undefined;
  if (plugin !== undefined) throw new NotRendered(`kustomize needs the plugin ${plugin} for it, which is not run here`);
  if (!('text' in built)) throw 'fault' in built ? rejected(built.fault) : new NotRendered(built.reason);
  const file = tool === 'kustomize' ? 'kustomize build' : 'helm template';
  return { documents: repository.parse([{ file, text: built.text }], new Collector(), false) };
}

const loadDocuments = (
  objects: readonly Document[],
  settings: PackageSettings,
  { repository }: LoadContext,
  plugin?: true,
): Loaded =>
  loaded(settings, repository, plugin, (reader, reports) => ({
    ...readAdditionalInputs(settings, reader, reports),
    objects,
  }));
