/** The named string formats of Kubernetes with the messages of its validation package. */
import names from '../../../../data/cel-name-formats.json';
import { decodeBase64, isFault } from '../../../core/encoding/base64.ts';
import { byteLength } from '../../../core/text/utf8.ts';
import { fn, type Library, method } from '../library.ts';
import { daysSinceEpoch } from '../std/times.ts';
import { listOf, optionalOf, STRING } from '../types.ts';
import { type CelObject, EvaluationError, Optional, outcomeOf, ownType } from '../value/values.ts';
import { checkUrl } from './urls.ts';

/** Returns the errors of a text; none if it is valid. */
type FormatRule = (text: string) => readonly string[];

type NameRule = (typeof names)[keyof typeof names];

const matches = (text: string, { pattern }: NameRule): boolean => new RegExp(`^(?:${pattern})$`).test(text);

function patternMessage({ says, examples, pattern }: NameRule): string {
  return `${says} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}regex used for validation is '${pattern}')`;
}

/** The messages differ in the unit, although all count bytes. */
function nameFaults(text: string, rule: NameRule, unit: 'characters' | 'bytes' = 'characters'): string[] {
  const faults = byteLength(text) > rule.max ? [`must be no more than ${rule.max} ${unit}`] : [];
  if (matches(text, rule)) return faults;
  const onlyDots = rule === names.dns1123Label && matches(text, names.dns1123Subdomain);
  return [...faults, onlyDots ? 'must not contain dots' : patternMessage(rule)];
}

/** A prefix may end in a dash, because the rest of the name follows. */
const asPrefix = (text: string): string => (text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);

function qualifiedNameFaults(text: string): string[] {
  const parts = text.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${patternMessage(names.labelKey)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) ?? '';
  const faults: string[] = [];
  if (parts.length === 2) {
    const inPrefix =
      parts[0] === '' ? ['must be non-empty'] : nameFaults(parts[0] ?? '', names.dns1123Subdomain, 'bytes');
    // allowed: one fault for each rule of a name
    faults.push(...inPrefix.map((fault) => `prefix part ${fault}`));
  }
  if (name === '') faults.push('name part must be non-empty');
  return [...faults, ...nameFaults(name, names.labelKey, 'bytes').map((fault) => `name part ${fault}`)];
}

function uriFaults(text: string): string[] {
  const checked = outcomeOf(() => checkUrl(text));
  return checked instanceof EvaluationError ? [checked.message] : [];
}

const rule = (message: string, holds: (text: string) => boolean): FormatRule => {
  return (text) => (holds(text) ? [] : [message]);
};

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const TIME = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/;

/** Reports whether a text is a calendar day, 2006-01-02. */
function isDate(text: string): boolean {
  const [, year = '', month, day] = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text) ?? [];
  return year !== '' && daysSinceEpoch(Number(year), Number(month), Number(day)) !== undefined;
}

function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t');
  const [, hour = '99', minute = '', second = ''] = TIME.exec(time) ?? [];
  return isDate(date) && hour <= '23' && minute <= '59' && second <= '59';
}

const isBase64 = (text: string): boolean => text !== '' && !/[\r\n]/.test(text) && !isFault(decodeBase64(text));

export const FORMAT_RULES: ReadonlyMap<string, FormatRule> = new Map<string, FormatRule>([
  ['dns1123Label', (text) => nameFaults(text, names.dns1123Label)],
  ['dns1123Subdomain', (text) => nameFaults(text, names.dns1123Subdomain)],
  ['dns1035Label', (text) => nameFaults(text, names.dns1035Label)],
  ['qualifiedName', qualifiedNameFaults],
  ['dns1123LabelPrefix', (text) => nameFaults(asPrefix(text), names.dns1123Label)],
  ['dns1123SubdomainPrefix', (text) => nameFaults(asPrefix(text), names.dns1123Subdomain)],
  ['dns1035LabelPrefix', (text) => nameFaults(asPrefix(text), names.dns1035Label)],
  ['labelValue', (text) => nameFaults(text, names.labelValue, 'bytes')],
  ['uri', uriFaults],
  ['uuid', rule('does not match the UUID format', (text) => UUID.test(text))],
  ['byte', rule('invalid base64', isBase64)],
  ['date', rule('invalid date', isDate)],
  ['datetime', rule('invalid datetime', isDateTime)],
]);

/** The Kubernetes format library (https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-format-library). */

const [FORMAT, formatOf] = ownType<string>('kubernetes.NamedFormat', (a, b) => a === b);

const named = (name: string): Optional => (FORMAT_RULES.has(name) ? Optional.of(formatOf(name)) : Optional.none);

/** Returns none if the text is valid, else its errors. */
function validate({ held }: CelObject<string>, text: string): Optional {
  const faults = FORMAT_RULES.get(held)?.(text) ?? [];
  return faults.length === 0 ? Optional.none : Optional.of(faults);
}

export const namedFormats: Library = [
  fn('format.named', [STRING], optionalOf(FORMAT), named),
  ...[...FORMAT_RULES.keys()].map((name) => fn(`format.${name}`, [], FORMAT, () => formatOf(name))),
  method('validate', [FORMAT, STRING], optionalOf(listOf(STRING)), validate, { size: () => 4000 }),
];
