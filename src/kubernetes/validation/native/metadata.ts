import { phrase } from '../../../core/diagnostics/index.ts';
import { isMap, type Value } from '../../../core/model/value.ts';
import { ownerFault } from '../owner.ts';
import { all, each, eachKey, fields, notNegative, type Rule, refuse, required, text } from './rule.ts';
import { isQualified, labels } from './syntax.ts';

const MAX_ANNOTATIONS = 256 * 1024;
const bytes = (text: string): number => new TextEncoder().encode(text).length;

const annotations = all(
  eachKey(
    (key) => isQualified(key.toLowerCase()),
    phrase`is not a valid annotation key: [prefix/]name, the name of letters, digits, dashes, underscores and dots, at most 63`,
  ),
  (value, place) => {
    if (!isMap(value)) return;
    const size = Object.entries(value).reduce(
      (sum, [key, one]) => sum + bytes(key) + (typeof one === 'string' ? bytes(one) : 0),
      0,
    );
    if (size > MAX_ANNOTATIONS) refuse(place, phrase`must not have more than ${MAX_ANNOTATIONS} bytes`);
  },
);

const finalizer = text(
  isQualified,
  phrase`must be [prefix/]name: letters, digits, dashes, underscores and dots, at most 63`,
);

/** k8s.io/apimachinery/pkg/api/validation, ValidateObjectMeta. Each kind has its own rules for names. */
export const metadata: Rule = fields({ labels, annotations });

export const objectMetadata: Rule = all(
  metadata,
  fields({
    generation: notNegative,
    finalizers: each(finalizer),
    ownerReferences: each(all(required('apiVersion', 'kind', 'name', 'uid'), owner)),
  }),
);

function owner(value: Value, place: Parameters<Rule>[1]): void {
  const fault = isMap(value) ? ownerFault(value) : undefined;
  if (fault !== undefined) refuse(place, fault);
}
