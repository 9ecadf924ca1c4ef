import { attempt } from '../../../core/model/attempt.ts';
import { isLabel, isSubdomain } from '../../../core/model/names.ts';
import { EvaluationError, FORMAT_RULES, parseFieldDuration } from '../../../languages/cel/index.ts';
import { isCidr, isEmail, isHostname, isIpv4, isIpv6, isMac, isUri } from './addresses.ts';

type Format = (text: string) => boolean;

const like =
  (pattern: RegExp): Format =>
  (text) =>
    pattern.test(text);

const ruleOf =
  (name: string): Format =>
  (text) =>
    FORMAT_RULES.get(name)?.(text).length === 0;

const uuid = (third = '[0-9a-f]', fourth = '[0-9a-f]'): Format =>
  like(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}[0-9a-f]{3}-?${fourth}[0-9a-f]{3}-?[0-9a-f]{12}$`, 'i'));

// Numbers with a check digit, as k8s.io/kube-openapi checks them.
const withoutDashes = (text: string): string => text.replace(/[\t\n\f\r -]+/g, '');

function isIsbn10(text: string): boolean {
  const digits = withoutDashes(text);
  if (!/^[0-9]{9}[0-9X]$/.test(digits)) return false;
  const sum = [...digits].reduce((before, digit, at) => before + (at + 1) * (digit === 'X' ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = withoutDashes(text);
  if (!/^[0-9]{13}$/.test(digits)) return false;
  const sum = [...digits].reduce((before, digit, at) => before + (at % 2 === 0 ? 1 : 3) * Number(digit), 0);
  return sum % 10 === 0;
}

/** Lengths and first digits of the issuers. */
const CARDS =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9]{2})[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11})$/;

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  return CARDS.test(digits) && luhnSum(digits) % 10 === 0;
}

function luhnSum(digits: string): number {
  return [...digits].reverse().reduce((sum, digit, at) => {
    const weighted = at % 2 === 0 ? Number(digit) : Number(digit) * 2;
    return sum + (weighted >= 10 ? weighted - 9 : weighted);
  }, 0);
}

const isSsn = (text: string): boolean => /^[0-9]{3}[- ][0-9]{2}[- ][0-9]{4}$/.test(text);

const COLOR = '\\s*(?:\\d|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5])\\s*';

/**
 * Formats in custom objects, by their names without dashes
 * (k8s.io/apiextensions-apiserver/pkg/apiserver/validation/formats.go, k8s.io/kube-openapi/pkg/validation/strfmt).
 * Others are ignored.
 */
const FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['bsonobjectid', like(/^[0-9a-f]{24}$/i)],
  ['uri', isUri],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['cidr', isCidr],
  ['mac', isMac],
  ['uuid', uuid()],
  ['uuid3', uuid('3')],
  ['uuid4', uuid('4', '[89ab]')],
  ['uuid5', uuid('5', '[89ab]')],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', isSsn],
  ['hexcolor', like(/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i)],
  ['rgbcolor', like(new RegExp(`^rgb\\(${COLOR},${COLOR},${COLOR}\\)$`))],
  ['byte', like(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/)],
  ['password', () => true],
  ['date', ruleOf('date')],
  ['duration', (text) => attempt(() => parseFieldDuration(text), EvaluationError) !== undefined],
  ['datetime', ruleOf('datetime')],
  ['k8sshortname', isLabel],
  ['k8slongname', isSubdomain],
]);

const formatOf = (name: string): Format | undefined => FORMATS.get(name.replaceAll('-', ''));

export const isCheckedFormat = (name: string): boolean => formatOf(name) !== undefined;

/** Reports whether a text matches a format; unchecked formats match any text. */
export const hasFormat = (name: string, text: string): boolean => formatOf(name)?.(text) ?? true;

export const CHECKED_FORMATS: readonly string[] = [...FORMATS.keys()];
