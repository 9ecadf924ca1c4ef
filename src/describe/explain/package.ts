import { composeText, isPending, type Report, type Text, trusted } from '../../core/diagnostics/index.ts';
import type { InputObject, KubeObject } from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import type { Path, Value } from '../../core/model/value.ts';
import type { Location } from '../../core/text/line-index.ts';
import { type ExpandedSet, flux } from '../../flux/index.ts';
import { graph, graphWith } from '../../graph/index.ts';
import type { CompiledExpression, ExpressionDetails, OnExpression } from '../../kro/compile/index.ts';
import { type InstanceRun, withNested } from '../../kro/expand/index.ts';
import { kro, kroWith } from '../../kro/front-end.ts';
import { type Outcome, withFrontEnd } from '../../kubernetes/front-end/index.ts';
import type { KindRegistry } from '../../kubernetes/schema/index.ts';
import { FRONT_ENDS } from '../../render/front-ends.ts';
import { type Rendering, renderWithSessions } from '../../render/pipeline.ts';
import { withoutEarlier } from '../../render/rerender/index.ts';
import { createLocator, type Locator, locationOf } from '../../yaml/locate/index.ts';

/** A package that was expanded as far as possible, with the data for explanations. */
export interface Explainable extends Located {
  /** The runs of RGDs and of Graphs, with nested ones. */
  runs: readonly InstanceRun[];
  details: ReadonlyMap<CompiledExpression, ExpressionDetails>;
  kinds: KindRegistry;
  sets: readonly ExpandedSet[];
  others: readonly Other[];
  /** All diagnostics of the expansion, including those of instances. */
  reports: readonly Report[];
}

/** A result of a front end without further details. */
export interface Other {
  object: KubeObject;
  outcome: Outcome;
}

export function othersIn(rendering: Rendering): Other[] {
  const known = [rendering.of(kro), rendering.of(flux)] as readonly unknown[];
  const graphs = rendering.of(graph)?.expansions.flatMap(({ runs }) => runs.map(({ input }) => input.object)) ?? [];
  const sessions = rendering.sessions.filter((one) => !known.includes(one));
  return sessions
    .flatMap(({ outcomes }) => [...outcomes.values()])
    .filter(({ role, input }) => role === 'instance' && input.secret === undefined && !graphs.includes(input.object))
    .map((outcome) => ({ object: outcome.input.object, outcome }));
}

/** Expands a package for explanations, which report pending and failed nodes. */
export function explainable(
  input: RenderInput,
  options: RenderOptions,
  frontEnds = FRONT_ENDS,
): { package?: Explainable; reports: readonly Report[] } {
  const details = new Map<CompiledExpression, ExpressionDetails>();
  const listen: OnExpression = (_, expression, own) => {
    details.set(expression, own);
    return undefined;
  };
  const output = renderWithSessions(
    withoutEarlier(input, frontEnds),
    { ...options, onPending: 'fail' },
    withFrontEnd(kroWith(listen), withFrontEnd(graphWith(listen), frontEnds)),
  );
  const { reports } = output;
  const rgds = output.of(kro);
  const expansion = rgds?.soundExpansion(reports.filter((one) => !isPending(one)));
  if (rgds === undefined || expansion === undefined) return { reports };
  const expansions = [expansion, ...(output.of(graph)?.expansions ?? [])];
  const runs = expansions.flatMap((one) => one.runs).flatMap(withNested);
  const known = { runs, details, sets: output.of(flux)?.all ?? [], others: othersIn(output), reports };
  return { package: { ...known, kinds: rgds.kinds, locator: createLocator() }, reports };
}

export type { Location };

/** One locator for a whole explanation: it parses a document once. */
export interface Located {
  locator: Locator;
}

/** Returns the location of a path of an object, if the object has a file, and a value that is written there. */
export function placed(
  { source }: InputObject,
  path: Path,
  { locator }: Located,
  value?: Value,
): { place?: Location; value?: Value } {
  const place = locationOf(locator, source, path);
  return { ...(place && { place }), ...(value !== undefined && { value }) };
}

export const locationText = ({ file, line, column }: Location): Text =>
  composeText`${trusted.file(file)}:${line}:${column}`;
