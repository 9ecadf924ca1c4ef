import {
  type Collector,
  composeText,
  hasErrors,
  type Problem,
  phrase,
  reporterFor,
  shown,
  trusted,
} from '../../core/diagnostics/index.ts';
import { addTo, groupBy } from '../../core/model/group-by.ts';
import { lazily, onceFor } from '../../core/model/lazily.ts';
import type { Limits } from '../../core/model/limits.ts';
import { isNewServiceName, nameFault } from '../../core/model/names.ts';
import {
  type GroupVersionKind,
  groupVersionKind,
  type InputObject,
  isKubeObject,
  type KubeObject,
  nameOf,
} from '../../core/model/object.ts';
import type { RenderOptions } from '../../core/model/render.ts';
import { get, getAt, type Path, textsIn } from '../../core/model/value.ts';
import { unknownKindProblem } from '../../kro/compile/index.ts';
import {
  controllerKinds,
  crdKinds,
  deprecatedKind,
  type KindRegistry,
  kindName,
  readKindName,
  type Schema,
} from '../../kubernetes/schema/index.ts';
import { isToolConfiguration, missingField } from '../../kubernetes/select/index.ts';
import { isDisabled } from '../lint/index.ts';
import type { AppliedInput } from './applied.ts';
import { createCheck } from './objects.ts';

/** What the check of plain objects needs besides them. */
export interface PlainContext {
  kinds: KindRegistry;
  /** The CRDs of the package and of its definitions: several may define one kind. */
  crds: readonly KubeObject[];
  options: Limits & Pick<RenderOptions, 'strict' | 'kubernetes'>;
  /** The codes of disabled lints. */
  disable: readonly string[];
  /** Reports whether an RGD defines the kind of an object, or another report says that none does. */
  isReported(input: InputObject): boolean;
  reports: Collector;
  /** The objects that a schema checked, to which this check adds its own. */
  checked: Set<KubeObject>;
}

interface PlainResult {
  /** The number of values that a tool replaces before the object is applied, which nobody can check. */
  opaque: number;
  /** The objects that were looked at before there were too many errors. */
  reached: ReadonlySet<KubeObject>;
  /** The objects that some CRDs of their kind accept and others reject. */
  ambiguous: ReadonlySet<KubeObject>;
}

/**
 * Validates the objects that people write and those that ResourceSets render, as `checkObjects` does for those of nodes:
 * an API server makes no difference. A problem that many objects of one template have is reported once.
 */
export function checkPlainObjects(applied: readonly AppliedInput[], context: PlainContext): PlainResult {
  const { kinds, options, reports, checked } = context;
  const problemsOf = createCheck(options);
  const othersOf = otherSchemas(context.crds);
  const unknownKind = unknownKinds(context);
  const found: Found[] = [];
  const reached = new Set<KubeObject>();
  const ambiguous = new Set<KubeObject>();
  let opaque = 0;
  for (const one of applied) {
    if (reports.limitReached) break;
    const { object } = one;
    reached.add(object);
    if (!isKubeObject(object)) continue;
    const gvk = groupVersionKind(object);
    const known = kinds.find(gvk) ?? controllerKinds.find(gvk);
    if (known === undefined) {
      const problem = unknownKind(one.input);
      if (problem !== undefined) found.push({ ...one, problem });
      continue;
    }
    const problems = [...problemsOf(object, gvk, known.written?.() ?? known.schema)];
    const isAccepted = !hasErrors(problems);
    if (othersOf(gvk).some((schema) => hasErrors([...problemsOf(object, gvk, schema)]) === isAccepted)) {
      ambiguous.add(object);
      found.push({ ...one, problem: AMBIGUOUS });
      continue;
    }
    checked.add(object);
    const deprecated = deprecatedProblem(gvk, one.input, context);
    for (const problem of [...problems, ...nameProblems(object), ...deprecated]) {
      if (isOpaque(object, problem.path)) opaque += 1;
      else found.push({ ...one, problem });
    }
  }
  reportFound(found, reports);
  return { opaque, reached, ambiguous };
}

/** A lint of the kind of an object, which its annotation may disable; those of the nodes of RGDs are in `check/lint`. */
function deprecatedProblem(gvk: GroupVersionKind, input: InputObject, { kinds, disable }: PlainContext): Problem[] {
  const found = kinds.release === undefined ? undefined : deprecatedKind(gvk, kinds.release);
  if (found === undefined || isDisabled(found.code, input.object, disable)) return [];
  return [{ ...found, path: ['apiVersion'] }];
}

