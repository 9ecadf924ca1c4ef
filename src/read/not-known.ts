import { type Collector, reporterFor } from '../diagnostics/index.ts';
import { isPassthrough } from '../model/mode.ts';
import { groupVersionKind, type InputObject } from '../model/object.ts';
import { API_VERSION, GROUP, PROVIDER, SET } from '../model/resource-set.ts';
import { getAt } from '../model/value.ts';
import { nearest } from '../text/nearest.ts';

/** What objects are read as, by group and kind. */
interface Api {
  group: string;
  apiVersion: string;
  kinds: readonly string[];
  code: 'rgd-not-known' | 'resourceset-not-known';
  /** Whether other versions of the group are refused. */
  oneVersion: boolean;
  /** Whether a kind of that name in another group was meant to be this one. */
  isMeant(group: string): boolean;
}

const APIS: readonly Api[] = [
  {
    group: 'kro.run',
    apiVersion: 'kro.run/v1alpha1',
    kinds: ['ResourceGraphDefinition'],
    code: 'rgd-not-known',
    oneVersion: true,
    isMeant: () => true,
  },
  {
    group: GROUP,
    apiVersion: API_VERSION,
    kinds: [SET, PROVIDER],
    code: 'resourceset-not-known',
    oneVersion: false,
    // Others may have a kind of this name too.
    isMeant: (group) => /flux|controlplane/i.test(group) || group === '' || nearest(group, [GROUP]).length > 0,
  },
];

/**
 * Reports objects that were meant as RGDs or ResourceSets: of a version that is not read, with a slip in the group or in
 * the kind. They would count as plain objects, and what was rendered from them would be gone. One that is left to a
 * controller (`render-rgd.dev/mode: passthrough`) and one of a kind that a CRD here defines is none of ours.
 */
export function reportNotKnown(others: readonly InputObject[], crds: readonly InputObject[], reports: Collector): void {
  const described = new Set(
    crds.map(({ object }) => `${getAt(object, ['spec', 'names', 'kind'])}.${getAt(object, ['spec', 'group'])}`),
  );
  for (const input of others) {
    const { group, version, kind } = groupVersionKind(input.object);
    for (const api of APIS) {
      const meant = meantKind(api, group, kind);
      if (meant === undefined || described.has(`${kind}.${group}`) || isPassthrough(input.object)) continue;
      const isKind = kind === meant;
      const message =
        isKind && group === api.group
          ? `the version '${version}' of ${meant} is not known`
          : `${input.object.apiVersion} ${kind} is not known, and nothing is rendered from it`;
      const hint = `did you mean '${isKind ? api.apiVersion : meant}'?`;
      reporterFor(input, reports).report({ code: api.code, message, path: [isKind ? 'apiVersion' : 'kind'], hint });
    }
  }
}

/** The kind of an API that an object was meant to be; `undefined` for one that is of it, or of something else. */
function meantKind(api: Api, group: string, kind: string): string | undefined {
  if (group === api.group) {
    if (api.kinds.includes(kind)) return api.oneVersion ? kind : undefined;
    return nearest(kind, api.kinds, 1)[0];
  }
  return api.kinds.includes(kind) && api.isMeant(group) ? kind : undefined;
}
