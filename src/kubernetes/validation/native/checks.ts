import table from '../../../../data/kubernetes-forms.json';
import { type Message, phrase, shown } from '../../../core/diagnostics/index.ts';
import {
  isLabel,
  isLabelKey,
  isLetterLabel,
  isPathSegment,
  isSubdomain,
  labelValueFault,
} from '../../../core/model/names.ts';
import { get, isMap, listOf, mapOf, ownValue, textAt, type Value } from '../../../core/model/value.ts';
import { isCidr, isIpv4, isIpv6 } from '../formats/addresses.ts';
import { isContainerResource, isLimitType, isQuotaResource } from './resources.ts';
import {
  type Argument,
  type Checks,
  integerArgument,
  isEmpty,
  isEmptyList,
  isSet,
  missing,
  quoted,
  type Rule,
  refuse,
  textArgument,
} from './rule.ts';
import { isSchedule, isZone } from './schedule.ts';

/** Addresses that are unspecified, loopback or link-local. */
const SPECIAL_IP = /^(?:0\.0\.0\.0$|::$|127\.|::1$|169\.254\.|224\.0\.0\.|fe[89ab]|ff02)/i;

const isIp = (address: string): boolean => isIpv4(address) || isIpv6(address);
const isDnsName = (name: string): boolean =>
  name.includes('*') ? name.startsWith('*.') && isSubdomain(name.slice(2)) && name.length <= 253 : isSubdomain(name);
const isPercent = (value: Value | undefined): value is string => typeof value === 'string' && /^[0-9]+%$/.test(value);

/** Tests of texts (k8s.io/apimachinery/pkg/util/validation and the packages of validation functions). */
const TESTS: Readonly<Record<keyof typeof table.tests, (text: string) => boolean>> = {
  label: isLabel,
  subdomain: isSubdomain,
  mixedSubdomain: (name) => isSubdomain(name.toLowerCase()),
  letterLabel: isLetterLabel,
  mixedLabel: (name) => isLetterLabel(name.toLowerCase()),
  qualified: isLabelKey,
  annotationKey: (key) => isLabelKey(key.toLowerCase()),
  labelValue: (value) => labelValueFault(value) === undefined,
  ip: isIp,
  ordinaryIp: (address) => !isIp(address) || !SPECIAL_IP.test(address),
  clusterIp: (address) => address === 'None' || isIp(address),
  cidr: isCidr,
  paddedCidr: (range) => isCidr(range.trim()),
  pathSegment: isPathSegment,
  domainPath: (name) => isSubdomain(name.split('/')[0] ?? '') && /\/./s.test(name) && name.length <= 63,
  domainPrefix: (name) => isSubdomain(name.split('/')[0] ?? '') && name.includes('/'),
  dnsName: (name) => isSubdomain(name.replace(/\.$/, '')),
  host: (name) => isDnsName(name) && !isIp(name),
  tlsHost: isDnsName,
  schedule: isSchedule,
  timeZone: isZone,
  crdGroup: (group) => isSubdomain(group) && group.includes('.'),
  containerResource: isContainerResource,
  quotaResource: isQuotaResource,
  limitType: isLimitType,
};

interface Form {
  test: (text: string) => boolean;
  message: string;
}

const FORMS: ReadonlyMap<string, Form> = new Map([
  ...(Object.keys(TESTS) as (keyof typeof TESTS)[]).map((name): [string, Form] => {
    return [name, { test: TESTS[name], message: table.tests[name] }];
  }),
  ...Object.entries(table.patterns).map(([name, { pattern, message }]): [string, Form] => {
    const compiled = new RegExp(pattern);
    return [name, { test: (text) => compiled.test(text), message }];
  }),
]);

const textForm =
  ({ test, message }: Form, skipsEmpty: boolean): Rule =>
  (value, place) => {
    if (typeof value === 'string' && !(skipsEmpty && value === '') && !test(value))
      refuse(place, phrase`${shown(message)}`);
  };

/** A form of the table is a check of texts that are not empty, and with `!` of all. */
export const forms: Checks = Object.fromEntries(
  [...FORMS].flatMap(([name, form]) => [
    [name, () => textForm(form, true)],
    [`${name}!`, () => textForm(form, false)],
  ]),
);

/** A rule that holds if a test does, or if there is no value. */
export const holds =
  (test: (value: Value, owner: Value) => boolean, message: Message): Rule =>
  (value, place, owner) => {
    if (value !== undefined && !test(value, owner)) refuse(place, message);
  };

const demands =
  (isThere: (value: Value | undefined) => boolean, message?: Message): Rule =>
  (value, place) => {
    if (!isThere(value)) missing(place, message);
  };

const ofText = (test: (value: string, owner: Value) => boolean, message: Message): Rule =>
  holds((value, owner) => typeof value !== 'string' || test(value, owner), message);
const ofInteger = (test: (value: bigint, owner: Value) => boolean, message: Message): Rule =>
  holds((value, owner) => typeof value !== 'bigint' || test(value, owner), message);
const ofList = (test: (value: Value[], owner: Value) => boolean, message: Message): Rule =>
  holds((value, owner) => !Array.isArray(value) || test(value, owner), message);

