import type { Report } from '../diagnostics/index.ts';
import { createLocator } from '../locate/index.ts';
import type { RenderInput, RenderOptions } from '../model/render.ts';
import { renderWithExpansion } from '../pipeline.ts';
import { withoutEarlier } from '../rerender/index.ts';
import type { ExpandedSet } from '../resourceset/index.ts';
import type { CompiledExpression, FoundDetails } from '../rgd/compile/index.ts';
import type { Expansion } from '../rgd/expand/index.ts';
import type { Located } from './place.ts';

/** A package that was expanded as far as it goes, with what it takes to tell why. */
export interface Explainable extends Located {
  expansion: Expansion;
  details: ReadonlyMap<CompiledExpression, FoundDetails>;
  /** What became of ResourceSets. */
  sets: readonly ExpandedSet[];
  /** Everything found while expanding; what is wrong with instances included. */
  reports: readonly Report[];
}

/** Expands a package to be explained: that something waits, or failed, is told by the explanation. */
export function explainable(
  input: RenderInput,
  options: RenderOptions,
): { package?: Explainable; reports: readonly Report[] } {
  const details = new Map<CompiledExpression, FoundDetails>();
  const output = renderWithExpansion(
    withoutEarlier(input),
    { ...options, onPending: 'fail' },
    (_, expression, found) => {
      details.set(expression, found);
    },
  );
  const { expansion, reports, sets = [] } = output;
  if (expansion === undefined) return { reports };
  return { package: { expansion, details, sets, reports, locator: createLocator() }, reports };
}
