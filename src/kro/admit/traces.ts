import { isPassthrough } from '../../core/model/annotations.ts';
import { KRO_LABEL } from '../../core/model/keys.ts';
import { groupKind, type KubeObject } from '../../core/model/object.ts';
import type { Trace } from '../../core/model/render.ts';
import { getAt } from '../../core/model/value.ts';
import { roleOf } from '../../kubernetes/front-end/index.ts';
import { definedKind, isRgd } from '../definition/index.ts';

/** Adds what an object shows to `traces`; the first trace of a kind stays. */
export function addTrace(object: KubeObject, where: string, traces: Map<string, Trace>, hint?: string): void {
  const [kind = '', trace] = traceOf(object, where) ?? [];
  if (trace !== undefined && !traces.has(kind)) traces.set(kind, hint === undefined ? trace : { ...trace, hint });
}

/**
 * Returns the kind, as `Kind.group`, whose objects have to be rendered because of an object: an RGD of it, the CRD that
 * kro generated from one, or an object that was rendered from an instance. `where` says where the object is.
 */
function traceOf(object: KubeObject, where: string): [kind: string, trace: Trace] | undefined {
  const label = (key: string): string => String(getAt(object, ['metadata', 'labels', key]) ?? '');
  const text = (...path: string[]): string => String(getAt(object, path) ?? '');
  if (isRgd(object)) {
    const message = `the RGD '${text('metadata', 'name')}' ${where} defines it`;
    return isPassthrough(object) ? undefined : [definedKind(object), { message }];
  }
  if (roleOf(object) === 'crd') {
    if (label(KRO_LABEL.owned) !== 'true' && label(KRO_LABEL.rgdName) === '') return undefined;
    const message = `kro generated the CustomResourceDefinition ${text('metadata', 'name')} ${where} from an RGD`;
    return [groupKind({ kind: text('spec', 'names', 'kind'), group: text('spec', 'group') }), { message }];
  }
  const [kind, group] = [label(KRO_LABEL.instanceKind), label(KRO_LABEL.instanceGroup)];
  if (kind === '' || group === '') return undefined;
  return [groupKind({ kind, group }), { message: `a rendered ${object.kind} ${where} names this kind in its labels` }];
}
