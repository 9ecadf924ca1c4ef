import { Collector, type Diagnostic, toReport, wanted, withoutConsequences } from '../../../core/diagnostics/index.ts';
import { onceFor } from '../../../core/model/lazily.ts';
import { groupKind, isKubeObject, type KubeObject } from '../../../core/model/object.ts';
import { KRO_VERSIONS, type RenderInput, type RenderOptions } from '../../../core/model/render.ts';
import {
  get,
  isMap,
  listAt,
  listOf,
  mapOf,
  type Path,
  setKey,
  textAt,
  textOf,
  type Value,
  type ValueMap,
} from '../../../core/model/value.ts';
import { parentOf } from '../../../core/text/paths.ts';
import { type Graph, scopesOf } from '../../../kro/compile/index.ts';
import type { Definition, NodeDefinition } from '../../../kro/definition/index.ts';
import { kro } from '../../../kro/front-end.ts';
import type { FrontEnd } from '../../../kubernetes/front-end/index.ts';
import { builtinKinds, crdKinds, firstOf, type KindRegistry, type Schema } from '../../../kubernetes/schema/index.ts';
import { defaultRenderOptions } from '../../../render/options/index.ts';
import { withoutEarlier } from '../../../render/rerender/index.ts';
import { type Locator, toDiagnostics } from '../../../yaml/locate/index.ts';
import { rejectDuplicateKey } from '../../../yaml/parse/index.ts';
import { treeValue } from '../../../yaml/tree/index.ts';
import { compareSemantics } from '../../compat/index.ts';
import { type FoundText, tracesIn, withoutTemplates } from '../../input/index.ts';
import { applyRules, type RuleSet, readRules } from '../../rules/index.ts';
import { isOnlyPending, validatePackage } from '../../validate/index.ts';
import type { Package } from './packages.ts';

export interface CheckSettings {
  options: RenderOptions;
  disable: readonly string[];
  openapi: Value | undefined;
  /** The template languages; defaults to all of them. */
  frontEnds?: readonly FrontEnd[];
}

export const defaultCheckSettings: CheckSettings = { options: defaultRenderOptions, disable: [], openapi: undefined };

export interface Checked {
  plan: Package;
  diagnostics: readonly Diagnostic[];
  /** The kinds that a template may have: those of RGDs, CRDs, the OpenAPI document or Kubernetes. */
  kinds: KindRegistry;
  /** By the `Kind.group` that they define. Of a broken RGD it is the last valid one. */
  graphs: ReadonlyMap<string, Graph>;
  /** Returns the schema of the instances of a kind; of a broken RGD its valid parts. */
  schemaOf(kind: string): Schema | undefined;
  /** The number of objects of each instance and ResourceSet; none for those that fail. */
  rendered: ReadonlyMap<KubeObject, number>;
}

/** Validates a package as `validate` does, and `compat --kro` for a later release; `before` is its previous state. */
export function checkPackage(
  plan: Package,
  settings: CheckSettings,
  before: Checked | undefined,
  locator: Locator,
): Checked {
  const { options, disable } = settings;
  const reading = new Collector();
  const input = inputOf(plan, settings, reading);
  const { reports, rendering } = validatePackage(input, { ...options, disable, keeps: true }, settings.frontEnds);
  const rules = rulesOf(plan, reading);
  const upgrade = options.kro === KRO_VERSIONS[0] ? [] : compareSemantics(input, options).reports;
  const changes = upgrade.filter(({ code }) => code === 'upgrade-change');
  const all = withoutConsequences([...reading, ...reports, ...changes]);
  const shown = wanted(all, { quiet: false, verbose: false }).filter((one) => !isOnlyPending(one));
  const texts = new Map(plan.files.map(({ uri, text }) => [uri, text]));
  const session = rendering.of(kro);
  const defined = new Set(plan.files.flatMap(({ facts }) => [...facts.defines]));
  const kept = [...(before?.graphs ?? [])].filter(([kind]) => defined.has(kind));
  const graphs = new Map([...kept, ...(session?.graphs ?? [])]);
  const ofGraphs = [...graphs.values()].map(({ crd }) => crdKinds(crd).registry);
  const described = firstOf([...ofGraphs, session?.kinds ?? builtinKinds]);
  const broken = brokenKinds(plan, described, options);
  const kinds = firstOf([described, { find: (gvk) => broken(groupKind(gvk)), names: () => [] }]);
  const rendered = new Map<KubeObject, number>();
  for (const one of rendering.sessions) {
    for (const [object, fate] of one.outcomes) if (fate.role !== 'rgd') rendered.set(object, fate.rendered.length);
  }
  return {
    plan,
    diagnostics: applyRules(toDiagnostics(shown, locator), texts, rules).map((one) => {
      // Messages name files of the package by their paths, as the command does.
      return { ...one, message: one.message.replaceAll(`${plan.folder}/`, '') };
    }),
    kinds,
    graphs,
    schemaOf: (kind) => graphs.get(kind)?.schema ?? broken(kind)?.schema,
    rendered,
  };
}

