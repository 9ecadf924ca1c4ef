import { Collector, format, type Report } from '../../core/diagnostics/index.ts';
import { type Document, groupVersionKind, isKubeObject } from '../../core/model/object.ts';
import type { RenderInput } from '../../core/model/render.ts';
import { isResourceSet } from '../../flux/index.ts';
import { groupKind, isRgd } from '../../kro/definition/index.ts';
import { readFunctionConfig } from '../../render/options/index.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { type Reader, readAdditionalInputs, readInput } from '../input/index.ts';
import type { PackageSettings, Source } from './application.ts';
import { resolvePathSettings } from './discover/argocd.ts';
import { readPath } from './files.ts';
import { manifestTexts } from './files-of.ts';
import { NeedsKustomize, readKustomization } from './kustomization.ts';
import { definitionsFor, type KindIndex, type Repository } from './repository.ts';

/** The input of one source of an application. */
export interface Loaded {
  input: RenderInput;
  settings: PackageSettings;
  /** Objects that are applied beside the rendered ones: RGDs and instances that a controller expands. */
  beside: readonly Document[];
  reports: readonly Report[];
}

/** Runs a tool in a folder of the repository; returns its output, or its error. */
export type RunTool = (
  tool: 'kustomize' | 'helm',
  path: string,
  args: readonly string[],
) => { text: string } | { fault: string };

export interface LoadContext {
  repository: Repository;
  kinds: KindIndex;
  settings: PackageSettings;
  /** Undefined if no tool may run. */
  run: RunTool | undefined;
  /** Whether instances are left to a controller in the cluster. */
  appliesAsIs?: true;
}

/** Reads the input of a source, or returns why it cannot be rendered. */
export function loadSource(source: Source, context: LoadContext): Loaded | { reason: string } {
  switch (source.type) {
    case 'package':
      return loadPackage(source.path, source.settings, context);
    case 'manifests':
      return loadManifests(source, context);
    case 'kustomize':
      return loadKustomization(source, context);
    case 'helm': {
      const up = '../'.repeat(source.path.split('/').filter(Boolean).length);
      const values = source.values.map((file) => `--values=${up}${file}`);
      return loadBuilt(
        'helm',
        source,
        [...source.arguments.slice(0, -1), ...values, '--', source.arguments.at(-1) ?? ''],
        context,
      );
    }
    case 'none':
      return { reason: source.reason };
  }
}

const readerOf = ({ tree, parse }: Repository, exclude: readonly string[]): Reader => ({
  parse,
  read: (paths) => paths.flatMap((path) => readPath(tree, path, { exclude })),
});

function loadPackage(
  path: string,
  settings: PackageSettings,
  { repository }: LoadContext,
): Loaded | { reason: string } {
  const reports = new Collector();
  const texts = readPath(repository.tree, path, settings);
  if (texts.length === 0) return { reason: `${path || '.'} holds no .yaml, .yml or .json file` };
  const input = readInput(texts, settings, readerOf(repository, settings.exclude), reports);
  return { input, settings, beside: [], reports: reports.all };
}

function loadManifests(source: Source & { type: 'manifests' }, context: LoadContext): Loaded | { reason: string } {
  const texts = manifestTexts(source, context.repository);
  if (texts.length === 0) return { reason: `${source.path || '.'} holds no .yaml, .yml or .json file` };
  const reports = new Collector();
  const documents = context.repository.parse(texts, reports, false);
  return { ...inCluster(documents, source.path, context), reports: reports.all };
}

/**
 * Reads manifests that are applied unchanged. Objects that controllers in the cluster expand are rendered too, if the
 * definitions are in the repository; pending nodes are omitted without an error.
 */
function inCluster(
  documents: readonly Document[],
  folder: string,
  { repository, kinds, settings, appliesAsIs }: LoadContext,
): Loaded {
  if (appliesAsIs) return { input: { objects: [] }, settings, beside: documents, reports: [] };
  const used = objectsIn(documents).map(({ object }) => groupKind(groupVersionKind(object)));
  const own = new Set(documents.flatMap(({ source }) => source?.file ?? []));
  const definitions = definitionsFor(used, folder, kinds).filter((file) => !own.has(file));
  const reports = new Collector();
  const given = { ...settings, definitions, all: true, onPending: 'skip' as const };
  const input = { ...readAdditionalInputs(given, readerOf(repository, []), reports), objects: documents };
  const isExpanded = ({ object }: Document): boolean =>
    isKubeObject(object) &&
    (isRgd(object) ||
      isResourceSet(object) ||
      kinds.get(groupKind(groupVersionKind(object)))?.some(({ isRgd }) => isRgd) === true);
  return { input, settings: given, beside: documents.filter(isExpanded), reports: reports.all };
}

function loadKustomization(source: Source & { type: 'kustomize' }, context: LoadContext): Loaded | { reason: string } {
  try {
    const { documents, config } = readKustomization(source.path, context.repository);
    if (config !== undefined && !source.functions) {
      return { reason: 'its kustomization runs a function, which its home does not' };
    }
    const { settings, problems } = readFunctionConfig(config);
    const [problem] = problems;
    if (problem !== undefined) return { reason: `its functionConfig is wrong: ${format(problem.message)}` };
    const beside = resolvePathSettings(settings, source.path);
    if ('outside' in beside) return { reason: `${beside.outside} is outside the repository` };
    const own = source.plugin ?? { ...context.settings, ...settings, ...beside, all: true };
    return source.plugin === undefined && config === undefined
      ? inCluster(documents, source.path, context)
      : loadDocuments(documents, own, context);
  } catch (error) {
    if (!(error instanceof NeedsKustomize)) throw error;
    if (context.run === undefined)
      return { reason: `only kustomize builds it, for ${error.message}; --allow-exec runs kustomize` };
    const flags = source.functions ? ['--enable-alpha-plugins', '--enable-exec'] : [];
    return loadBuilt('kustomize', source, ['build', ...flags], context);
  }
}

/** Reads the output of a tool, rendered by the plugin (`plugin`) or applied unchanged. */
function loadBuilt(
  tool: 'kustomize' | 'helm',
  source: Source & { type: 'kustomize' | 'helm' },
  args: readonly string[],
  context: LoadContext,
): Loaded | { reason: string } {
  if (context.run === undefined) return { reason: `only ${tool} builds it; --allow-exec runs ${tool}` };
  const built = context.run(tool, source.path, args);
  if ('fault' in built) return { reason: built.fault };
  const file = tool === 'kustomize' ? 'kustomize build' : 'helm template';
  const documents = context.repository.parse([{ file, text: built.text }], new Collector(), false);
  return source.plugin === undefined
    ? inCluster(documents, source.path, context)
    : loadDocuments(documents, source.plugin, context);
}

function loadDocuments(documents: readonly Document[], settings: PackageSettings, { repository }: LoadContext): Loaded {
  const reports = new Collector();
  const input = {
    ...readAdditionalInputs(settings, readerOf(repository, settings.exclude), reports),
    objects: documents,
  };
  return { input, settings, beside: [], reports: reports.all };
}
