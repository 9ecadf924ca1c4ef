import data from '../../../data/transliteration.json';
import { attempt } from '../../core/model/attempt.ts';
import { lazily } from '../../core/model/lazily.ts';
import type { Value } from '../../core/model/value.ts';
import {
  FunctionError,
  type Functions,
  fixed,
  fromBytes,
  fromGoValue,
  type GoFunction,
  type GoValue,
  type Meter,
  ofCharacters,
  sizeOf,
  toBytes,
} from '../../languages/gotemplate/index.ts';
import { canonicalYaml } from '../canonical/index.ts';
import { faultInJson, foldNextLines } from '../stored-json.ts';

const FIRST = 0x80;
const HANGUL_FIRST = 0xac00;

/** Replaces characters beyond ASCII by similar ASCII, or removes them (see tools/transliteration.mjs). */
function transliterate(text: string): string {
  let out = '';
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (code < FIRST) out += char;
    else out += syllable(code - HANGUL_FIRST) ?? table().get(code) ?? '';
  }
  return out;
}

const table = lazily((): ReadonlyMap<number, string> => {
  const { digits } = data;
  const words = data.words.join('').split('\t');
  const indexes = data.indexes.join('');
  const read = new Map<number, string>();
  const digit = (at: number): number => digits.indexOf(indexes.charAt(at));
  let code = FIRST;
  for (let at = 0; at < indexes.length; at += 2) {
    if (indexes[at] === ' ') code += digit(at + 1) + 1;
    else read.set(code++, words[digit(at) * digits.length + digit(at + 1) - 1] ?? '');
  }
  return read;
});

/** Returns the text of a Hangul syllable, `undefined` for other characters. */
function syllable(index: number): string | undefined {
  const { hangul } = data;
  const vowels = hangul.vowels.split(' ');
  const finals = hangul.finals.split(' ');
  const initial = hangul.initials.split(' ')[Math.floor(index / (vowels.length * finals.length))];
  const vowel = vowels[Math.floor(index / finals.length) % vowels.length];
  return initial === undefined ? undefined : `${initial}${vowel}${finals[index % finals.length]}`;
}

/** Quotes and indentation may multiply the length of a text by this factor. */
const WRITTEN = 8;
/** Each character is read, and keys are sorted. */
const BYTES_PER_STEP = 4;

/** A value as `toYaml` writes it.
 * @throws FunctionError for numbers that JSON lacks
 */
export function toYaml(value: GoValue, meter: Meter): string {
  const size = sizeOf(value);
  meter.spendSteps(size / BYTES_PER_STEP);
  meter.spendBytes(WRITTEN * size);
  const plain = fromGoValue(value);
  refuseNotFinite(plain);
  const fault = faultInJson(plain);
  if (fault !== undefined) throw new FunctionError(`error converting YAML to JSON: ${fault.reason}`);
  return toBytes(canonicalYaml(foldNextLines(plain)));
}

function refuseNotFinite(value: Value): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new FunctionError(`error marshaling into JSON: json: unsupported value: ${value}`);
  }
  if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) refuseNotFinite(item);
}

const lenientYaml = (value: GoValue, meter: Meter): string => attempt(() => toYaml(value, meter), FunctionError) ?? '';

const added = new Map<string, GoFunction>([
  ['slugify', ofCharacters((text) => toBytes(slugify(fromBytes(text))))],
  ['toYaml', fixed(['any'], lenientYaml)],
  ['mustToYaml', fixed(['any'], toYaml)],
]);

/** Returns the functions of ResourceSet templates besides those of every template. `inputs` may change. */
export function functionsFor(inputs: () => GoValue): Functions {
  const own: GoFunction = { parameters: [], variadic: false, call: inputs };
  return (name) => (name === 'inputs' ? own : added.get(name));
}

/** The maximum length of a label value. */
const MAX_LENGTH = 63;

/** A text as a slug: lower case, ASCII letters, digits, `-` and `_`, at most 63 characters, cut off at a `-`. */
function slugify(text: string): string {
  const substituted = text
    .trim()
    .replaceAll('&', 'and')
    .replaceAll('@', 'at')
    .replace(/["'\u2019]/g, '');
  const slug = transliterate(substituted.replace(/[\u2012-\u2015]/g, '-'))
    .toLowerCase()
    .replace(/[^a-z0-9\-_]+/g, '-')
    .replace(/-+/g, '-')
    .replace(/^[-_]+|(?<![-_])[-_]+$/g, '');
  if (slug.length <= MAX_LENGTH) return slug;
  const dash = slug.lastIndexOf('-', MAX_LENGTH);
  return slug.slice(0, dash < 0 ? MAX_LENGTH : dash);
}
