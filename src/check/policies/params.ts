import { groupBy } from '../../core/model/group-by.ts';
import { selectsObject } from '../../core/model/label-selector.ts';
import { lazily, onceFor } from '../../core/model/lazily.ts';
import { groupKind, groupKindOf, type InputObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import { textOf, type Value, type ValueMap } from '../../core/model/value.ts';
import type { Missing } from './evaluate.ts';
import type { PolicyInput } from './input.ts';
import type { Request } from './match.ts';
import type { Binding, Policy } from './read.ts';

const NO_OBJECTS: readonly InputObject[] = [];

/** The parameters of a binding, or why there are none: the cluster may have them, or the configuration is wrong. */
type Params = { params: readonly (InputObject | null)[] } | { undecided: Missing } | { fault: string };

/** Returns the parameters of a binding of a policy for a request. */
export type ParamsOf = (policy: Policy, binding: Binding, request: Request) => Params;

/** Returns a function that finds the parameters of a binding (generic.CollectParams). */
export function paramsOf({ known, complete, kinds }: Pick<PolicyInput, 'known' | 'complete' | 'kinds'>): ParamsOf {
  const supplied = new Set(complete.map(({ object }) => groupKindOf(object)));
  const byKind = lazily(() => groupBy(known, ({ object }) => groupKindOf(object)));
  const inNamespaces = onceFor((kind: string) =>
    groupBy(byKind().get(kind) ?? [], ({ object }) => namespaceOf(object)),
  );
  const namedIn = onceFor((objects: readonly InputObject[]) => groupBy(objects, ({ object }) => nameOf(object)));
  const selectedBy = onceFor((selector: Value) =>
    onceFor((objects: readonly InputObject[]) => objects.filter(({ object }) => selectsObject(selector, object))),
  );
  const everyObject: ValueMap = {};
  /** Returns the objects of a kind, in a namespace unless the kind has none, that a binding names or selects. */
  const foundFor = (param: ValueMap, kind: string, inside: string | undefined): readonly InputObject[] => {
    const ofKind = (inside === undefined ? byKind().get(kind) : inNamespaces(kind).get(inside)) ?? NO_OBJECTS;
    const name = textOf(param.name);
    if (name !== '') return namedIn(ofKind).get(name) ?? NO_OBJECTS;
    return selectedBy(param.selector ?? everyObject)(ofKind);
  };
  return ({ paramKind }: Policy, { param }: Binding, { namespace }: Request): Params => {
    if (paramKind === undefined) return { params: [null] };
    const info = kinds.find(paramKind);
    // An API server without this kind rejects all that the policy matches.
    if (info === undefined) return { undecided: 'params' };
    if (param === undefined) return { params: [null] };
    const wanted = textOf(param.namespace);
    if (!info.namespaced && wanted !== '')
      return { fault: 'paramRef.namespace must not be provided for a cluster-scoped `paramKind`' };
    const inside = info.namespaced ? wanted || namespace : '';
    if (info.namespaced && inside === '')
      return { fault: 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources' };
    const found = foundFor(param, groupKind(paramKind), info.namespaced ? inside : undefined);
    if (found.length > 0) return { params: found };
    if (!supplied.has(groupKind(paramKind))) return { undecided: 'params' };
    return param.parameterNotFoundAction === 'Deny'
      ? { fault: 'no params found for policy binding with `Deny` parameterNotFoundAction' }
      : { params: [] };
  };
}
