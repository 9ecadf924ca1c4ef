import { equal, type Value } from '../../core/model/value.ts';
import { isBelow } from '../../core/text/paths.ts';
import type { Application, Fate, Source } from './application.ts';

type HelmSource = Extract<Source, { type: 'helm' }>;

/**
 * What a change of the chart of a HelmRelease does. source-controller builds a chart again if its name, its version or
 * the spec of its HelmChart changes (source-controller/internal/helm/chart/builder_local.go: Build), or with
 * `reconcileStrategy: Revision`.
 */
export type ChartChange =
  /** The newer chart is deployed. */
  | 'deployed'
  /** The older chart stays, with the older values: nothing changes. */
  | 'kept'
  /** The older chart stays, and gets newer values. */
  | 'mixed';

export const CHART_KEPT: Fate = {
  word: 'kept',
  why: 'the version of its chart does not change, and reconcileStrategy is ChartVersion',
};

export const CHART_MIXED =
  'its chart changes without its version (reconcileStrategy: ChartVersion), so that its new values are for the older chart';

/** Returns what the change of a chart does, by the files that differ. */
export function chartChange(
  old: Application | undefined,
  newer: Application | undefined,
  changed: ReadonlySet<string>,
): ChartChange {
  const was = builtChart(old);
  const is = builtChart(newer);
  if (was?.build === undefined || is?.build === undefined) return 'deployed';
  if (!equal(was.build.identity, is.build.identity)) return 'deployed';
  if (!hasChanged(was, changed) && !hasChanged(is, changed)) return 'deployed';
  return equal(withoutChart(was), withoutChart(is)) ? 'kept' : 'mixed';
}

function builtChart(application: Application | undefined): HelmSource | undefined {
  const [source] = application?.sources ?? [];
  return source?.type === 'helm' ? source : undefined;
}

function hasChanged({ path, build }: HelmSource, changed: ReadonlySet<string>): boolean {
  for (const file of changed) if (isBelow(file, path) || build?.valuesFiles.includes(file)) return true;
  return false;
}

/** Returns what helm-controller itself gives to helm. */
function withoutChart({ arguments: given, inline, metadata }: HelmSource): Value {
  return [[...given], inline ?? null, metadata ?? null];
}
