// biome-ignore-all lint/plugin: a path that is written out
import { phrase, shown } from '../../../core/diagnostics/index.ts';
import { isSubdomain } from '../../../core/model/names.ts';
import { get, isMap } from '../../../core/model/value.ts';
import { podTemplate, templateOf } from './pods.ts';
import {
  all,
  between,
  each,
  exactlyOne,
  fields,
  isSet,
  itemsAt,
  map,
  missing,
  notNegative,
  oneOf,
  type Rule,
  refuse,
  required,
  text,
  textAt,
} from './rule.ts';
import { qualified } from './syntax.ts';

const MAX_INDEXED = 100_000n;
const MAX_RULES = 20;

const domainPath = text((name) => {
  const [domain = '', ...path] = name.split('/');
  return isSubdomain(domain) && path.join('/') !== '' && name.length <= 63;
}, phrase`must be a domain and a path such as acme.io/foo, at most 63 characters`);

const restarts: Rule = map((spec, place) => {
  const policy = textAt(get(templateOf(spec), 'spec'), 'restartPolicy');
  const at = ['template', 'spec', 'restartPolicy'];
  if (policy === '' || policy === 'Always') missing(place, phrase`must be 'OnFailure' or 'Never'`, ...at);
  else if (isSet(spec, 'podFailurePolicy') && policy !== 'Never')
    refuse(place, phrase`must be 'Never' with podFailurePolicy`, ...at);
});

const indexed: Rule = map((spec, place) => {
  const isIndexed = textAt(spec, 'completionMode') === 'Indexed';
  if (isIndexed && !isSet(spec, 'completions'))
    missing(place, phrase`is required if completionMode is 'Indexed'`, 'completions');
  if (isIndexed)
    fields({ parallelism: between(0n, MAX_INDEXED), maxFailedIndexes: between(0n, MAX_INDEXED) })(spec, place);
  if (isSet(spec, 'maxFailedIndexes') && !isSet(spec, 'backoffLimitPerIndex'))
    missing(place, phrase`is required with maxFailedIndexes`, 'backoffLimitPerIndex');
  const { maxFailedIndexes: failed, completions } = spec;
  if (typeof failed === 'bigint' && typeof completions === 'bigint' && failed > completions)
    refuse(place, phrase`must be at most completions`, 'maxFailedIndexes');
  for (const key of ['backoffLimitPerIndex', 'maxFailedIndexes', 'successPolicy']) {
    if (!isIndexed && isSet(spec, key)) refuse(place, phrase`may only be set if completionMode is 'Indexed'`, key);
  }
});

const exitCodes = (names: ReadonlySet<string>): Rule =>
  all(
    required('operator'),
    map((codes, place) => {
      const name = codes.containerName;
      if (typeof name === 'string' && !names.has(name))
        refuse(place, phrase`must be the name of a container of the template`, 'containerName');
      const values = itemsAt(codes, 'values').filter((one) => typeof one === 'bigint');
      if (itemsAt(codes, 'values').length === 0) refuse(place, phrase`must have at least 1 item`, 'values');
      if (textAt(codes, 'operator') === 'In' && values.includes(0n))
        refuse(place, phrase`must not have 0 where the operator is In`, 'values');
      if (values.some((one, index) => index > 0 && one <= (values[index - 1] as bigint)))
        refuse(place, phrase`must be in order and without duplicates`, 'values');
    }),
  );

const failurePolicy: Rule = map((spec, place) => {
  const { podFailurePolicy: policy } = spec;
  if (!isMap(policy)) return;
  const pod = get(templateOf(spec), 'spec');
  const names = new Set(
    [...itemsAt(pod, 'containers'), ...itemsAt(pod, 'initContainers')].map((one) => textAt(one, 'name')),
  );
  const rule = all(
    required('action'),
    exactlyOne('one of onExitCodes and onPodConditions', ['onExitCodes', 'onPodConditions']),
    map((one, at) => {
      if (textAt(one, 'action') === 'FailIndex' && !isSet(spec, 'backoffLimitPerIndex'))
        refuse(at, phrase`needs backoffLimitPerIndex`, 'action');
    }),
    fields({
      onExitCodes: exitCodes(names),
      onPodConditions: each(all(required('type'), fields({ type: qualified }))),
    }),
  );
  place.path.push('podFailurePolicy');
  if (itemsAt(policy, 'rules').length > MAX_RULES)
    refuse(place, phrase`must have at most ${shown(MAX_RULES)} items`, 'rules');
  fields({ rules: each(rule) })(policy, place);
  place.path.pop();
  if (textAt(spec, 'podReplacementPolicy') === 'TerminatingOrFailed')
    refuse(place, phrase`must be 'Failed' with podFailurePolicy`, 'podReplacementPolicy');
});

const successPolicy: Rule = map((policy, place) => {
  const rules = itemsAt(policy, 'rules');
  if (rules.length === 0) missing(place, phrase`must have at least 1 item`, 'rules');
  if (rules.length > MAX_RULES) refuse(place, phrase`must have at most ${shown(MAX_RULES)} items`, 'rules');
  for (const [index, rule] of rules.entries()) {
    if (!isSet(rule, 'succeededCount') && !isSet(rule, 'succeededIndexes'))
      missing(place, phrase`must have succeededCount or succeededIndexes`, 'rules', index);
  }
});

/** A Job labels its pods itself. */
const ownSelector: Rule = map((spec, place) => {
  if (spec.manualSelector === true) {
    if (!isSet(spec, 'selector')) missing(place, phrase`is required if manualSelector is true`, 'selector');
  } else if (isSet(spec, 'selector')) refuse(place, phrase`may only be set if manualSelector is true`, 'selector');
});

const spec = all(
  required('template'),
  fields({
    parallelism: notNegative,
    completions: notNegative,
    activeDeadlineSeconds: notNegative,
    backoffLimit: notNegative,
    ttlSecondsAfterFinished: notNegative,
    backoffLimitPerIndex: notNegative,
    maxFailedIndexes: notNegative,
    managedBy: domainPath,
    completionMode: oneOf('NonIndexed', 'Indexed'),
    podReplacementPolicy: oneOf('Failed', 'TerminatingOrFailed'),
    successPolicy,
    template: podTemplate(),
  }),
  indexed,
  failurePolicy,
  restarts,
);

export const job: Rule = all(spec, ownSelector);
export const jobTemplate: Rule = all(
  fields({ spec }),
  fields({
    spec: map((one, place) => {
      if (isSet(one, 'selector')) refuse(place, phrase`must not be set in a template`, 'selector');
      if (one.manualSelector === true) refuse(place, phrase`must not be set in a template`, 'manualSelector');
    }),
  }),
  required('spec'),
);
