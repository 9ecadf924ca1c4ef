import { type Message, phrase } from '../../core/diagnostics/index.ts';
import type { ValueMap } from '../../core/model/value.ts';

/**
 * Returns why an owner reference is rejected, besides its empty fields (k8s.io/apimachinery/pkg/api/validation,
 * validateOwnerReference).
 */
export function ownerFault({ apiVersion, kind }: ValueMap): Message | undefined {
  if (typeof apiVersion !== 'string' || apiVersion === '') return undefined;
  const [version, group = '', ...rest] = apiVersion.split('/').reverse();
  if (version === '' || rest.length > 0) return phrase`must have an apiVersion with a version`;
  return group === '' && version === 'v1' && kind === 'Event' ? phrase`must not be an Event` : undefined;
}
