import { phrase, shown } from '../../../core/diagnostics/index.ts';
import { all, each, eachKey, fields, map, oneOf, type Rule, refuse, required, text, textAt, unique } from './rule.ts';
import { isQualified, labelKey } from './syntax.ts';

export const storageClass = all(
  required('provisioner'),
  fields({
    provisioner: text((name) => isQualified(name.toLowerCase()), phrase`must be [prefix/]name`),
    parameters: eachKey((key) => key !== '', phrase`is empty`),
    reclaimPolicy: oneOf('', 'Delete', 'Retain'),
    volumeBindingMode: oneOf('Immediate', 'WaitForFirstConsumer'),
    allowedTopologies: each(
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
