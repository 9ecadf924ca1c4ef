import table from '../../../../data/metadata-rules.json';
import { type Problem, phrase, shown } from '../../../core/diagnostics/index.ts';
import { lazily } from '../../../core/model/lazily.ts';
import { get, type Path, textAt, type Value } from '../../../core/model/value.ts';
import { byteLength } from '../../../core/text/utf8.ts';
import { OF_OBJECT } from '../visit.ts';
import { forms, general, holds, OF_ABSENT } from './checks.ts';
import { entriesOf } from './resources.ts';
import { type Checks, type Place, type Rule, refuse, rulesOf } from './rule.ts';

const MAX_ANNOTATIONS = 256 * 1024;

export const bytesOf = (value: Value): number => (typeof value === 'string' ? byteLength(value) : 0);

/** k8s.io/apimachinery/pkg/api/validation, validateOwnerReference, besides empty fields. */
const owner: Rule = (value, place) => {
  const apiVersion = textAt(value, 'apiVersion');
  const [version, group = '', ...rest] = apiVersion.split('/').reverse();
  if (apiVersion === '') return;
  if (version === '' || rest.length > 0) refuse(place, phrase`must have an apiVersion with a version`);
  else if (group === '' && version === 'v1' && textAt(value, 'kind') === 'Event')
    refuse(place, phrase`must not be an Event`);
};

export const metadata: Checks = {
  owner: () => owner,
  annotationBytes: () =>
    holds(
      (value) => entriesOf(value).reduce((sum, [key, one]) => sum + bytesOf(key) + bytesOf(one), 0) <= MAX_ANNOTATIONS,
      phrase`Too long: must have at most ${shown(MAX_ANNOTATIONS)} bytes`,
    ),
  oneController: () =>
    holds(
      (owners) => !Array.isArray(owners) || owners.filter((one) => get(one, 'controller') === true).length < 2,
      phrase`must have at most one controller`,
    ),
};

const rules = lazily(() => rulesOf(table, { ...forms, ...general, ...metadata }, OF_ABSENT));

/** Checks metadata by a shape of `data/metadata-rules.json`. */
export function checkPart(
  name: keyof typeof table,
  value: Value,
  path: Path,
  faults: Problem[],
  codes: Place['codes'] = OF_OBJECT.codes,
): void {
  rules()(name)?.(value, { path: [...path], faults, codes, condition: '' }, value);
}
