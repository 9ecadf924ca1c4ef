import type { Diagnostic } from '../../../core/diagnostics/index.ts';
import { wanted } from '../../../core/diagnostics/index.ts';
import { groupKind, type KubeObject } from '../../../core/model/object.ts';
import { defaultRenderOptions, type RenderInput, type RenderOptions } from '../../../core/model/render.ts';
import type { Value } from '../../../core/model/value.ts';
import { type Graph, scopesOf } from '../../../kro/compile/index.ts';
import { kro } from '../../../kro/front-end.ts';
import {
  builtinKinds,
  crdKinds,
  firstOf,
  type KindInfo,
  type KindRegistry,
  type Schema,
} from '../../../kubernetes/schema/index.ts';
import { type Locator, toDiagnostics } from '../../../yaml/locate/index.ts';
import { treeValue } from '../../../yaml/tree/index.ts';
import { applyRules, type RuleSet, readRules } from '../../rules/index.ts';
import { isPending, validatePackage, withoutConsequences } from '../../validate/index.ts';
import { looseDefinition } from '../rgd/loose.ts';
import { folderOf, type Package } from './packages.ts';

/** The settings for all packages of a workspace. */
export interface CheckSettings {
  options: RenderOptions;
  /** The codes of disabled lints. */
  disable: readonly string[];
  openapi: Value | undefined;
}

export const defaultCheckSettings: CheckSettings = { options: defaultRenderOptions, disable: [], openapi: undefined };

/** The state of a validated package. */
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

/** Validates a package as the command `validate` does; `before` is its previous state. */
export function checkPackage(
  plan: Package,
  settings: CheckSettings,
  before: Checked | undefined,
  locator: Locator,
): Checked {
  const { options, disable, openapi } = settings;
  const reading = plan.files.flatMap(({ read }) => read.reports);
  const input: RenderInput = {
    objects: plan.objects,
    definitions: plan.definitions,
    isNamedFile: false,
    ...(openapi === undefined ? {} : { openapi }),
  };
  const { reports, rendering } = validatePackage(input, { ...options, disable, keeps: true });
  const all = withoutConsequences([...reading, ...reports]);
  const shown = wanted(all, { quiet: false, verbose: false }).filter(
    (one) => !isPending(one) && one.code !== 'not-an-object',
  );
  const texts = new Map(plan.files.map(({ uri, text }) => [uri, text]));
  const session = rendering.of(kro);
  const defined = new Set(plan.files.flatMap(({ facts }) => [...facts.defines]));
  const kept = [...(before?.graphs ?? [])].filter(([kind]) => defined.has(kind));
  const graphs = new Map([...kept, ...(session?.graphs ?? [])]);
  const described = firstOf([kindsOfGraphs(graphs), session?.kinds ?? builtinKinds]);
  const broken = brokenKinds(plan, described, options);
  const kinds = firstOf([described, { find: (gvk) => broken(groupKind(gvk)), names: () => [] }]);
  const rendered = new Map<KubeObject, number>();
  for (const one of rendering.sessions) {
    for (const [object, fate] of one.outcomes) if (fate.role !== 'rgd') rendered.set(object, fate.rendered.length);
  }
  return {
    plan,
    diagnostics: applyRules(toDiagnostics(shown, locator), texts, rulesOf(plan)),
    kinds,
    graphs,
    schemaOf: (kind) => graphs.get(kind)?.schema ?? broken(kind)?.schema,
    rendered,
  };
}

/** Returns the rules of the nearest render-rgd.yaml; an invalid one has none. */
function rulesOf({ rules }: Package): RuleSet {
  if (rules === undefined) return { rules: [] };
  const folder = folderOf(rules.uri);
  let failed = false;
  const read = readRules(rules.read.documents[0]?.object, () => {
    failed = true;
  });
  return { rules: failed ? [] : read, relative: (uri) => uri.slice(folder.length + 1) };
}

/** Returns the kinds of RGDs that do not compile, by their schemas. */
function brokenKinds(
  plan: Package,
  kinds: KindRegistry,
  options: RenderOptions,
): (kind: string) => KindInfo | undefined {
  const found = new Map<string, KindInfo | undefined>();
  const read = (kind: string): KindInfo | undefined => {
    for (const { facts, trees, text } of [...plan.files, ...plan.beside]) {
      const rgd = facts.rgds.find((one) => one.kind === kind);
      const tree = rgd && trees[rgd.document];
      if (tree === undefined) continue;
      const definition = looseDefinition(treeValue(text, tree.root));
      return { schema: scopesOf(definition, { kinds, options }).schema, namespaced: definition.namespaced };
    }
    return undefined;
  };
  return (kind) => {
    if (!found.has(kind)) found.set(kind, read(kind));
    return found.get(kind);
  };
}

function kindsOfGraphs(graphs: ReadonlyMap<string, Graph>): KindRegistry {
  const registryOf = (kind: string): KindRegistry | undefined => {
    const graph = graphs.get(kind);
    return graph && crdKinds(graph.crd).registry;
  };
  return {
    find: (kind) => registryOf(groupKind(kind))?.find(kind),
    *names() {
      for (const kind of graphs.keys()) yield* registryOf(kind)?.names() ?? [];
    },
  };
}