function inputOf(plan: Package, { options, openapi }: CheckSettings, reports: Collector): RenderInput {
  const { folder, files, objects, definitions, policies, around } = plan;
  const charts = files.filter(({ uri }) => /\/Chart\.ya?ml$/.test(uri)).map(({ uri }) => `${parentOf(uri)}/templates/`);
  const found = files.map(({ uri, text, read }): FoundText => {
    reports.addAll(options.strict ? read.reports.map(rejectDuplicateKey) : read.reports);
    return { file: uri, text, found: charts.some((chart) => uri.startsWith(chart)) ? 'chart' : 'folder' };
  });
  const read = { objects, definitions, policies, isNamedFile: false, ...(openapi !== undefined && { openapi }) };
  const texts = around.map(({ uri, text }) => ({ file: uri.slice(folder.length + 1), text }));
  return withoutEarlier({ ...withoutTemplates(found, read, reports, false), traceFor: tracesIn(() => texts.values()) });
}

function rulesOf({ rules }: Package, reports: Collector): RuleSet {
  const [document] = rules?.read.documents ?? [];
  if (rules === undefined || isKubeObject(document?.object)) return { rules: [] };
  const folder = parentOf(rules.uri);
  const read = readRules(document?.object, (problem) =>
    reports.add({ ...toReport(problem), ...(document?.source && { source: document.source }) }),
  );
  return { rules: read, relative: (uri) => uri.slice(folder.length + 1) };
}

/** Returns the kinds of RGDs that do not compile, by their schemas. */
const brokenKinds = (plan: Package, kinds: KindRegistry, options: RenderOptions) =>
  onceFor((kind: string) => {
    for (const { facts, trees, text } of [...plan.files, ...plan.beside]) {
      const rgd = facts.rgds.find((one) => one.kind === kind);
      const tree = rgd && trees[rgd.document];
      if (tree === undefined) continue;
      const definition = looseDefinition(treeValue(text, tree.root));
      return { schema: scopesOf(definition, { kinds, options }).schema, namespaced: definition.namespaced };
    }
    return undefined;
  });

/** Decodes an RGD leniently: invalid parts are omitted, and nodes keep their indexes. */
export function looseDefinition(value: Value): Definition {
  const spec = get(value, 'spec');
  const schema = mapOf(get(spec, 'schema'));
  const object: KubeObject = { ...mapOf(value), apiVersion: 'kro.run/v1alpha1', kind: 'ResourceGraphDefinition' };
  return {
    input: { object },
    name: textAt(get(value, 'metadata'), 'name') || 'rgd',
    uid: undefined,
    group: textOf(schema.group) || 'kro.run',
    version: textOf(schema.apiVersion) || 'v1alpha1',
    kind: textOf(schema.kind) || 'Instance',
    plural: textOf(schema.plural) || undefined,
    namespaced: textOf(schema.scope) !== 'Cluster',
    schema: looseSchema(schema),
    nodes: listAt(spec, 'resources').map((resource, index) => looseNode(mapOf(resource), index)),
  };
}

function looseSchema(schema: ValueMap): ValueMap {
  const kept: ValueMap = {};
  for (const key of ['spec', 'types', 'status']) if (isMap(schema[key])) setKey(kept, key, schema[key]);
  return kept;
}

function looseNode(resource: ValueMap, index: number): NodeDefinition {
  const path: Path = ['spec', 'resources', index];
  const template = looseObject(resource.template);
  return {
    id: textOf(resource.id),
    path,
    template,
    externalRef: resource.template === undefined ? looseObject(resource.externalRef) : undefined,
    contentKey: template === undefined ? 'externalRef' : 'template',
    forEach: listOf(resource.forEach ?? null).flatMap((entry, at) => {
      const [[name, text] = []] = Object.entries(mapOf(entry));
      return name === undefined ? [] : [{ name, text: textOf(text), path: [...path, 'forEach', at, name] }];
    }),
    includeWhen: listOf(resource.includeWhen ?? null).map(textOf),
    readyWhen: listOf(resource.readyWhen ?? null).map(textOf),
  };
}

/** Adds metadata to a template, whose kind is known without it. */
function looseObject(value: Value | undefined): ValueMap | undefined {
  if (!isMap(value)) return undefined;
  return isMap(value.metadata) ? value : { ...value, metadata: {} };
}
