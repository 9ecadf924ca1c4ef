import { Collector } from '../../../core/diagnostics/index.ts';
import { getOrCompute } from '../../../core/model/lazily.ts';
import { isMap, mapItems, setKey, type Value, type ValueMap } from '../../../core/model/value.ts';
import { generalFloat } from '../../../core/text/float.ts';
import { toYaml } from '../../../flux/index.ts';
import {
  compileTemplate,
  executeTemplate,
  FunctionError,
  type Functions,
  fixed,
  fromBytes,
  type GoFunction,
  type GoValue,
  type Meter,
  type MissingKey,
  ofCharacters,
  TemplateError,
  toBytes,
  toGoValue,
} from '../../../languages/gotemplate/index.ts';
import { readStreams } from '../../../yaml/parse/index.ts';
import { NotRendered } from '../repository.ts';

/** Functions of sprig whose result is another one every time. */
const CHANGING =
  'ago bcrypt buildCustomCert encryptAES genCA genCAWithKey genPrivateKey genSelfSignedCert genSelfSignedCertWithKey genSignedCert genSignedCertWithKey htpasswd now randAlpha randAlphaNum randAscii randBytes randInt randNumeric shuffle uuidv4';
/** Functions of sprig that slim-sprig lacks. */
const MISSING =
  'abbrev abbrevboth add1f addf camelcase decryptAES deepCopy derivePassword divf initials kebabcase merge mergeOverwrite mulf mustDeepCopy mustMerge mustMergeOverwrite nospace semver semverCompare sha512sum snakecase subf swapcase untitle wrap wrapWith';

const reasons = new Map([
  ...CHANGING.split(' ').map((name) => [name, 'has another result every time'] as const),
  ...MISSING.split(' ').map((name) => [name, 'is not supported'] as const),
]);

/** What `sanitized` keeps, and `slugify` without a length. */
const MAX_NAME = 253;
const MAX_SLUG = 50;
const MAX_TPL_DEPTH = 3;

/** A name of the DNS: lower case, with a dash for each other character. */
export function sanitized(text: string): string {
  const name = text.toLowerCase().replace(/[^-a-z0-9.]/gu, '-');
  return name.slice(0, MAX_NAME).replace(/^[-.]+|(?<![-.])[-.]+$/g, '');
}

/** `slugify`, `slugify LENGTH`, `slugify LENGTH SMART` of a name. Smart cuts at a dash. */
function slugify(args: readonly GoValue[]): string {
  const name = args.at(-1) ?? '';
  const [length, smart] = args.slice(0, -1);
  if (typeof name !== 'string') throw new FunctionError('the name is no string');
  const max = length === undefined ? MAX_SLUG : sizeOfSlug(length);
  if (smart !== undefined && typeof smart !== 'boolean') throw new FunctionError('the second argument is no bool');
  const isSmart = smart ?? true;
  const whole = sanitized(fromBytes(name));
  const cut = isSmart ? whole : whole.slice(0, max);
  const slug = cut
    .replace(/[^a-z0-9\-_]/g, '-')
    .replace(/-+/g, '-')
    .replace(/^[-_]+|(?<![-_])[-_]+$/g, '');
  if (!isSmart || max <= 0 || slug.length <= max) return slug;
  const dash = slug.lastIndexOf('-', max);
  return slug.slice(0, dash < 0 ? max : dash);
}

function sizeOfSlug(length: GoValue): number {
  if (typeof length !== 'object' || length === null || !('kind' in length) || length.kind !== 'int') {
    throw new FunctionError('the length is no int');
  }
  return Number(length.value);
}

/** The first document of a text; as in JSON, each number is a float. */
export function yamlValue(text: string): { value: Value } | { fault: string } {
  const reports = new Collector();
  const [document] = readStreams([{ file: '', text }], reports, false);
  const [fault] = reports.hasErrors ? reports.all : [];
  if (fault !== undefined) return { fault: String(fault.message) };
  return { value: document === undefined ? null : (document.object as Value) };
}

function fromYaml(text: string, isWanted: (value: Value) => boolean, wanted: Value): GoValue {
  const read = yamlValue(fromBytes(text));
  if ('fault' in read) throw new FunctionError(read.fault);
  const value = read.value ?? wanted;
  if (!isWanted(value)) throw new FunctionError('error unmarshaling JSON: the YAML has another type');
  return toGoValue(withFloats(value));
}

/** A value as Go's encoding/json reads it without a type: numbers are floats. */
function withFloats(value: Value): Value {
  if (typeof value === 'bigint') return Number(value);
  return mapItems(value, withFloats);
}

const own = new Map<string, GoFunction>([
  ['normalize', ofCharacters((text) => sanitized(fromBytes(text)))],
  ['slugify', { parameters: ['any'], variadic: true, call: slugify }],
  ['toYaml', fixed(['any'], (value, meter) => toYaml(value, meter).replace(/\n$/, ''))],
  ['fromYaml', ofCharacters((text) => fromYaml(text, isMap, {}))],
  ['fromYamlArray', ofCharacters((text) => fromYaml(text, Array.isArray, []))],
]);

