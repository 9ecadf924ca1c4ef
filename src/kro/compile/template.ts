import { markPublic, type Problem } from '../../core/diagnostics/index.ts';
import { formatPath } from '../../core/model/path.ts';
import { isMap, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import { memberSchema, type Schema } from '../../kubernetes/schema/index.ts';
import { type CelType, DYN, STRING, spellsOutNothing } from '../../languages/cel/index.ts';
import { bracedExpression, dollarHint } from '../definition/index.ts';
import { fillsListWithMap, hasNoFields, mismatch, mismatchInCollection } from './compatible.ts';
import { declaredType } from './declared-type.ts';
import { compileExpression, type Scope } from './expression.ts';
import { keyOutOfReach } from './field-path.ts';
import { expectedTypes, fieldSchema, fits, isOpen, typeNameOf } from './field-rules.ts';
import { conversionHint, fieldHint, hintForText, literalHint } from './hints.ts';
import { isExpression, scan } from './scan.ts';
import type { CompiledExpression, TemplateField } from './template-field.ts';
import { typeText } from './type-text.ts';

/** A place in a template: the schema that holds there, `undefined` where anything may be. */
export interface Spot {
  path: Path;
  schema: Schema | undefined;
  /**
   * The schema that expressions have to fit: it goes on below a field that keeps unknown fields, where literals may be
   * anything (kro: parser.go, builder.go expectedTypeForField).
   */
  fit?: Schema | undefined;
  /** The name that the type of an object here gets, for example `__type_web.spec`. */
  typeName: string;
}

export interface TemplateContext {
  scope: Scope;
  report(problem: Problem): void;
  /** Told about every expression with the path of its field inside the template. */
  onExpression?(expression: CompiledExpression, path: Path): void;
  /** An expression that never closes is an error. */
  strict?: boolean;
  /** It is the template of a collection. */
  collection?: boolean;
}

/**
 * Compiles a template and checks it against the schema of its kind (kro: pkg/graph/parser/parser.go): every field
 * exists, literals have a fitting type, expressions have the type of their field. `inside` is the path from the
 * template's root, `place.path` the one from the RGD's.
 */
export function compileTemplate(value: Value, place: Spot, context: TemplateContext, inside: Path = []): TemplateField {
  const schema = isOpen(place.schema) ? undefined : place.schema;
  const here: Spot = { ...place, schema, fit: fitOf(place) };
  if (typeof value === 'string') return compileString(value, place, context, inside);
  const wanted = schema && expectedTypes(schema);
  const actual = typeNameOf(value);
  if (wanted !== undefined && value !== null && !fits(actual, wanted, schema)) {
    reportType(place.path, wanted, actual, context, '', bracedExpression(value));
    return { kind: 'literal', value };
  }
  if (Array.isArray(value)) return compileList(value, here, context, inside);
  if (isMap(value)) return compileMap(value, here, context, inside);
  return { kind: 'literal', value };
}

function compileList(value: Value[], place: Spot, context: TemplateContext, inside: Path): TemplateField {
  const items = value.map((item, index) =>
    compileTemplate(
      item,
      {
        path: [...place.path, index],
        schema: place.schema?.items,
        fit: place.fit?.items,
        typeName: `${place.typeName}.@idx`,
      },
      context,
      [...inside, index],
    ),
  );
  if (items.every((item) => item.kind === 'literal')) return { kind: 'literal', value };
  return { kind: 'list', items, path: place.path };
}

function compileMap(value: ValueMap, place: Spot, context: TemplateContext, inside: Path): TemplateField {
  const entries: (readonly [string, TemplateField])[] = [];
  for (const key of Object.keys(value)) {
    const path = [...place.path, key];
    const field = fieldSchema(place.schema, key);
    if (field === 'unknown') {
      context.report(unknownField(path, key, context.scope.limitReached() ? undefined : place.schema));
      continue;
    }
    const next: Spot = {
      path,
      schema: field,
      // kro passes over an empty key when it looks for the type of a field (resolveSchemaAndTypeName).
      // Whatever else may be there (kro: lookupSchemaAtField).
      fit: key === '' ? place.fit : memberSchema(place.fit, key),
      typeName: key === '' ? place.typeName : `${place.typeName}.${key}`,
    };
    entries.push([key, compileTemplate(value[key] as Value, next, context, [...inside, key])]);
  }
  if (entries.every(([, field]) => field.kind === 'literal')) return { kind: 'literal', value };
  return { kind: 'map', entries, path: place.path };
}

const fitOf = ({ schema, fit }: Spot): Schema | undefined => fit ?? schema;

const UNCLOSED = 'close it with }, quotes inside it included; to keep the text, write it as ${"${...}"}';

function compileString(text: string, place: Spot, context: TemplateContext, inside: Path): TemplateField {
  const scanned = scan(text);
  if (!scanned.ok) {
    const message = "an expression is opened inside an expression: '${' is only text inside a string literal";
    context.report(markPublic({ code: 'nested-expression', message, path: place.path, offset: scanned.offset }));
    return { kind: 'literal', value: text };
  }
  if (scanned.unclosed !== undefined) {
    const message = "unclosed '${' is kept as text; kro 0.10 rejects it";
    context.report(
      markPublic({
        code: 'unclosed-expression',
        message,
        path: place.path,
        offset: scanned.unclosed,
        severity: context.strict ? 'error' : 'warning',
        hint: UNCLOSED,
      }),
    );
  }
  const wanted = place.schema && expectedTypes(place.schema);
  if (!scanned.standalone && wanted !== undefined && !fits('string', wanted, place.schema)) {
    reportType(place.path, wanted, 'string', context, text);
    return { kind: 'literal', value: text };
  }
  if (!scanned.parts.some(isExpression)) return { kind: 'literal', value: text };
  const fit = fitOf(place);
  const expected = (fit && declaredType(fit, place.typeName)) ?? DYN;
  const parts = scanned.parts.map((part) => {
    if (!isExpression(part)) return part.text;
    const site = { source: part.source, path: place.path, offset: part.start };
    const wholeValue = scanned.standalone ? place.schema : undefined;
    const compiled = compileExpression(site, context.scope, (problem) => context.report(problem), wholeValue);
    if (compiled !== undefined) context.onExpression?.(compiled, inside);
    return compiled;
  });
  if (parts.some((part) => part === undefined)) return { kind: 'literal', value: text };
  const filled = { expected, path: place.path, outOfReach: keyOutOfReach(inside) };
  const [only] = parts;
  if (scanned.standalone && typeof only === 'object') {
    checkFit(only, expected, context);
    return { kind: 'expression', expression: only, ...filled };
  }
  const texts = parts as (string | CompiledExpression)[];
  checkText(texts, expected, place.path, context);
  return { kind: 'text', parts: texts, ...filled };
}

/** A string with an expression and anything else is a concatenation: every part must be a string. */
function checkText(
  parts: readonly (string | CompiledExpression)[],
  expected: CelType,
  path: Path,
  context: TemplateContext,
): void {
  for (const part of parts) {
    if (typeof part === 'string' || part.type.kind === 'string' || part.type.kind === 'dyn') continue;
    const message = `an expression inside a longer string must be a string, got ${typeText(part.type)}`;
    const { path: at, offset } = part;
    const hint = hintForText(part, parts);
    const problem: Problem = { code: 'text-part-type', message, withoutValues: { message }, path: at, offset, hint };
    context.report(isCode(part) ? markPublic(problem) : problem);
  }
  const reason = mismatch(STRING, expected);
  if (reason !== undefined) {
    const message = `a string with expressions does not fit here: ${reason}`;
    context.report(markPublic({ code: 'field-type', message, path }));
  }
}

/**
 * kro accepts a value without fields where an object is wanted, a map where a list is, and any object in a collection;
 * Kubernetes will not.
 */
function reportDoubt(
  expression: CompiledExpression,
  expected: CelType,
  context: TemplateContext,
  reason: string | undefined,
): void {
  const types = `the field wants ${typeText(expected)}, and the expression yields ${typeText(expression.type)}`;
  const message = reason === undefined ? types : `${types} (${reason})`;
  const { path, offset } = expression;
  context.report(markPublic({ code: 'doubtful-type', message, path, offset, severity: 'warning' }));
}

const isBytes = (type: CelType): boolean => (type.kind === 'optional' ? isBytes(type.value) : type.kind === 'bytes');

/** kro wants bytes in such a field and cannot write them: its evaluation fails (kro: conversion.EnsureJSONSafe). */
function reportBytes(expression: CompiledExpression, context: TemplateContext): void {
  const { path, offset, source } = expression;
  const severity = context.strict ? 'error' : 'warning';
  const hint = (shown: string): string => `for kro, write dyn(base64.encode(${shown})), or fill stringData of a Secret`;
  const message = 'bytes are written as base64; kro cannot write them and fails';
  const problem: Problem = { code: 'bytes-value', message, path, offset, severity, hint: hint(source.trim()) };
  const withoutValues = { message, hint: hint('...') };
  context.report(isCode(expression) ? markPublic(problem) : { ...problem, withoutValues });
}

function checkFit(expression: CompiledExpression, expected: CelType, context: TemplateContext): void {
  const fault = mismatch(expression.type, expected);
  const reason = context.collection ? mismatchInCollection(expression.type, expected) : fault;
  if (reason === undefined) {
    const { type } = expression;
    if (fault !== undefined || hasNoFields(type, expected) || fillsListWithMap(type, expected))
      reportDoubt(expression, expected, context, fault);
    if (isBytes(expression.type) && isBytes(expected)) reportBytes(expression, context);
    return;
  }
  const message = `expected ${typeText(expected)}, got ${typeText(expression.type)}`;
  const whole = reason.startsWith('got ') ? message : `${message} (${reason})`;
  const { path, offset } = expression;
  const problem: Problem = { code: 'field-type', message: whole, withoutValues: { message: whole }, path, offset };
  const hint = conversionHint(expression.type, expected, expression.source.trim());
  const hinted = hint === undefined ? problem : { ...problem, hint };
  context.report(isCode(expression) ? markPublic(hinted) : hinted);
}

const isCode = ({ names, parsed }: CompiledExpression): boolean => names.length > 0 && spellsOutNothing(parsed.root);

function reportType(
  path: Path,
  wanted: readonly string[],
  actual: string,
  context: TemplateContext,
  text = '',
  braced?: string,
): void {
  const message = `expected ${wanted.join(' or ')}, got ${actual}`;
  const problem: Problem = { code: 'field-type', message, path };
  const hint = braced === undefined ? literalHint(wanted, actual, text) : dollarHint(braced);
  context.report(markPublic(hint === undefined ? problem : { ...problem, hint }));
}

function unknownField(path: Path, key: string, schema: Schema | undefined): Problem {
  const message = `the kind has no field '${formatPath([key])}' here`;
  const known = fieldHint('', schema);
  const withoutValues = { message: 'the kind has no such field here', ...(known === undefined ? {} : { hint: known }) };
  const problem: Problem = { code: 'unknown-template-field', message, withoutValues, path };
  const hint = fieldHint(key, schema);
  return hint === undefined ? problem : { ...problem, hint };
}
