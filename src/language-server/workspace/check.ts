import { type DividedOptions, documentFacts, type KnownParts, validateInParts } from '../../check/divided/index.ts';
import { applyRules, type RuleSet, readRules } from '../../check/rules/index.ts';
import { isOnlyPending } from '../../check/validate/index.ts';
import { compareSemantics } from '../../compare/compat/index.ts';
import {
  Collector,
  type Diagnostic,
  type Report,
  toReport,
  wanted,
  withoutConsequences,
} from '../../core/diagnostics/index.ts';
import type { Evidence } from '../../core/ledger/index.ts';
import { onceFor } from '../../core/model/lazily.ts';
import { groupKind, isKubeObject, type KubeObject } from '../../core/model/object.ts';
import { KRO_VERSIONS, type RenderInput, type RenderOptions } from '../../core/model/render.ts';
import { isMap, ownValue, type Value, type ValueMap } from '../../core/model/value.ts';
import { parentOf } from '../../core/text/paths.ts';
import { type FoundText, tracesIn, withoutTemplates } from '../../describe/input/index.ts';
import { type Graph, kindsOfGraphs, scopesOf } from '../../kro/compile/index.ts';
import { type Definition, decodeLeniently } from '../../kro/definition/index.ts';
import type { FrontEnd } from '../../kubernetes/front-end/index.ts';
import { firstOf, type KindRegistry, type Schema } from '../../kubernetes/schema/index.ts';
import { defaultRenderOptions } from '../../render/options/index.ts';
import { withoutEarlier } from '../../render/rerender/index.ts';
import { diagnosticsOf, type Locator } from '../../yaml/locate/index.ts';
import { rejectDuplicateKey } from '../../yaml/parse/index.ts';
import { rgdIn } from './file.ts';
import { type Package, sameItems } from './packages.ts';

export interface CheckSettings {
  options: RenderOptions;
  disable: readonly string[];
  openapi: Value | undefined;
  /** Errors of the syntax of YAML are not shown, because another server reports them. */
  hidesSyntax?: boolean;
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
  /** What became of each object of the package. */
  evidence: Evidence;
  /** The number of objects of each instance and ResourceSet; none for those that fail. */
  rendered: ReadonlyMap<KubeObject, number>;
  /** What the next check can use again. */
  parts: KnownParts;
  /** The number of documents that were validated for it. */
  validated: number;
  traceFor: RenderInput['traceFor'];
}

/** Validates a package as `validate` does, and `compat --kro` for a later release; `before` is its previous state. */
export function checkPackage(
  plan: Package,
  settings: CheckSettings,
  before: Checked | undefined,
  locator: Locator,
): Checked {
  const { options } = settings;
  const reading = new Collector();
  const input = inputOf(plan, settings, reading, before);
  const validation = validateInParts(input, dividedOptions(settings), before?.parts);
  const rules = rulesOf(plan, reading);
  const all = withoutConsequences([...reading, ...validation.reports]);
  const shown = wanted(all, { quiet: false, verbose: false }).filter((one) => !isOnlyPending(one));
  const texts = new Map(plan.files.map(({ uri, text }) => [uri, text]));
  const defined = new Set(plan.files.flatMap(({ facts }) => [...facts.defines]));
  const kept = [...(before?.graphs ?? [])].filter(([kind]) => defined.has(kind));
  const graphs = new Map([...kept, ...validation.graphs]);
  const described = firstOf([kindsOfGraphs(graphs), validation.kinds]);
  const broken = brokenKinds(plan, described, options);
  const kinds = firstOf([described, { find: (gvk) => broken(groupKind(gvk)), names: () => [] }]);
  return {
    plan,
    diagnostics: applyRules(located(shown, locator), texts, rules).map((one) => {
      // Messages name files of the package by their paths, as the command does.
      // sentence: only shortens paths, as the command writes them
      return { ...one, message: one.message.replaceAll(`${plan.folder}/`, '') };
    }),
    evidence: validation.evidence,
    kinds,
    graphs,
    schemaOf: (kind) => graphs.get(kind)?.schema ?? broken(kind)?.schema,
    rendered: validation.rendered,
    parts: validation.parts,
    validated: validation.validated,
    traceFor: input.traceFor,
  };
}

