import words from '../../../data/other-words.json';
import { askFor, hintMessage, type Message, type Problem, phrase, shown } from '../../core/diagnostics/index.ts';
import { spend } from '../../core/model/limits.ts';
import { isMap, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import { enumerated } from '../../core/text/clip.ts';
import { nearest } from '../../core/text/nearest.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { applyMarkers, hasDefaultMarker } from './apply-markers.ts';
import type { ReportFieldProblem, SchemaBudget } from './budget.ts';
import { missingBarHint, parseMarkers } from './markers.ts';
import { builtInTypes, foreignTypeHint, parseType, trimSpace } from './type-expression.ts';

export interface CustomType {
  schema: Schema;
  /** An alias with `required=true` makes every field of exactly this type required (kro: customType.Required). */
  required: boolean;
}

export interface TypeContext {
  /** `broken`: it exists but has an error of its own, which is reported. */
  resolve(name: string): CustomType | 'unknown' | 'broken';
  customTypeNames: readonly string[];
  report(problem: Problem): void;
  budget: SchemaBudget;
}

/** The default of a struct whose members have defaults. It is distinguished from an author's default by identity. */
export const IMPLIED_DEFAULT: ValueMap = Object.freeze({});

/** Returns the schema of a map of fields (kro: transformer.buildSchema). Fields with an error are omitted. */
export function buildStruct(fields: ValueMap, path: Path, outer: TypeContext): Schema {
  const context = looksLikeOpenApi(fields) ? withOpenApiHint(fields, outer, path) : outer;
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  let hasDefault = false;
  for (const name of Object.keys(fields)) {
    const field = buildField(fields[name] as Value, [...path, name], () => required.push(name), context);
    if (field === undefined) continue;
    Object.defineProperty(properties, name, { value: field, enumerable: true, configurable: true, writable: true });
    if (hasDefaultMarker(field)) hasDefault = true;
  }
  const schema: Schema = { type: 'object' };
  if (Object.keys(properties).length > 0) schema.properties = properties;
  // kro sorts the list so that the CRD does not depend on the order of a map.
  if (required.length > 0) schema.required = required.sort();
  // Without `{}` the API server would not apply the defaults of the members; `{}` itself must be valid.
  else if (hasDefault) schema.default = IMPLIED_DEFAULT;
  return schema;
}

const OPENAPI_KEYWORDS = new Set(words.openapi.split(' '));

/** kro reads `hosts: {type: array, items: {type: string}}` as a struct. */
function looksLikeOpenApi(fields: ValueMap): boolean {
  const names = Object.keys(fields);
  return names.length > 1 && names.includes('type') && names.every((name) => OPENAPI_KEYWORDS.has(name));
}

function withOpenApiHint(fields: ValueMap, context: TypeContext, path: Path): TypeContext {
  const { type, items } = fields;
  const element = items !== undefined && isMap(items) ? items.type : undefined;
  const named = type === 'array' ? `[]${element}` : type;
  const known = typeof named === 'string' && /^(\[\])?[a-z]+$/.test(named) ? named : 'string';
  const marker = fields.default === undefined ? '' : ' | default=...';
  const hint = phrase`this looks like OpenAPI; SimpleSchema writes it in one line: ${path.at(-1) ?? ''}: "${known}${shown(marker)}"`;
  return { ...context, report: (problem) => context.report({ ...problem, hint }) };
}

/** Builds the schema of a field (kro: buildFieldSchema). `require` marks the field as required in its parent. */
export function buildField(spec: Value, path: Path, require: () => void, context: TypeContext): Schema | undefined {
  if (typeof spec === 'string') return buildFromText(spec, path, require, context);
  if (isMap(spec)) return buildStruct(spec, path, context);
  context.report({
    code: 'schema-shape',
    message: phrase`a type is a string or a map of fields, got ${{ got: titleOf(spec) }}`,
    path,
    hint: phrase`${shapeHint(spec)}`,
  });
  return undefined;
}

function titleOf(value: Value): string {
  if (value === null) return 'nothing';
  return Array.isArray(value) ? 'a list' : `the ${typeof value === 'boolean' ? 'boolean' : 'number'} ${value}`;
}

function shapeHint(value: Value): Message {
  if (!Array.isArray(value)) return phrase`write the name of a type, for example string | default="..."`;
  return typeof value[0] === 'string'
    ? phrase`write "[]${value[0]}"`
    : phrase`name the type of the elements under types, and write "[]Name"`;
}

function buildFromText(text: string, path: Path, require: () => void, context: TypeContext): Schema | undefined {
  let failed = false;
  const report: ReportFieldProblem = (fault) => {
    failed = true;
    context.report({ ...fault, path });
  };
  // Only the first | separates (kro: ParseField).
  const bar = text.indexOf('|');
  const written = bar < 0 ? text : text.slice(0, bar);
  let isRequired = false;
  const custom = (name: string): Schema | undefined => {
    const type = context.resolve(name);
    if (typeof type === 'object') {
      isRequired ||= type.required && name === trimSpace(written);
      return type.schema;
    }
    const hint = type === 'unknown' && spend(context.budget.hints, 1) ? unknownTypeHint(name, context) : undefined;
    if (type === 'unknown') {
      // The name is the end of a list or a map: []Name.
      const offset = Math.max(written.lastIndexOf(name), 0);
      report({ code: 'unknown-type', message: phrase`unknown type: ${{ type: name }}`, hint, offset });
    }
    return undefined;
  };
  const base = parseType(written, custom, report);
  const markers = bar < 0 ? [] : parseMarkers(text, bar + 1, report);
  if (base === undefined || markers === undefined) return undefined;
  if (isRequired) require();
  const schema = markers.length > 0 ? applyMarkers(base, markers, require, report, context.budget, path) : base;
  return failed ? undefined : schema;
}

function unknownTypeHint(name: string, context: TypeContext): Message {
  const certain = missingBarHint(name, (type) => context.resolve(type) !== 'unknown') ?? foreignTypeHint(name);
  if (certain !== undefined) return hintMessage(certain, (text) => phrase`${text}`);
  const close = nearest(name, [...context.customTypeNames, ...builtInTypes]);
  if (close.length > 0)
    return hintMessage(askFor(close, `did you mean ${close.join(' or ')}?`), (text) => phrase`${text}`);
  const declared = /^[A-Z]\w*$/.test(name) ? 'declare it under spec.schema.types; ' : '';
  return phrase`${shown(declared)}the types are ${enumerated([...builtInTypes, ...context.customTypeNames])}, []T and map[string]T`;
}
