// biome-ignore-all lint/plugin: a path that is written out
import { phrase, shown } from '../../../core/diagnostics/index.ts';
import { isSubdomain } from '../../../core/model/names.ts';
import { get, isMap } from '../../../core/model/value.ts';
import { podTemplate, templateOf } from './pods.ts';
import {
  all,
  anyText,
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

interface Field {
  low: number;
  high: number;
  names?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const FIELDS: readonly Field[] = [
  { low: 0, high: 59 },
  { low: 0, high: 23 },
  { low: 1, high: 31 },
  { low: 1, high: 12, names: ['', ...MONTHS] },
  { low: 0, high: 6, names: DAYS },
];
const WORDS = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];
const EVERY = /^@every [+-]?(?:0|(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+$/;

/**
 * Reports whether a schedule is valid as github.com/robfig/cron/v3, ParseStandard, parses it; the API server rejects a
 * time zone in it.
 */
function isSchedule(schedule: string): boolean {
  if (schedule.includes('TZ')) return false;
  if (schedule.startsWith('@')) return WORDS.includes(schedule) || EVERY.test(schedule);
  const parts = schedule.split(/\s+/).filter((part) => part !== '');
  return parts.length === FIELDS.length && FIELDS.every((field, index) => isList(parts[index] ?? '', field));
}

/** Empty items are ignored, as Go's FieldsFunc does. */
const isList = (text: string, field: Field): boolean =>
  text
    .split(',')
    .filter((one) => one !== '')
    .every((one) => isRange(one, field));

function isRange(text: string, { low, high, names = [] }: Field): boolean {
  const [range = '', step, ...more] = text.split('/');
  const [first = '', last, ...others] = range.split('-');
  if (more.length > 0) return false;
  if (step !== undefined && !(/^\d+$/.test(step) && Number(step) > 0)) return false;
  if (first === '*' || first === '?') return true;
  if (others.length > 0) return false;
  const start = numberOf(first, names);
  const end = last === undefined ? (step === undefined ? start : high) : numberOf(last, names);
  return start !== undefined && end !== undefined && start >= low && end <= high && start <= end;
}

function numberOf(text: string, names: readonly string[]): number | undefined {
  const named = text === '' ? -1 : names.indexOf(text.toLowerCase());
  if (named >= 0) return named;
  return /^[+-]?\d+$/.test(text) && Number(text) >= 0 ? Number(text) : undefined;
}

/** The folders of the time zone database, and the zones without a folder. The list of cities changes every year. */
const AREAS =
  'Africa America Antarctica Arctic Asia Atlantic Australia Brazil Canada Chile Etc Europe Indian Mexico Pacific US posix right';
const ZONES =
  'CET CST6CDT Cuba EET EST EST5EDT Egypt Eire Factory GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland Iran Israel Jamaica ' +
  'Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK Singapore Turkey UCT UTC Universal W-SU WET Zulu';
const areas = new Set(AREAS.split(' '));
const zones = new Set(ZONES.split(' '));
const ZONE_PART = /^(?!-)(?!\.\.?$)[A-Za-z.\-_0-9+]{1,14}$/;

function isZone(zone: string): boolean {
  const [area = '', ...rest] = zone.split('/');
  return rest.length === 0 ? zones.has(area) : areas.has(area) && rest.every((part) => ZONE_PART.test(part));
}

export const cron: Rule = all(
  required('schedule', 'jobTemplate'),
  fields({
    schedule: text(isSchedule, phrase`must be five fields of cron such as '*/5 * * * *', or a word such as @daily`),
    timeZone: anyText(isZone, phrase`must be the name of a time zone such as Europe/Berlin`),
    startingDeadlineSeconds: notNegative,
    successfulJobsHistoryLimit: notNegative,
    failedJobsHistoryLimit: notNegative,
  }),
);
