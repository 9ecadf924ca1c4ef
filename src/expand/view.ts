import type { CelValue } from '../cel/values.ts';
import { identityOf, type KubeObject } from '../model/object.ts';
import { get, type ValueMap } from '../model/value.ts';
import { layOver } from './clean.ts';
import type { InstanceRun, Made } from './instance.ts';
import { statusOf } from './status.ts';
import type { World } from './world.ts';

/** A made object as other nodes see it: laid over its observed state, if there is one. */
export function viewOf(made: Made, world: World): CelValue {
  return made.nested === undefined ? seen(made.object, world) : nestedView(made.nested, world);
}

function seen(object: KubeObject, world: World): CelValue {
  const observed = world.observed.get(identityOf(object));
  if (observed !== undefined) return layOver(object, observed) as CelValue;
  return (world.options.assumeEmptyStatus && get(object, 'status') === undefined ? { ...object, status: {} } : object) as CelValue;
}

/** A nested instance as an API server would hold it: defaults, uid, and the status that its RGD computes. */
export function nestedView(run: InstanceRun, world: World): CelValue {
  const computed = statusOf(run, world);
  const view: ValueMap = { ...run.instance };
  if (Object.keys(computed).length > 0) view.status = computed;
  return seen(view as KubeObject, world);
}
