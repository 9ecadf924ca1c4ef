import { type Collector, reporterFor } from '../diagnostics/index.ts';
import { annotationOf, type InputObject } from '../model/object.ts';
import { inputUseOf, isResourceSet } from '../resourceset/index.ts';
import type { FoundIn, Graphs } from '../rgd/compile/index.ts';
import { type Definition, groupKind } from '../rgd/definition/index.ts';
import { contagiousSkip } from './contagious-skip.ts';
import { indexIdentity } from './index-identity.ts';
import { neverIncluded } from './never-included.ts';
import { nullValue } from './null-value.ts';
import { requiredDefault } from './required-default.ts';
import type { Lint, LintCode, LintedExpression, NodePart, SetLint, SetLintCode } from './subject.ts';
import { trailingNewline } from './trailing-newline.ts';
import { unreadField } from './unread-field.ts';
import { unreadInput } from './unread-input.ts';
import { unsortedList } from './unsorted-list.ts';
import { unusedVariable } from './unused-variable.ts';

const lints: Readonly<Record<Exclude<LintCode, SetLintCode>, Lint>> = {
  'lint-index-identity': indexIdentity,
  'lint-unsorted-list': unsortedList,
  'lint-trailing-newline': trailingNewline,
  'lint-never-included': neverIncluded,
  'lint-unread-field': unreadField,
  'lint-contagious-skip': contagiousSkip,
  'lint-null-value': nullValue,
  'lint-unused-variable': unusedVariable,
  'lint-required-default': requiredDefault,
};

const setLints: Readonly<Record<SetLintCode, SetLint>> = { 'lint-unread-input': unreadInput };

const codesOf = <Table extends object>(table: Table): readonly (keyof Table)[] => Object.keys(table) as (keyof Table)[];

/** The codes that can be switched off. */
export const lintCodes: readonly LintCode[] = [...codesOf(lints), ...codesOf(setLints)];

/** Switches lints off for an RGD or a ResourceSet: their codes, with commas between them. */
export const DISABLE_LINTS = 'render-rgd.dev/disable-lints';

/** Listens to a compilation, and then lints what was compiled. */
export interface Linter {
  found: FoundIn;
  /** Reports warnings about the RGDs that are right. Those of `disabled` codes are not looked for. */
  lint(definitions: readonly Definition[], graphs: Graphs, disabled: readonly string[], reports: Collector): void;
}

export function createLinter(): Linter {
  const expressions = new Map<Definition, Omit<LintedExpression, 'node'>[]>();
  return {
    found: (definition, expression, { checked }) => {
      const own = expressions.get(definition) ?? [];
      expressions.set(definition, own);
      own.push({ expression, checked, place: placeOf(expression.path[3]) });
    },
    lint: (definitions, graphs, disabled, reports) => {
      for (const definition of definitions) {
        const found = expressions.get(definition) ?? [];
        const graph = graphs.get(groupKind(definition));
        if (graph?.input !== definition.input) continue;
        const subject = {
          graph,
          definition,
          expressions: found.map((one) => ({ ...one, node: nodeOf(one.expression.path, graph.nodes) })),
        };
        const off = new Set([...disabled, ...disabledIn(definition.input)]);
        const { report } = reporterFor(definition.input, reports);
        for (const code of codesOf(lints)) {
          if (off.has(code)) continue;
          for (const { node, ...finding } of lints[code](subject)) {
            report({ ...finding, code, severity: 'warning' }, node?.id);
          }
        }
      }
    },
  };
}

/** Reports warnings about the ResourceSets among `objects` that are right. */
export function lintSets(objects: readonly InputObject[], disabled: readonly string[], reports: Collector): void {
  for (const input of objects) {
    const use = isResourceSet(input.object) ? inputUseOf(input.object) : undefined;
    if (use === undefined) continue;
    const off = new Set([...disabled, ...disabledIn(input)]);
    const { report } = reporterFor(input, reports);
    for (const code of codesOf(setLints)) {
      if (off.has(code)) continue;
      for (const finding of setLints[code](use)) report({ ...finding, code, severity: 'warning' });
    }
  }
}

const placeOf = (part: unknown): NodePart => {
  if (part === 'includeWhen' || part === 'forEach' || part === 'readyWhen') return part;
  return part === 'template' || part === 'externalRef' ? 'template' : 'status';
};

const nodeOf = <T>(path: readonly unknown[], nodes: readonly T[]): T | undefined =>
  path[1] === 'resources' && typeof path[2] === 'number' ? nodes[path[2]] : undefined;

function disabledIn({ object }: InputObject): readonly string[] {
  return (annotationOf(object, DISABLE_LINTS) ?? '').split(',').map((code) => code.trim());
}
