import words from '../../../data/other-words.json';
import {
  askFor,
  type Hint,
  hint,
  type Message,
  type Problem,
  phrase,
  quotedHint,
  redact,
  shown,
} from '../../core/diagnostics/index.ts';
import { isMap, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import { isSecret, SECRET, type Secrecy, writtenSecrets } from '../../core/redaction/index.ts';
import { lastNames } from '../../core/text/ends.ts';
import { meaningsByWord, nearest, nearestHint } from '../../core/text/nearest.ts';
import { standardNames, type TemplateError, type TemplateErrorReason } from '../../languages/gotemplate/index.ts';
import { canonicalSource } from '../canonical/index.ts';
import type { InputSet } from '../inputs/combine.ts';

const CODES = {
  syntax: 'template-syntax',
  'missing-key': 'template-key',
  execution: 'template-execution',
  value: 'template-execution',
  budget: 'budget-exceeded',
} as const;

/** The text of a template. */
export interface TemplateText {
  /** As it is parsed: well-formed. */
  source: string;
  path: Path;
  /** The value from which the text was written; none for a literal text. */
  entry?: Value;
}

/** The relation of the templates of a ResourceSet, and their inputs, to Secrets. */
export interface SecretUse {
  /** Which parts of an input set flow into Secrets. */
  inputs: Secrecy;
  /** Reports whether a template renders a Secret, or reads an input that flows into one. */
  touches: (text: TemplateText) => boolean;
}

/** Returns the problem of a template error, at its place in the file. Text that may be of a Secret is redacted. */
export function problemOf(fault: TemplateError, text: TemplateText, set?: InputSet, use?: () => SecretUse): Problem {
  const place =
    text.entry === undefined ? { path: [], offset: fault.offset } : canonicalSource(text.entry, fault.offset);
  const hint = quotedHint(hintFor(fault, text, set?.values));
  const about = aboutSet(set, use);
  const problem: Problem = {
    code: CODES[fault.kind],
    message: phrase`${fault.message}${about}`,
    path: [...text.path, ...place.path],
    offset: place.offset,
    hint,
  };
  const isHidden =
    (fault.kind === 'value' && (use === undefined || use().touches(text))) ||
    (fault.kind === 'syntax' && isSecret(secrecyOfTemplate(text), place.path));
  return isHidden ? redact(problem) : problem;
}

const SHOWN = 3;
const LONGEST = 40;

/** Describes the inputs of a template, with their first strings and numbers to identify them. */
export function aboutSet(set: InputSet | undefined, use?: () => SecretUse): Message {
  if (set === undefined) return phrase``;
  const hidden = use?.().inputs ?? true;
  const scalars = Object.entries(set.values).filter(
    ([key, value]) => key !== 'provider' && !isMap(value) && !Array.isArray(value) && !isSecret(hidden, [key]),
  );
  if (scalars.length === 0) return phrase` (${{ inputs: shown(set.title) }})`;
  const values = scalars
    .slice(0, SHOWN)
    .map(([key, value]) => `${key}: ${String(value).replace(/\s+/g, ' ').slice(0, LONGEST)}`);
  return phrase` (${{ inputs: shown(set.title) }}: ${shown(values.join(', '))}${shown(scalars.length > SHOWN ? ', ...' : '')})`;
}

/** Reports whether a line of a template has an action after `kind:`. */
function computesKind(line: string): boolean {
  const at = line.search(/kind['"]?:/i);
  return at >= 0 && line.includes('<<', at);
}

/** Returns which parts of a template's output may be secret, as far as known before rendering. */
export function secrecyOfTemplate({ source, entry }: TemplateText): Secrecy {
  if (!isMap(entry)) return /secret|stringData/i.test(source) || source.split('\n').some(computesKind);
  const { kind } = entry;
  return typeof kind !== 'string' || kind.includes('<<') ? SECRET : writtenSecrets(entry, 'object');
}

const ADDED = ['inputs', 'slugify', 'toYaml', 'mustToYaml'];

/** Functions and keywords of other template engines. */
const ELSEWHERE = meaningsByWord(words.templates.functions);
const NO_SUCH_FUNCTION =
  'the functions are those of slim-sprig (https://go-task.github.io/slim-sprig/), which are fewer than those of Sprig and Helm';
const CHANGING =
  /^(?:env|expandenv|getHostByName|uuidv4|rand\w+|date\w*|date_\w+|htmlDate\w*|genPrivateKey|genSelfSignedCert|genCA)$/;

/** Returns a hint for common errors. */
function hintFor(fault: TemplateError, text: TemplateText, inputs: ValueMap | undefined): Hint | undefined {
  const { kind, reason, subject: name = '' } = fault;
  if (kind === 'missing-key') return missingKey(fault, name, holderOf(fault, text), inputs);
  if (reason === undefined) {
    const operator = kind === 'syntax' ? syntaxHint(text.source, fault.offset) : undefined;
    return operator === undefined ? undefined : hint(operator);
  }
  if (reason === 'unknown-function') return unknownFunction(name, text, fault.offset);
  const read = /^(?:dash|bad-number)$/.test(reason) ? indexed(fault, text) : undefined;
  if (reason === 'dash') return hint(`a key with a dash is read with index: ${read ?? 'index inputs "the-key"'}`);
  if (read !== undefined) return hint(`a key that begins with a digit is read with index: ${read}`);
  const general = (text.entry === undefined ? OF_TEXTS : OF_ENTRIES)[reason] ?? ANYWHERE[reason];
  return general === undefined ? undefined : hint(general);
}

/** Hints that do not depend on the template, except for how it is written. */
type Hints = Readonly<Partial<Record<TemplateErrorReason, string>>>;
const { errors, errorsOfEntries, errorsOfTexts } = words.templates;
const ANYWHERE: Hints = errors;
const OF_ENTRIES: Hints = errorsOfEntries;
const OF_TEXTS: Hints = errorsOfTexts;

function syntaxHint(source: string, offset: number): string | undefined {
  const rest = source.slice(offset, offset + 10);
  if (/^(?:else|end)\b/.test(rest)) return 'an if, range, with or block is missing before it';
  // The error of `||` is at its second character.
  const at = source.slice(offset - 1, offset + 1) === '||' ? '||' : rest;
  return Object.entries(words.templates.operators).find(([operator]) => at.startsWith(operator))?.[1];
}

/** Returns the map that lacks a key, as in the template: `inputs.boat` of `inputs.boat.mast`. */
const holderOf = ({ offset }: TemplateError, { source }: TemplateText): string =>
  /((?:\u2026?[$\w]+|\u2026?(?<=[\s(\u2026]))(?:\.\w+)*)\.?$/.exec(lastNames(source, offset))?.[1] || 'inputs';

/** Returns the key at the error, read by its name. */
function indexed({ offset }: TemplateError, { source }: TemplateText): string | undefined {
  const before = /(\u2026?[$\w]*(?:\.\w+)*)\.([\w-]*)$/.exec(lastNames(source, offset));
  const after = /^\.?[\w-]*/.exec(source.slice(offset))?.[0] ?? '';
  if (before === null && !after.startsWith('.')) return undefined;
  const holder = before?.[1] ?? /\u2026?[$\w]+(?:\.\w+)*$/.exec(lastNames(source, offset))?.[0] ?? '';
  const key = `${before?.[2] ?? ''}${after.replace(/^\./, '')}`;
  return holder === '' || key === '' ? undefined : `index ${holder} "${key}"`;
}

function missingKey({ reason }: TemplateError, name: string, holder: string, inputs: ValueMap | undefined): Hint {
  if (reason === 'no-data') {
    return hint(
      name === 'inputs'
        ? 'inputs is a function: write it without a dot before it'
        : `a dot alone has no value here: write inputs.${name}`,
    );
  }
  const keys = inputs === undefined ? [] : keysOf(inputs);
  if (inputs === undefined || Object.keys(inputs).length === 0)
    return hint('there are no inputs: add spec.inputs or spec.inputsFrom');
  const optional = `a key that not all inputs have is read with get: get ${holder} "${name}"`;
  const within = Object.entries(inputs).find(([, value]) => isMap(value) && Object.hasOwn(value, name));
  if (holder === 'inputs' && within !== undefined)
    return hint(`it is in inputs.${within[0]}: write inputs.${within[0]}.${name}`);
  const intended = nearestHint(name, keys, 2);
  if (intended === undefined) return hint(optional);
  // Only a question has remedies, and its own mark.
  const end = intended.remedies.length > 0 ? '' : '.';
  return hint(`${intended.text}${end} Otherwise, ${optional}`, intended.remedies);
}

function keysOf(value: Value): string[] {
  if (Array.isArray(value)) return value.slice(0, 10).flatMap(keysOf);
  return isMap(value) ? [...Object.keys(value), ...Object.values(value).flatMap(keysOf)].slice(0, 1000) : [];
}

function unknownFunction(name: string, text: TemplateText, offset: number): Hint | undefined {
  const known = ELSEWHERE.get(name);
  if (known !== undefined) return hint(known);
  if (CHANGING.test(name))
    return hint('functions that give another result each time, or read the machine, are not there: use an input');
  const isHeredoc = text.source.slice(0, offset).endsWith('<<') && /^[A-Z_]+$/.test(name);
  if (isHeredoc) return hint(`<< starts an action; for a << of the shell, write << "<<" >>${name}`);
  const [intended] = nearest(name, [...standardNames(), ...ADDED], 2);
  if (intended !== undefined) return askFor([intended]);
  // Without arguments it is rather a value than a function.
  const value = /^\w+(?:\.\w+)*(?=\s*(?:\||-?>>))/.exec(text.source.slice(offset, offset + 200))?.[0];
  return hint(value === undefined ? NO_SUCH_FUNCTION : `an input is read as inputs.${value}`);
}