const isEmptyMap = (value: Value | undefined): boolean => !isMap(value) || Object.keys(value).length === 0;

const among = (values: readonly Argument[]): ((value: Value | undefined) => boolean) => {
  const wanted: ReadonlySet<Value> = new Set(values);
  return (value) => wanted.has(value ?? '');
};
const oneOfWords = (values: readonly Argument[]): Message => {
  const named = values.filter((value) => value !== '');
  return phrase`must be ${{ expected: shown(`${named.length > 1 ? 'one of ' : ''}${quoted(named)}`) }}`;
};

/** Reports an item that equals an earlier one, at its key field if there is one. */
export const unique =
  (keyOf: (item: Value) => string | undefined, field: readonly string[]): Rule =>
  (value, place) => {
    const seen = new Set<string>();
    for (const [index, item] of listOf(value).entries()) {
      const key = keyOf(item);
      if (key === undefined) continue;
      if (seen.has(key)) refuse(place, phrase`Duplicate value`, [index, ...field]);
      seen.add(key);
    }
  };

const numbersBetween = (low: bigint, high: bigint): Rule =>
  ofInteger(
    (value) => value >= low && value <= high,
    phrase`must be between ${{ minimum: low }} and ${{ maximum: high }}, inclusive`,
  );

const ports = numbersBetween(1n, 65535n);

const compared =
  (fits: (value: bigint, other: bigint) => boolean, words: string) =>
  (other?: Argument): Rule => {
    const field = textArgument(other);
    return ofInteger(
      (value, owner) => {
        const limit = get(owner, field);
        return typeof limit !== 'bigint' || fits(value, limit);
      },
      phrase`must be ${shown(words)} ${{ field: shown(field) }}`,
    );
  };

/** Some of the fields of a map are set: at least one if one is required, and at most one unless it is `any`. */
const choice =
  (isRequired: boolean, isAny = false) =>
  (...fields: readonly Argument[]): Rule => {
    const keys = fields.map(textArgument);
    return (value, place) => {
      if (value !== undefined && !isMap(value)) return;
      const given = keys.filter((key) => isSet(ownValue(value, key)) && !isEmptyList(ownValue(value, key)));
      if (isRequired && given.length === 0)
        missing(place, phrase`must specify one of ${{ expected: shown(keys.join(', ')) }}`);
      for (const key of isAny ? [] : given.slice(1))
        refuse(place, phrase`must not be set together with ${{ field: shown(given[0] ?? '') }}`, key);
    };
  };

/** The source of a claim, and its reference, which may also name a namespace. */
const isSameSource = (source: Value | undefined, reference: Value | undefined): boolean =>
  ['apiGroup', 'kind', 'name'].every((key) => get(source, key) === get(reference, key));

/** The amount of a number or a percentage, 0 if it is invalid. */
const amountOf = (value: Value | undefined, fallback: bigint): bigint => {
  if (value === undefined) return fallback;
  if (typeof value === 'bigint') return value;
  return isPercent(value) ? BigInt(value.slice(0, -1)) : 0n;
};

const rollout =
  (key: string, isWrong: (down: bigint, up: bigint) => boolean, message: Message) =>
  (down?: Argument, up?: Argument): Rule => {
    const maxUnavailable = integerArgument(down);
    const maxSurge = integerArgument(up);
    return (value, place) => {
      if (!isMap(value)) return;
      const isDown = amountOf(get(value, 'maxUnavailable'), maxUnavailable);
      const isUp = amountOf(get(value, 'maxSurge'), maxSurge);
      if (isWrong(isDown, isUp)) refuse(place, message, key);
    };
  };

const only =
  (allowed: ReadonlySet<string>): Rule =>
  (value, place) => {
    for (const [key, one] of Object.entries(mapOf(value)))
      if (!allowed.has(key) && !isEmpty(one) && one !== false) refuse(place, phrase`must not be set here`, key);
  };

const protocolAnd =
  (key: string) =>
  (one: Value): string | undefined => {
    const number = get(one, key);
    return typeof number === 'bigint' && number !== 0n ? `${textAt(one, 'protocol') || 'TCP'}/${number}` : undefined;
  };

