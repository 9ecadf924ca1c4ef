import { type InputObject, nameOf } from '../core/model/object.ts';
import { PROVIDER } from '../core/model/resource-set.ts';
import { get, isMap, type Value } from '../core/model/value.ts';

/** A ResourceSet that is not yet rendered. */
interface PendingSet {
  set: InputObject;
  /** The names in its `inputsFrom`; undefined if it has a selector. */
  names: readonly string[] | undefined;
  /** Whether it may render providers. */
  rendersProviders: boolean;
}

/**
 * Renders ResourceSets in stages: one whose `inputsFrom` names an unknown provider, or selects providers, comes after
 * those that may render providers. If all of them depend on each other, they keep their order.
 */
export function inStages(
  sets: readonly InputObject[],
  providers: readonly InputObject[],
  render: (set: InputObject) => void,
): void {
  let waiting = sets.map(
    (set): PendingSet => ({ set, names: namesIn(set), rendersProviders: mayRenderProviders(set) }),
  );
  while (waiting.length > 0) {
    const makers = waiting.filter(({ rendersProviders }) => rendersProviders).slice(0, 2);
    const known = new Set(makers.length === 0 ? [] : providers.map(({ object }) => nameOf(object)));
    const isReady = ({ set, names }: PendingSet): boolean =>
      names?.every((name) => known.has(name)) === true || makers.every((maker) => maker.set === set);
    const ready = waiting.filter(isReady);
    for (const { set } of ready.length > 0 ? ready : waiting) render(set);
    waiting = ready.length > 0 ? waiting.filter((one) => !isReady(one)) : [];
  }
}

function namesIn({ object }: InputObject): readonly string[] | undefined {
  const from = get(get(object, 'spec'), 'inputsFrom');
  const names = (Array.isArray(from) ? from : []).map((reference) => get(reference, 'name'));
  return names.every((name) => typeof name === 'string') ? names : undefined;
}

/** Reports whether the templates of a ResourceSet, including steps, contain the kind of providers. */
function mayRenderProviders({ object }: InputObject): boolean {
  const spec = get(object, 'spec');
  return ['resources', 'resourcesTemplate', 'steps'].some((field) => mentions(get(spec, field) ?? null, PROVIDER));
}

function mentions(value: Value, text: string): boolean {
  if (typeof value === 'string') return value.includes(text);
  if (Array.isArray(value)) return value.some((item) => mentions(item, text));
  return isMap(value) && Object.values(value).some((item) => mentions(item, text));
}
