import { type Collector, reporterFor } from '../../diagnostics/index.ts';
import { annotationOf, groupVersionKind, type InputObject } from '../../model/object.ts';
import { getAt } from '../../model/value.ts';
import { nearest } from '../../text/nearest.ts';

const KIND = 'ResourceGraphDefinition';
const GROUP = 'kro.run';
const VERSION = 'v1alpha1';

/**
 * Reports objects that were meant as RGDs: of a version that is not read, with a slip in the group or in the kind. They
 * would count as plain objects, and what their instances rendered to would be gone. One that is left to a controller
 * (`render-rgd.dev/mode: passthrough`) and one of a kind that a CRD here defines is none of ours.
 */
export function reportOtherRgds(
  others: readonly InputObject[],
  crds: readonly InputObject[],
  reports: Collector,
): void {
  const described = new Set(
    crds.map(({ object }) => `${getAt(object, ['spec', 'names', 'kind'])}.${getAt(object, ['spec', 'group'])}`),
  );
  for (const input of others) {
    const { group, version, kind } = groupVersionKind(input.object);
    const isMeant = kind === KIND || (group === GROUP && nearest(kind, [KIND]).length > 0);
    if (
      !isMeant ||
      described.has(`${kind}.${group}`) ||
      annotationOf(input.object, 'render-rgd.dev/mode') === 'passthrough'
    )
      continue;
    const path = kind === KIND ? ['apiVersion'] : ['kind'];
    const message =
      kind === KIND && group === GROUP
        ? `the version '${version}' of ${KIND} is not known`
        : `${input.object.apiVersion} ${kind} is not known, and nothing is rendered from it`;
    const hint = kind === KIND ? `did you mean '${GROUP}/${VERSION}'?` : `did you mean '${KIND}'?`;
    reporterFor(input, reports).report({ code: 'rgd-not-known', message, path, hint });
  }
}
