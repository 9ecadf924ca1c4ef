import { type Collector, reporterFor } from '../diagnostics/index.ts';
import { annotationOf } from '../model/object.ts';
import type { FoundIn, Graphs } from '../rgd/compile/index.ts';
import { type Definition, groupKind } from '../rgd/definition/index.ts';
import { contagiousSkip } from './contagious-skip.ts';
import { indexIdentity } from './index-identity.ts';
import { neverIncluded } from './never-included.ts';
import { nullValue } from './null-value.ts';
import { requiredDefault } from './required-default.ts';
import type { Lint, LintCode, LintedExpression, NodePart } from './subject.ts';
import { trailingNewline } from './trailing-newline.ts';
import { unreadField } from './unread-field.ts';
import { unsortedList } from './unsorted-list.ts';
import { unusedVariable } from './unused-variable.ts';

const lints: Readonly<Record<LintCode, Lint>> = {
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

/** The codes that can be switched off. */
export const lintCodes = Object.keys(lints) as readonly LintCode[];

/** Switches lints off for an RGD: their codes, with commas between them. */
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
        const off = new Set([...disabled, ...disabledIn(definition)]);
        const { report } = reporterFor(definition.input, reports);
        for (const code of lintCodes) {
          if (off.has(code)) continue;
          for (const { node, ...finding } of lints[code](subject)) {
            report({ ...finding, code, severity: 'warning' }, node?.id);
          }
        }
      }
    },
  };
}

const placeOf = (part: unknown): NodePart => {
  if (part === 'includeWhen' || part === 'forEach' || part === 'readyWhen') return part;
  return part === 'template' || part === 'externalRef' ? 'template' : 'status';
};

const nodeOf = <T>(path: readonly unknown[], nodes: readonly T[]): T | undefined =>
  path[1] === 'resources' && typeof path[2] === 'number' ? nodes[path[2]] : undefined;

function disabledIn({ input }: Definition): readonly string[] {
  return (annotationOf(input.object, DISABLE_LINTS) ?? '').split(',').map((code) => code.trim());
}
