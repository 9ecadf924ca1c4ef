import { phrase, shown } from '../../../core/diagnostics/index.ts';
import type { Value } from '../../../core/model/value.ts';
import {
  all,
  each,
  eachKey,
  fields,
  itemsAt,
  map,
  oneOf,
  type Rule,
  refuse,
  required,
  text,
  textAt,
  unique,
} from './rule.ts';
import { isQualified, labelKey } from './syntax.ts';

/** Returns a term as the API server compares terms: the set of values of each key. */
function topologyOf(term: Value): string {
  const byKey = itemsAt(term, 'matchLabelExpressions').map((one): [string, string[]] => [
    textAt(one, 'key'),
    [...new Set(itemsAt(one, 'values').map(String))].sort(),
  ]);
  return JSON.stringify([...new Map(byKey)].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** pkg/apis/storage/validation, ValidateStorageClass. */
export const storageClass = all(
  required('provisioner'),
  fields({
    provisioner: text((name) => isQualified(name.toLowerCase()), phrase`must be [prefix/]name`),
    parameters: eachKey((key) => key !== '', phrase`is empty`),
    reclaimPolicy: oneOf('', 'Delete', 'Retain'),
    volumeBindingMode: oneOf('Immediate', 'WaitForFirstConsumer'),
    allowedTopologies: all(
      unique(topologyOf, 'matchLabelExpressions'),
      each(
        all(
          required('matchLabelExpressions'),
          fields({
            matchLabelExpressions: all(
              each(
                all(
                  required('values'),
                  fields({ key: labelKey, values: unique((one) => (typeof one === 'string' ? one : undefined), '') }),
                ),
              ),
              unique((one) => textAt(one, 'key') || undefined, 'key'),
            ),
          }),
        ),
      ),
    ),
  }),
);

const SYSTEM = 'system-';
const HIGHEST = 1_000_000_000n;

export const priorityClass: Rule = all(
  fields({ preemptionPolicy: oneOf('Never', 'PreemptLowerPriority') }),
  map((object, place) => {
    const { value } = object;
    const isSystem = textAt(object.metadata, 'name').startsWith(SYSTEM);
    if (isSystem) refuse(place, phrase`must not start with '${shown(SYSTEM)}'`, 'metadata', 'name');
    else if (typeof value === 'bigint' && value > HIGHEST) refuse(place, phrase`must be at most ${HIGHEST}`, 'value');
  }),
);