function dividedOptions({ options, disable, frontEnds }: CheckSettings): DividedOptions {
  const asked: DividedOptions = { ...options, disable, keeps: true, frontEnds };
  if (options.kro === KRO_VERSIONS[0]) return asked;
  return {
    ...asked,
    also: (input) => compareSemantics(input, options).reports.filter(({ code }) => code === 'upgrade-change'),
  };
}

const places = new WeakMap<Report, Diagnostic>();

/** An editor shows all diagnostics; more than a thousand at once would be cut. */
const AT_ONCE = 100;

/** Returns reports as diagnostics. Those of a report are computed once; a part that is unchanged has the same reports. */
function located(reports: readonly Report[], locator: Locator): Diagnostic[] {
  const fresh = reports.filter((report) => !places.has(report));
  for (let at = 0; at < fresh.length; at += AT_ONCE) {
    for (const { report, diagnostic } of diagnosticsOf(fresh.slice(at, at + AT_ONCE), locator))
      places.set(report, diagnostic);
  }
  return reports.flatMap((report) => places.get(report) ?? []);
}

function inputOf(
  plan: Package,
  { options, openapi }: CheckSettings,
  reports: Collector,
  before: Checked | undefined,
): RenderInput {
  const { folder, files, objects, definitions, policies, around } = plan;
  const charts = files.filter(({ uri }) => /\/Chart\.ya?ml$/.test(uri)).map(({ uri }) => `${parentOf(uri)}/templates/`);
  const found = files.map(({ uri, text, read }): FoundText => {
    reports.addAll(options.strict ? read.reports.map(rejectDuplicateKey) : read.reports);
    return { file: uri, text, found: charts.some((chart) => uri.startsWith(chart)) ? 'chart' : 'folder' };
  });
  const read = { objects, definitions, policies, isNamedFile: false, ...(openapi !== undefined && { openapi }) };
  const texts = around.map(({ uri, text }) => ({ file: uri.slice(folder.length + 1), text }));
  const isSame = before !== undefined && sameItems(before.plan.around, around);
  const traceFor = (isSame ? before.traceFor : undefined) ?? tracesIn(() => texts.values());
  const written = { ...withoutTemplates(found, read, reports, false), traceFor };
  return written.objects.some((one) => documentFacts(one).isStamped) ? withoutEarlier(written) : written;
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
      const object = tree && rgdIn(text, tree);
      if (object === undefined) continue;
      const definition = looseDefinition(object);
      return { schema: scopesOf(definition, { kinds, options }).schema, namespaced: definition.namespaced };
    }
    return undefined;
  });

/** Decodes an RGD leniently: invalid parts are omitted, and nodes keep their indexes. */
export function looseDefinition(object: KubeObject): Definition {
  const { name, version, kind, schema, nodes, ...rest } = decodeLeniently({ object });
  const parts = ['spec', 'types', 'status'].flatMap((key) =>
    isMap(ownValue(schema, key)) ? [[key, ownValue(schema, key)]] : [],
  );
  // The kind of an object is known without its metadata.
  const complete = (written: ValueMap | undefined): ValueMap | undefined =>
    written && (isMap(written.metadata) ? written : { ...written, metadata: {} });
  return {
    ...rest,
    name: name || 'rgd',
    version: version || 'v1alpha1',
    kind: kind || 'Instance',
    schema: Object.fromEntries(parts),
    nodes: nodes.map(({ template, externalRef, ...node }) => ({
      ...node,
      template: complete(template),
      externalRef: template === undefined ? complete(externalRef) : undefined,
    })),
  };
}
