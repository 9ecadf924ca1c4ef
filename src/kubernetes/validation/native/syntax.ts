import { phrase } from '../../../core/diagnostics/index.ts';
import { matches, parseSelector } from '../../../core/model/label-selector.ts';
import { isLabel, isPathSegment, isSubdomain, labelKeyFault, labelValueFault } from '../../../core/model/names.ts';
import { isMap, type Value } from '../../../core/model/value.ts';
import { isCidr, isIpv4, isIpv6 } from '../formats/network.ts';
import {
  all,
  between,
  each,
  eachKey,
  eachValue,
  fields,
  itemsAt,
  map,
  type Rule,
  refuse,
  text,
  textAt,
} from './rule.ts';

/** k8s.io/apimachinery/pkg/util/validation */
const CONFIG_KEY = /^[-._a-zA-Z0-9]+$/;
const PERCENT = /^[0-9]+%$/;
const HEADER = /^[-A-Za-z0-9]+$/;
const PRINTABLE_WITHOUT_EQUALS = /^[ -<>-~]+$/;

export const isWildcard = (name: string): boolean =>
  /^\*\./.test(name) && isSubdomain(name.slice(2)) && name.length <= 253;
export const isQualified = (name: string): boolean => labelKeyFault(name) === undefined;
export const isConfigKey = (key: string): boolean =>
  CONFIG_KEY.test(key) && key.length <= 253 && key !== '.' && !key.startsWith('..');
const isPortName = (name: string): boolean =>
  /^[-a-z0-9]{1,15}$/.test(name) && /[a-z]/.test(name) && !name.includes('--') && !/^-|-$/.test(name);
export const isIp = (address: string): boolean => isIpv4(address) || isIpv6(address);
const isPercent = (value: string): boolean => PERCENT.test(value);

export { isCidr };

export const label = text(
  isLabel,
  phrase`must be an RFC 1123 label: lower case letters, digits and dashes, at most 63`,
);
export const subdomain = text(
  isSubdomain,
  phrase`must be an RFC 1123 subdomain: lower case letters, digits, dashes and dots, at most 253`,
);
export const qualified = text(
  isQualified,
  phrase`must be [prefix/]name: letters, digits, dashes, underscores and dots, at most 63`,
);
export const portName = text(
  isPortName,
  phrase`must be the name of a port: at most 15 lower case letters, digits and dashes, with a letter`,
);
export const configKey = text(
  isConfigKey,
  phrase`must be a key: letters, digits, dashes, underscores and dots, at most 253`,
);
export const envName = text(
  (name) => PRINTABLE_WITHOUT_EQUALS.test(name),
  phrase`must have only printable ASCII characters other than '='`,
);
export const headerName = text(
  (name) => HEADER.test(name),
  phrase`must be the name of an HTTP header: letters, digits and dashes`,
);
export const ip = text(isIp, phrase`must be an IP address`);
export const cidr = text(isCidr, phrase`must be a CIDR block such as 10.0.0.0/8`);
export const pathSegment = text(isPathSegment, phrase`must not be '.' or '..' nor have '/' or '%'`);
export const port = between(1n, 65535n);

const TARGET_NAME = /^[-a-z0-9]+$/;
/** A number or a name of a port. */
export const portOrName: Rule = (value, place) => {
  port(value, place);
  if (typeof value === 'string' && !(TARGET_NAME.test(value) && isPortName(value))) {
    refuse(
      place,
      phrase`must be a number from 1 to 65535, or the name of a port: at most 15 lower case letters, digits and dashes, with a letter`,
    );
  }
};

export const countOrPercent: Rule = (value, place) => {
  if (typeof value === 'bigint' && value < 0n) refuse(place, phrase`must not be negative`);
  if (typeof value !== 'string') return;
  if (!isPercent(value)) refuse(place, phrase`must be an integer or a percentage such as 5%`);
};

export const atMost100Percent: Rule = (value, place) => {
  if (typeof value === 'string' && isPercent(value) && BigInt(value.slice(0, -1)) > 100n)
    refuse(place, phrase`must be at most 100%`);
};

/** Returns the amount of a number or a percentage, 0 if it is invalid. */
export const amountOf = (value: Value | undefined): bigint => {
  if (typeof value === 'bigint') return value;
  return typeof value === 'string' && isPercent(value) ? BigInt(value.slice(0, -1)) : 0n;
};

const LABEL_KEY = phrase`is not a valid label key: [prefix/]name, the name of letters, digits, dashes, underscores and dots, at most 63`;
const labelValue: Rule = (value, place) => {
  const reason = typeof value === 'string' ? labelValueFault(value) : undefined;
  if (reason !== undefined)
    refuse(place, phrase`is not a valid label value: ${reason.replace(/^a label value has /, 'it has ')}`);
};
export const labelKey: Rule = (value, place) => {
  if (typeof value === 'string' && !isQualified(value)) refuse(place, LABEL_KEY);
};

export const labels = all(eachKey(isQualified, LABEL_KEY), eachValue(labelValue));

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** The values that an operator of a selector accepts. */
const requirement = (operators: readonly string[]): Rule =>
  map((value, place) => {
    const operator = textAt(value, 'operator');
    const { length } = itemsAt(value, 'values');
    if (!operators.includes(operator)) refuse(place, phrase`must be one of ${operators.join(', ')}`, 'operator');
    if ((operator === 'In' || operator === 'NotIn') && length === 0)
      refuse(place, phrase`must have at least 1 item if the operator is In or NotIn`, 'values');
    if ((operator === 'Exists' || operator === 'DoesNotExist') && length > 0)
      refuse(place, phrase`must be empty if the operator is Exists or DoesNotExist`, 'values');
    if ((operator === 'Gt' || operator === 'Lt') && length !== 1)
      refuse(place, phrase`must have 1 item if the operator is Gt or Lt`, 'values');
    if (!isQualified(textAt(value, 'key'))) refuse(place, LABEL_KEY, 'key');
  });

export const labelSelector = fields({
  matchLabels: labels,
  matchExpressions: each(all(requirement(OPERATORS), fields({ values: each(labelValue) }))),
});

export const nodeRequirement = all(requirement([...OPERATORS, 'Gt', 'Lt']), fields({ values: each(labelValue) }));

/** Reports whether a selector matches these labels. Errors in the selector are reported elsewhere. */
export const selects = (selector: Value | undefined, labels: Value | undefined): boolean =>
  matches(parseSelector(selector ?? null).selector, isMap(labels) ? labels : {});
