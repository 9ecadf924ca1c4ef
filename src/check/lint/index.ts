import { type Collector, reporterFor } from '../../core/diagnostics/index.ts';
import { addTo, groupBy } from '../../core/model/group-by.ts';
import { DISABLE_LINTS } from '../../core/model/keys.ts';
import { annotationOf, groupKind, groupKindOf, type InputObject, type KubeObject } from '../../core/model/object.ts';
import type { KubernetesRelease } from '../../core/model/render.ts';
import { inputUseOf, isResourceSet } from '../../flux/index.ts';
import type { Graphs, OnExpression } from '../../kro/compile/index.ts';
import type { Definition } from '../../kro/definition/index.ts';
import { contagiousSkip, neverIncluded } from './conditions.ts';
import { deprecatedApi } from './deprecated-api.ts';
import { indexIdentity, unsortedList } from './item-order.ts';
import { optionalReadUnguarded, unreadField, unreadInput, unusedVariable } from './reads.ts';
import type { Lint, LintCode, LintedExpression, LintProblem, NodePart, SetLint, SetLintCode } from './subject.ts';
import {
  contradictoryBounds,
  defaultExpression,
  nullValue,
  plainReference,
  requiredDefault,
  scaledReplicas,
  trailingNewline,
  typographicQuotes,
} from './values.ts';

const lints: Readonly<Record<Exclude<LintCode, SetLintCode>, Lint>> = {
  'lint-index-identity': indexIdentity,
  'lint-unsorted-list': unsortedList,
  'lint-trailing-newline': trailingNewline,
  'lint-never-included': neverIncluded,
  'lint-unread-field': unreadField,
  'lint-contagious-skip': contagiousSkip,
  'lint-null-value': nullValue,
  'lint-scaled-replicas': scaledReplicas,
  'lint-unused-variable': unusedVariable,
  'lint-default-expression': defaultExpression,
  'lint-typographic-quotes': typographicQuotes,
  'lint-plain-reference': plainReference,
  'lint-required-default': requiredDefault,
  'lint-contradictory-bounds': contradictoryBounds,
  'lint-optional-read-unguarded': optionalReadUnguarded,
  'lint-deprecated-api': deprecatedApi,
};

/** Lints with severity info; the others are warnings. */
const INFOS: ReadonlySet<LintCode> = new Set<LintCode>(['lint-optional-read-unguarded']);

const setLints: Readonly<Record<SetLintCode, SetLint>> = { 'lint-unread-input': unreadInput };

const codesOf = <Table extends object>(table: Table): readonly (keyof Table)[] => Object.keys(table) as (keyof Table)[];

export type { LintCode } from './subject.ts';

export const lintCodes: readonly LintCode[] = [...codesOf(lints), ...codesOf(setLints)];

/** The RGDs to lint, and the objects of their package. Those that are no instances of them are ignored. */
interface LintedPackage {
  definitions: readonly Definition[];
  graphs: Graphs;
  objects: readonly KubeObject[];
  /** The release of Kubernetes; undefined if a cluster's document has its kinds. */
  release: KubernetesRelease | undefined;
}

export interface Linter {
  /** Observes a compilation. */
  onExpression: OnExpression;
  /** Lints the valid RGDs, after their compilation; `disabled` codes are skipped. */
  lint(of: LintedPackage, disabled: readonly string[], reports: Collector): void;
}

/** Returns a linter, which observes a compilation and then lints its RGDs. */
export function createLinter(): Linter {
  const expressions = new Map<Definition, Omit<LintedExpression, 'node'>[]>();
  return {
    onExpression(definition, expression, { checked }) {
      addTo(expressions, definition, { expression, checked, place: placeOf(expression.path[3]) });
    },
    lint({ definitions, graphs, objects, release }, disabled, reports) {
      const instances = groupBy(objects, groupKindOf);
      for (const definition of definitions) {
        const found = expressions.get(definition) ?? [];
        const graph = graphs.get(groupKind(definition));
        if (graph?.input !== definition.input) continue;
        const subject = {
          graph,
          definition,
          release,
          instances: instances.get(groupKind(definition)) ?? [],
          expressions: found.map((one) => ({ ...one, node: nodeOf(one.expression.path, graph.nodes) })),
        };
        run(lints, subject, definition.input, disabled, reports);
      }
    },
  };
}

/** Reports warnings about the valid ResourceSets among `objects`. */
export function lintSets(objects: readonly InputObject[], disabled: readonly string[], reports: Collector): void {
  for (const input of objects) {
    const use = isResourceSet(input.object) ? inputUseOf(input.object) : undefined;
    if (use === undefined) continue;
    run(setLints, use, input, disabled, reports);
  }
}

/** Reports whether a lint is disabled, for everything or for an object by its annotation. */
export const isDisabled = (code: string, object: KubeObject, disabled: readonly string[]): boolean =>
  disabled.includes(code) || ownDisabled(object).includes(code);

const ownDisabled = (object: KubeObject): string[] =>
  (annotationOf(object, DISABLE_LINTS) ?? '').split(',').map((code) => code.trim());

function run<C extends LintCode, T>(
  table: Readonly<Record<C, (of: T) => Iterable<LintProblem>>>,
  of: T,
  input: InputObject,
  disabled: readonly string[],
  reports: Collector,
): void {
  const { report } = reporterFor(input, reports);
  for (const code of codesOf(table).filter((one) => !isDisabled(one, input.object, disabled)))
    for (const { node, ...finding } of table[code](of))
      report({ ...finding, code, severity: INFOS.has(code) ? 'info' : 'warning' }, node?.id);
}

const placeOf = (part: unknown): NodePart => {
  if (part === 'includeWhen' || part === 'forEach' || part === 'readyWhen') return part;
  return part === 'template' || part === 'externalRef' ? 'template' : 'status';
};

const nodeOf = <T>(path: readonly unknown[], nodes: readonly T[]): T | undefined =>
  path[1] === 'resources' && typeof path[2] === 'number' ? nodes[path[2]] : undefined;