export const general: Checks = {
  required: () => demands((value) => !isEmpty(value)),
  set: () => demands(isSet),
  missing: () => demands(() => false),
  aMap: () => demands(isMap),
  entries: () => demands((value) => !isEmptyMap(value)),
  needs: (...values) => demands(among(values), oneOfWords(values)),
  nonzero: () => demands((value) => value !== 0n),
  one: () => demands((value) => Array.isArray(value) && value.length === 1, phrase`must have 1 item`),
  forbidden: () => holds((value) => value === null || isEmptyList(value), phrase`must not be set`),
  empty: () => holds(isEmpty, phrase`must not be set`),
  noEntries: () => holds(isEmptyMap, phrase`must not be set`),
  noItems: () => ofList((value) => value.length === 0, phrase`must not be a list`),
  is: (...values) => {
    const fits = among(values);
    return (value, place) => {
      if (!fits(value)) refuse(place, oneOfWords(values));
    };
  },
  oneOf: (...values) => ofText(among(values), oneOfWords(values)),
  not: (...values) => {
    const fits = among(values);
    return holds((value) => !fits(value), phrase`must not be ${{ value: shown(quoted(values)) }}`);
  },
  lacks: (...values) => {
    const fits = among(values);
    return ofList((value) => !value.some(fits), phrase`must not have ${{ value: shown(quoted(values)) }}`);
  },
  alone: (item) => {
    const one = textArgument(item);
    return ofList(
      (value) => !value.includes(one) || value.every((other) => other === one),
      phrase`must not combine ${{ value: shown(one) }} with others`,
    );
  },
  min: (low) => {
    const least = integerArgument(low);
    return ofInteger(
      (value) => value >= least,
      phrase`must be greater than or equal to ${{ minimum: shown(String(least)) }}`,
    );
  },
  between: (low, high) => numbersBetween(integerArgument(low), integerArgument(high)),
  id: () => numbersBetween(0n, 2n ** 31n - 1n),
  mode: () => numbersBetween(0n, 0o777n),
  port: () => ports,
  zero: () => ofInteger((value) => value === 0n, phrase`must not be set`),
  notMore: compared((value, other) => value <= other, 'less than or equal to'),
  notLess: compared((value, other) => value >= other, 'greater than or equal to'),
  equal: (other) => {
    const field = textArgument(other);
    return holds((value, owner) => value === get(owner, field), phrase`must be equal to ${{ field: shown(field) }}`);
  },
  sameSource: (other) => {
    const field = textArgument(other);
    return holds(
      (value, owner) => isEmpty(get(owner, field)) || isSameSource(value, get(owner, field)),
      phrase`must match ${{ field: shown(field) }}`,
    );
  },
  different: (other) => {
    const field = textArgument(other);
    return holds((value, owner) => value !== get(owner, field), phrase`must differ from ${{ field: shown(field) }}`);
  },
  portOrName: () => {
    const { test } = FORMS.get('portName') as Form;
    const named = ofText(test, phrase`${shown(table.messages.portOrName)}`);
    return (value, place, owner) => (typeof value === 'string' ? named : ports)(value, place, owner);
  },
  countOrPercent: () =>
    holds(
      (value) => (typeof value === 'bigint' ? value >= 0n : typeof value !== 'string' || isPercent(value)),
      phrase`must be an integer greater than or equal to 0 or a percentage such as 5%`,
    ),
  atMost100Percent: () =>
    holds((value) => !isPercent(value) || amountOf(value, 0n) <= 100n, phrase`must not be greater than 100%`),
  notBothZero: rollout(
    'maxUnavailable',
    (down, up) => down === 0n && up === 0n,
    phrase`must not be 0 if maxSurge is 0`,
  ),
  notBoth: rollout('maxSurge', (down, up) => down !== 0n && up !== 0n, phrase`must be 0 if maxUnavailable is not`),
  longest: (length) => {
    const most = integerArgument(length);
    return ofText(
      (value) => value.length <= Number(most),
      phrase`must be no more than ${{ limit: shown(String(most)) }} characters`,
    );
  },
  most: (count) => {
    const most = integerArgument(count);
    return ofList(
      (value) => value.length <= Number(most),
      phrase`must have at most ${{ limit: shown(String(most)) }} items`,
    );
  },
  first: (other) => {
    const field = textArgument(other);
    return ofList(
      (value, owner) => {
        const wanted = get(owner, field) ?? '';
        return value.length === 0 || wanted === '' || value[0] === wanted;
      },
      phrase`must have ${{ field: shown(field) }} as its first item`,
    );
  },
  disjoint: (other) => {
    const field = textArgument(other);
    return (value, place, owner) => {
      const others = get(owner, field);
      if (!Array.isArray(others)) return;
      for (const [index, one] of listOf(value).entries())
        if (others.includes(one)) refuse(place, phrase`must not be in ${{ field: shown(field) }} too`, index);
    };
  },
  keys: (form) => {
    const { test, message } = FORMS.get(textArgument(form)) as Form;
    return (value, place) => {
      for (const key of Object.keys(mapOf(value))) if (!test(key)) refuse(place, phrase`key ${shown(message)}`, key);
    };
  },
  only: (...keys) => only(new Set(keys.map(textArgument))),
  below: (...paths) => {
    const starts = paths.map(textArgument);
    return ofText(
      (value) => value === '' || starts.some((start) => value.startsWith(start)),
      phrase`must be a JSON path below ${{ expected: shown(starts.join(' or ')) }}`,
    );
  },
  unique: (...keys) => {
    const fields = keys.map(textArgument);
    const keyOf = (item: Value): string | undefined =>
      fields.length === 0
        ? typeof item === 'string'
          ? item
          : undefined
        : fields.map((field) => textAt(item, field)).join('\n') || undefined;
    return unique(keyOf, fields.length === 1 ? fields : []);
  },
  uniquePort: (key) => {
    const field = textArgument(key);
    return unique(protocolAnd(field), field === 'port' ? [] : [field]);
  },
  exactlyOne: choice(true),
  atMostOne: choice(false),
  someOf: choice(true, true),
};
