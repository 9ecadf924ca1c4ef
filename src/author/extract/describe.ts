import { groupVersionKind } from '../../core/model/object.ts';
import { type Describe, firstSentence } from '../../kubernetes/schema/index.ts';
import type { Field, Node, Place } from './model.ts';

/** A longer sentence would hide the type and the markers of the field. */
const LONGEST = 120;

/**
 * Describes fields by the first sentence of what the kind says about the place that they fill. The schema of a CRD or of
 * an OpenAPI document comes before `describe`, which knows Kubernetes' own kinds.
 */
export function describeFields(fields: Iterable<Field>, nodes: readonly Node[], describe: Describe): void {
  const kinds = new Map(nodes.map((node) => [node.id, groupVersionKind(node)]));
  const textAt = ({ node, steps, schema }: Place): string => {
    const kind = kinds.get(node);
    if (schema?.description !== undefined || kind === undefined) return schema?.description ?? '';
    const path = steps.map((step) => (typeof step === 'string' ? step : 0));
    return describe(kind, path);
  };
  for (const field of fields) {
    if (field.isSwitch) continue;
    const sentences = field.uses.filter(isDescribed).map((place) => firstSentence(textAt(place)));
    const found = sentences.find(isUsable);
    if (found !== undefined) field.description = found;
  }
}

/** Reports whether the kind describes the value: not a part of a text, and not the value of one of several variables. */
function isDescribed({ steps, hint, isPart }: Place): boolean {
  const isOfVariable = steps.at(-1) === 'value' && typeof steps.at(-2) === 'object';
  return hint === undefined && isPart !== true && typeof steps.at(-1) === 'string' && !isOfVariable;
}

const isUsable = (sentence: string): boolean =>
  sentence !== '' && sentence.length <= LONGEST && !sentence.includes('${');
