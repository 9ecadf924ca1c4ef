import { validatePackage } from '../../check/validate/index.ts';
import { Collector, isError, type Report, reporterFor, told, trusted, unplaced } from '../../core/diagnostics/index.ts';
import { groupVersionKind, type InputObject, isKubeObject, type KubeObject } from '../../core/model/object.ts';
import {
  KUBERNETES_RELEASES,
  type KubernetesRelease,
  NEWEST_KUBERNETES,
  PLANNED_KUBERNETES,
  type RenderInput,
} from '../../core/model/render.ts';
import { getAt, listOf, type Path } from '../../core/model/value.ts';
import { isResourceSet } from '../../flux/index.ts';
import { isGraph } from '../../graph/index.ts';
import { isRgd } from '../../kro/definition/index.ts';
import { deprecatedFields } from '../../kubernetes/schema/index.ts';
import { withoutEarlier } from '../../render/rerender/index.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { isOfValue } from './upgrade.ts';

type ReleaseOptions = Parameters<typeof validatePackage>[1];

/** What a release of Kubernetes does not serve, or has deprecated. */
const OF_RELEASES: readonly Report['code'][] = [
  'api-removed',
  'api-not-yet-served',
  'field-not-served',
  'lint-deprecated-api',
  'deprecated-field',
];

/** Returns the release that `compat --kubernetes` names, which may be one of which only planned removals are known. */
export const releaseNamed = (name: string): KubernetesRelease | undefined =>
  [...PLANNED_KUBERNETES, ...KUBERNETES_RELEASES].find((one) => one === name);

/**
 * Reports the kinds and fields of a package that a release of Kubernetes does not serve or has deprecated: those of RGDs,
 * ResourceSets, rendered and plain objects. Errors that hide them are reported too. What an `older` version has too is
 * omitted.
 */
export function compareReleases(input: RenderInput, options: ReleaseOptions, older?: RenderInput): Report[] {
  const { kubernetes } = options;
  const known = new Set((older === undefined ? [] : releaseReports(older, options)).map(keyOf));
  const found = releaseReports(input, options).filter((one) => !known.has(keyOf(one)));
  if (KUBERNETES_RELEASES.some((one) => one === kubernetes)) return found;
  const message = told`the kinds and fields of Kubernetes ${{ release: trusted.argument(kubernetes) }} are not known yet: those of ${trusted.argument(NEWEST_KUBERNETES)} without the planned removals are compared`;
  return [unplaced('planned-release', message, undefined, 'warning'), ...found];
}

function releaseReports(input: RenderInput, options: ReleaseOptions): Report[] {
  const read = withoutEarlier(input);
  const { reports, rendering } = validatePackage(read, { ...options, disable: [] });
  const found = new Collector();
  const rendered = new Set(rendering.reports);
  for (const report of reports) {
    const isHiding = isError(report) && rendered.has(report) && !isOfValue(report);
    if (isHiding || OF_RELEASES.includes(report.code)) found.add(report);
  }
  for (const one of objectsIn(read.objects)) reportFields(one, options.kubernetes, found);
  return [...found.all];
}

/** Reports the deprecated fields of an object, or of the templates of an RGD, a Graph or a ResourceSet. */
function reportFields(input: InputObject, release: KubernetesRelease, found: Collector): void {
  const { report } = reporterFor(input, found);
  for (const path of writtenObjects(input.object)) {
    const written = getAt(input.object, path);
    if (!isKubeObject(written)) continue;
    for (const problem of deprecatedFields(written, groupVersionKind(written), release)) {
      report({ ...problem, path: [...path, ...problem.path] });
    }
  }
}

/** Returns the paths of what is applied of an object: it itself, or its templates. */
function writtenObjects(object: KubeObject): readonly Path[] {
  const indexes = (path: Path): number[] => listOf(getAt(object, path)).map((_, index) => index);
  if (isRgd(object)) {
    return indexes(['spec', 'resources']).map((index) => ['spec', 'resources', index, 'template']);
  }
  if (isGraph(object)) return indexes(['spec', 'nodes']).map((index) => ['spec', 'nodes', index, 'template']);
  if (isResourceSet(object)) return indexes(['spec', 'resources']).map((index) => ['spec', 'resources', index]);
  return [[]];
}

const keyOf = ({ code, path, object }: Report): string => JSON.stringify([code, object ?? null, path]);