/** Argo CD's own functions (applicationset/utils of Argo CD 3.6); `render` is for `tpl`. @throws NotRendered */
function argocdFunctions(render: (text: string, dot: GoValue, meter: Meter) => string): Functions {
  let depth = 0;
  const tpl = fixed(['string', 'any'], (text, dot, meter) => {
    if (depth >= MAX_TPL_DEPTH)
      throw new FunctionError(`maximum recursion depth ${MAX_TPL_DEPTH} exceeded in tpl function`);
    depth++;
    try {
      return toBytes(render(fromBytes(text), dot, meter).replaceAll('<no value>', ''));
    } finally {
      depth--;
    }
  });
  return (name) => {
    const reason = reasons.get(name);
    if (reason !== undefined) throw new NotRendered(`its template calls ${name}, which ${reason}`);
    return name === 'tpl' ? tpl : own.get(name);
  };
}

const DELIMITERS = { left: '{{', right: '}}' };

/** How an ApplicationSet writes its templates: in Go's language with `goTemplate`, and otherwise `{{path.basename}}`. */
export interface TemplateLanguage {
  goTemplate: boolean;
  missingKey: MissingKey;
  meter: Meter;
}

/** The texts of parameters, by name: a template has many texts. */
const flatOf = new WeakMap<ValueMap, ReadonlyMap<string, string>>();

/** An unknown parameter stays, as in Argo CD. @throws TemplateError, and NotRendered for unsupported functions */
export function templated(
  text: string,
  parameters: ValueMap,
  { goTemplate, missingKey, meter: all }: TemplateLanguage,
): string {
  if (!text.includes('{{')) return text;
  if (!goTemplate)
    return substituted(
      text,
      getOrCompute(flatOf, parameters, () => flattened(parameters)),
      all,
    );
  const functions = argocdFunctions((inner, dot, meter) => execute(inner, dot, meter));
  const execute = (source: string, dot: GoValue, meter: Meter): string =>
    executeTemplate(compileTemplate(source, DELIMITERS, functions), dot, functions, meter, missingKey);
  all.spendSteps(EXECUTION_STEPS);
  return execute(text, toGoValue(withFloats(parameters)), all);
}

/** The steps of an execution, which compiles the template. */
const EXECUTION_STEPS = 20;

function substituted(text: string, flat: ReadonlyMap<string, string>, meter: Meter): string {
  if (!text.split('\n').some(hasAction)) return text;
  let out = '';
  let from = 0;
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', from)) {
    const close = text.indexOf('}}', open + 2);
    if (close < 0) throw new TemplateError('syntax', `no end of the tag ${text.slice(open)}`, open);
    const name = text.slice(open + 2, close);
    const value = flat.get(name.trim()) ?? `{{${name}}}`;
    meter.spendBytes(open - from + value.length);
    out += text.slice(from, open) + value;
    from = close + 2;
  }
  return out + text.slice(from);
}

export function fill(value: Value, parameters: ValueMap, language: TemplateLanguage): Value {
  language.meter.spendSteps(1);
  if (typeof value === 'string') return templated(value, parameters, language);
  if (Array.isArray(value)) return value.map((item) => fill(item, parameters, language));
  if (!isMap(value)) return value;
  const filled: ValueMap = {};
  for (const [key, item] of Object.entries(value)) {
    setKey(filled, templated(key, parameters, language), fill(item, parameters, language));
  }
  return filled;
}

/** Texts by name: `path.basename`, `path[0]`, `path`, behind a `pathParamPrefix`, `ports.0.name`; floats of Go. */
export function flattened(parameters: ValueMap): Map<string, string> {
  const flat = new Map<string, string>();
  const visit = (value: Value, name: string): void => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, `${name}.${index}`);
    else if (!isMap(value)) flat.set(name, textOfScalar(value));
    else if (/(^|\.)path$/.test(name) && typeof value.path === 'string') {
      const { path = '', segments = [], ...rest } = value;
      visit(path, name);
      if (Array.isArray(segments)) for (const [index, item] of segments.entries()) visit(item, `${name}[${index}]`);
      visit(rest, name);
    } else for (const [key, item] of Object.entries(value)) visit(item, name === '' ? key : `${name}.${key}`);
  };
  visit(parameters, '');
  return flat;
}

function textOfScalar(value: Value): string {
  if (value === null) return '<nil>';
  return typeof value === 'bigint' || typeof value === 'number' ? generalFloat(Number(value)) : String(value);
}

export { TemplateError };

function hasAction(line: string): boolean {
  const open = line.indexOf('{{');
  return open >= 0 && line.includes('}}', open + 2);
}