const AMBIGUOUS: Problem = {
  code: 'ambiguous-kind',
  message: phrase`was not checked: several CustomResourceDefinitions of the input define its kind, and only some of them accept it`,
  path: ['kind'],
  severity: 'warning',
  hint: phrase`validate each folder with the CustomResourceDefinition of its cluster`,
};

/**
 * Returns a function that finds the schemas of all CRDs of a kind but the first one, whose schema the package has. Nobody
 * knows which of them a cluster has.
 */
function otherSchemas(crds: readonly KubeObject[]): (gvk: GroupVersionKind) => readonly Schema[] {
  const byName = lazily(() => {
    const found = new Map<string, KindRegistry[]>();
    for (const { registry } of crds.map(crdKinds)) {
      for (const name of registry.names()) addTo(found, name, registry);
    }
    return found;
  });
  return (gvk) => {
    const [, ...others] = byName().get(kindName(gvk)) ?? [];
    return others.flatMap((registry) => registry.find(gvk) ?? []).map((info) => info.written?.() ?? info.schema);
  };
}

/** Returns a function that finds the problem of an object whose kind nothing describes. */
function unknownKinds({ kinds, options, isReported }: PlainContext): (input: InputObject) => Problem | undefined {
  const names = lazily(() => [...kinds.names(), ...controllerKinds.names()]);
  const problemOf = onceFor((kind: string): Problem => {
    const gvk = readKindName(kind);
    return unknownKindProblem({ path: [], gvk, scopeAssumed: false, namespaced: true }, names(), {
      strict: options.strict,
      release: kinds.release,
    });
  });
  return (input) => {
    if (isReported(input) || isToolConfiguration(input.object)) return undefined;
    const problem = problemOf(kindName(groupVersionKind(input.object)));
    // A line about several kinds would name one that may be a value of a Secret.
    return input.secret === undefined ? problem : { ...problem, listed: undefined, alike: undefined };
  };
}

interface Found extends AppliedInput {
  problem: Problem;
}

/** Reports each problem at its place once, with the number of objects that have it. */
function reportFound(found: readonly Found[], reports: Collector): void {
  const keyOf = ({ input: { source }, problem: { code, path } }: Found): string =>
    JSON.stringify([source?.file, source?.document, source?.path, code, path]);
  for (const same of groupBy(found, keyOf).values()) {
    const [first] = same;
    if (first === undefined) continue;
    const { input, problem } = first;
    const more = same.length === 1 ? phrase`` : phrase` (${composeText`${same.length} objects`})`;
    reporterFor(input, reports).report({ ...problem, message: phrase`${problem.message}${more}` });
  }
}

/** An API server requires a name of a certain form, or a prefix for one (k8s.io/apimachinery, ValidateObjectMeta). */
function nameProblems(object: KubeObject): Problem[] {
  const rejects = phrase`the API server rejects this ${{ kind: trusted.definition(object.kind) }}: metadata.name: `;
  if (missingField(object, true) !== undefined) {
    return [{ code: 'rendered-required', message: phrase`${rejects}Required value`, path: ['metadata'] }];
  }
  const name = nameOf(object);
  const gvk = groupVersionKind(object);
  // The rule for Services is new.
  const fault = name === '' || isNewServiceName(gvk, name) ? undefined : nameFault(gvk, name);
  if (fault === undefined) return [];
  return [
    { code: 'rendered-value', message: phrase`${rejects}${{ reason: shown(fault) }}`, path: ['metadata', 'name'] },
  ];
}

/** A variable of Flux (`postBuild`) or of a program such as envsubst, `${NAME}` or `${NAME:=default}`; a text of SOPS. */
const OPAQUE = /\$\{[A-Za-z_][A-Za-z0-9_]*|^ENC\[/;

/** Reports whether a problem is about a value that a tool replaces before the object is applied. */
function isOpaque(object: KubeObject, path: Path): boolean {
  if (path[0] === 'sops' && get(object.sops, 'mac') !== undefined) return true;
  return [...textsIn(getAt(object, path))].some(({ text }) => OPAQUE.test(text));
}
