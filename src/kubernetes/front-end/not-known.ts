import { type Collector, phrase, reporterFor, shown } from '../../core/diagnostics/index.ts';
import { isPassthrough } from '../../core/model/annotations.ts';
import { groupVersionKind, type InputObject } from '../../core/model/object.ts';
import { getAt } from '../../core/model/value.ts';
import { nearest } from '../../core/text/nearest.ts';
import type { Api, FrontEnd } from './front-end.ts';
import { roleOf } from './roles.ts';

/**
 * Reports objects that were intended for a front end: with an unsupported version, a misspelled group or kind. They
 * would be ordinary objects, and their earlier rendered objects would be removed. Objects that are left to a controller
 * (`${MODE}: passthrough`) and those of a kind that a CRD or another object among `known` defines are not reported.
 */
export function reportNotKnown(
  objects: readonly InputObject[],
  known: readonly InputObject[],
  frontEnds: readonly FrontEnd[],
  reports: Collector,
): void {
  const crds = known.filter(({ object }) => roleOf(object) === 'crd');
  const described = new Set(
    crds.map(({ object }) => `${getAt(object, ['spec', 'names', 'kind'])}.${getAt(object, ['spec', 'group'])}`),
  );
  const defined = frontEnds.flatMap((one) => one.kindsIn(known.map(({ object }) => object)));
  for (const { kind, group } of defined) described.add(`${kind}.${group}`);
  const apis = frontEnds.flatMap((one) => one.apis);
  for (const input of objects) {
    const { group, version, kind } = groupVersionKind(input.object);
    for (const api of apis) {
      const renamed = group === api.group ? api.renamed?.(input.object) : undefined;
      const intended = renamed?.kind ?? suggestKind(api, group, kind);
      if (intended === undefined || described.has(`${kind}.${group}`) || isPassthrough(input.object)) continue;
      if (roleOf(input.object) !== 'other' || frontEnds.some((one) => one.takes(input.object))) continue;
      const isKind = kind === intended;
      const message =
        renamed !== undefined
          ? phrase`${shown(renamed.since)} renamed ${kind} to ${shown(renamed.kind)}; nothing is rendered from it`
          : isKind && group === api.group
            ? phrase`the version '${version}' of ${intended} is not known`
            : phrase`${input.object.apiVersion} ${kind} is not known, and nothing is rendered from it`;
      const hint = renamed
        ? phrase`write kind: ${shown(renamed.kind)}`
        : phrase`did you mean '${isKind ? api.apiVersion : intended}'?`;
      reporterFor(input, reports).report({ code: api.code, message, path: [isKind ? 'apiVersion' : 'kind'], hint });
    }
  }
}

/** Returns the kind of an API that an object was intended to be; `undefined` if it is that kind, or something else. */
function suggestKind(api: Api, group: string, kind: string): string | undefined {
  if (group === api.group) {
    if (api.kinds.includes(kind)) return api.oneVersion ? kind : undefined;
    return nearest(kind, api.kinds, 1)[0];
  }
  return api.kinds.includes(kind) && api.takesGroup(group) ? kind : undefined;
}
