import {
  type Hint,
  hint,
  hintMessage,
  type Message,
  type Problem,
  phrase,
  quote,
  shown,
  shownHint,
} from '../../core/diagnostics/index.ts';
import { formatPath, isMap, ownValue, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import { memberSchema, type Schema } from '../../kubernetes/schema/index.ts';
import { type CelType, DYN, escapedFieldName, STRING } from '../../languages/cel/index.ts';
import { bracedExpression, dollarHint } from '../definition/index.ts';
import { declaredType, fillsListWithMap, hasNoFields, mismatch, typeText } from './declared-type.ts';
import { compileExpression, type Scope } from './expression.ts';
import {
  conversionHint,
  expectedTypes,
  fieldHint,
  fieldSchema,
  fits,
  hintForText,
  isOpen,
  literalHint,
  sourceOf,
  typeNameOf,
} from './fields.ts';
import { isExpression, scan } from './scan.ts';
import { type CompiledExpression, keyOutOfReach, type TemplateField } from './template-program.ts';

/** A position in a template with its schema, `undefined` if anything is allowed. */
export interface TypedField {
  path: Path;
  schema: Schema | undefined;
  /** The schema of expressions, also below a field that keeps unknown fields (kro: builder.go expectedTypeForField). */
  fit?: Schema | undefined;
  /** The type name of an object at this position, for example `__type_web.spec`. */
  typeName: string;
  /** kro does not find the type of this name, and compares no fields with it (resolveDeclTypeFromPath). */
  isNameless?: boolean | undefined;
}

export interface TemplateContext {
  scope: Scope;
  /** Called with every expression and the path of its field inside the template. */
  onExpression?(expression: CompiledExpression, path: Path): void;
  collection?: boolean;
  /** The number of steps to the template in the paths of its fields. */
  root: number;
}

/** Compiles a template and checks it against the schema of its kind (kro: pkg/graph/parser/parser.go). */
export function compileTemplate(value: Value, place: TypedField, context: TemplateContext): TemplateField {
  const schema = isOpen(place.schema) ? undefined : place.schema;
  const here: TypedField = { ...place, schema, fit: fitOf(place) };
  if (typeof value === 'string') return compileString(value, place, context);
  const wanted = schema && expectedTypes(schema);
  const actual = typeNameOf(value);
  if (wanted !== undefined && value !== null && !fits(actual, wanted, schema)) {
    const braced = bracedExpression(value);
    const given = braced === undefined ? literalHint(wanted, actual, '') : hint(dollarHint(braced));
    context.scope.report(typeProblem(place.path, wanted, actual, given));
    return { kind: 'literal', value };
  }
  if (Array.isArray(value)) return compileList(value, here, context);
  if (isMap(value)) return compileMap(value, here, context);
  return { kind: 'literal', value };
}

function compileList(value: Value[], place: TypedField, context: TemplateContext): TemplateField {
  const schema = place.schema?.items;
  const fit = place.fit?.items;
  const typeName = `${place.typeName}.@idx`;
  const { isNameless } = place;
  const items = value.map((item, index) =>
    compileTemplate(item, { path: [...place.path, index], schema, fit, typeName, isNameless }, context),
  );
  if (items.every((item) => item.kind === 'literal')) return { kind: 'literal', value };
  return { kind: 'list', items };
}

function compileMap(value: ValueMap, place: TypedField, context: TemplateContext): TemplateField {
  const { scope } = context;
  const entries: (readonly [string, TemplateField])[] = [];
  for (const key of Object.keys(value)) {
    const path = [...place.path, key];
    const field = fieldSchema(place.schema, key);
    if (field === 'unknown') {
      scope.report(unknownField(path, key, scope.limitReached() ? undefined : place.schema));
      continue;
    }
    const next: TypedField = {
      path,
      schema: field,
      // kro ignores an empty key when it looks for the type of a field (resolveSchemaAndTypeName), and any other value
      // is allowed (kro: lookupSchemaAtField).
      fit: key === '' ? place.fit : memberSchema(place.fit, key),
      typeName: key === '' ? place.typeName : `${place.typeName}.${key}`,
      isNameless: place.isNameless === true || isWithoutName(key, fitOf(place)),
    };
    entries.push([key, compileTemplate(value[key] as Value, next, context)]);
  }
  if (entries.every(([, field]) => field.kind === 'literal')) return { kind: 'literal', value };
  return { kind: 'map', entries };
}

/**
 * Reports whether kro finds no type at a key: it looks for a field of this name, which has another one in CEL (`in`,
 * `a-b`, `x.y`), or which is the key of a map.
 */
function isWithoutName(key: string, schema: Schema | undefined): boolean {
  if (key === '' || schema === undefined) return false;
  return escapedFieldName(key) !== key || ownValue(schema.properties, key) === undefined;
}

const fitOf = ({ schema, fit }: TypedField): Schema | undefined => fit ?? schema;

const UNCLOSED = phrase`close it with }, quotes inside it included; to keep the text, write it as \${"\${...}"}`;

function compileString(text: string, place: TypedField, context: TemplateContext): TemplateField {
  const { scope, root } = context;
  const inside = place.path.slice(root);
  const scanned = scan(text);
  if (!scanned.ok) {
    const message = phrase`an expression is opened inside an expression: '\${' is only text inside a string literal`;
    const hint = phrase`join the parts with +: \${"a-" + NAME}`;
    scope.report({ code: 'nested-expression', message, path: place.path, offset: scanned.offset, hint });
    return { kind: 'literal', value: text };
  }
  if (scanned.unclosed !== undefined) {
    const message = phrase`unclosed '\${' is kept as text; kro 0.10 rejects it`;
    scope.report({
      code: 'unclosed-expression',
      message,
      path: place.path,
      offset: scanned.unclosed,
      severity: scope.isClosed ? 'error' : 'warning',
      hint: UNCLOSED,
    });
  }
  const wanted = place.schema && expectedTypes(place.schema);
  if (!scanned.standalone && wanted !== undefined && !fits('string', wanted, place.schema)) {
    scope.report(typeProblem(place.path, wanted, 'string', literalHint(wanted, 'string', text)));
    return { kind: 'literal', value: text };
  }
  if (!scanned.parts.some(isExpression)) return { kind: 'literal', value: text };
  const fit = fitOf(place);
  const expected = (fit && declaredType(fit, place.typeName)) ?? DYN;
  const parts = scanned.parts.map((part) => {
    if (!isExpression(part)) return part.text;
    const site = { source: part.source, path: place.path, offset: part.start };
    const wholeValue = scanned.standalone ? place.schema : undefined;
    const compiled = compileExpression(site, scope, wholeValue);
    if (compiled !== undefined) context.onExpression?.(compiled, inside);
    return compiled;
  });
  if (parts.some((part) => part === undefined)) return { kind: 'literal', value: text };
  const texts = parts as (string | CompiledExpression)[];
  const [only] = texts;
  const isText = !scanned.standalone || typeof only !== 'object';
  if (isText) checkText(texts, expected, place.path, scope);
  else checkFit(only, expected, context, place.isNameless === true);
  return { kind: 'computed', parts: texts, isText, expected, outOfReach: keyOutOfReach(inside) };
}

/** A string with an expression and other text is a concatenation: every part must be a string. */
function checkText(
  parts: readonly (string | CompiledExpression)[],
  expected: CelType,
  path: Path,
  { report }: Scope,
): void {
  for (const part of parts) {
    if (typeof part === 'string' || part.type.kind === 'string' || part.type.kind === 'dyn') continue;
    const message = phrase`an expression inside a longer string must be a string, got ${{ got: shown(typeText(part.type)) }}`;
    const { path: at, offset } = part;
    report({ code: 'text-part-type', message, path: at, offset, hint: hintForText(part, parts) });
  }
  const reason = mismatch(STRING, expected);
  if (reason !== undefined) {
    const message = phrase`a string with expressions does not fit here: ${{ reason: shown(reason) }}`;
    report({ code: 'field-type', message, path });
  }
}

/** Warns of values that kro accepts and Kubernetes rejects. */
function reportKept(
  expression: CompiledExpression,
  expected: CelType,
  { report }: Scope,
  reason: string | undefined,
): void {
  const wanted = shown(typeText(expected));
  const actual = shown(typeText(expression.type));
  const types = phrase`the type of the field is ${{ expected: wanted }}, and that of the expression is ${{ got: actual }}`;
  const message = reason === undefined ? types : phrase`${types} (${{ reason: shown(reason) }})`;
  const { path, offset } = expression;
  report({ code: 'doubtful-type', message, path, offset, severity: 'warning' });
}

const isBytes = (type: CelType): boolean => (type.kind === 'optional' ? isBytes(type.value) : type.kind === 'bytes');

/** kro requires bytes in such a field and cannot write them: its evaluation fails (kro: conversion.EnsureJSONSafe). */
export function bytesProblem({ path, offset }: CompiledExpression, strict: boolean, hint?: Message): Problem {
  const severity = strict ? 'error' : 'warning';
  const message = phrase`bytes are written as base64; kro cannot write them and fails`;
  return { code: 'bytes-value', message, path, offset, severity, hint };
}

function reportBytes(expression: CompiledExpression, { strict, report }: Scope): void {
  expression.writesBytes = true;
  const hint = phrase`for kro, write dyn(base64.encode(${sourceOf(expression)})), or fill stringData of a Secret`;
  report(bytesProblem(expression, strict, hint));
}

function checkFit(
  expression: CompiledExpression,
  expected: CelType,
  { scope, collection }: TemplateContext,
  isNameless: boolean,
): void {
  const fault = mismatch(expression.type, expected);
  const reason = collection || isNameless ? mismatch(expression.type, expected, true) : fault;
  if (reason === undefined) {
    const { type } = expression;
    if (fault !== undefined || hasNoFields(type, expected) || fillsListWithMap(type, expected))
      reportKept(expression, expected, scope, fault);
    if (isBytes(expression.type) && isBytes(expected)) reportBytes(expression, scope);
    return;
  }
  const types = phrase`expected ${{ expected: shown(typeText(expected)) }}, got ${{ got: shown(typeText(expression.type)) }}`;
  const message = reason.startsWith('got ') ? types : phrase`${types} (${{ reason: shown(reason) }})`;
  const { path, offset } = expression;
  scope.report({ code: 'field-type', message, path, offset, hint: conversionHint(expression, expected) });
}

/** The problem of a literal of a wrong type. `hint` is made of words of the program and of names. */
function typeProblem(path: Path, wanted: readonly string[], actual: string, given: Hint | undefined): Problem {
  const message = phrase`expected ${{ expected: shown(wanted.join(' or ')) }}, got ${{ got: shown(actual) }}`;
  return { code: 'field-type', message, path, hint: shownHint(given) };
}

function unknownField(path: Path, key: string, schema: Schema | undefined): Problem {
  const message = phrase`the kind has no ${quote(`field '${formatPath([key])}'`, 'such field')} here`;
  const given = fieldHint(key, schema);
  const known = fieldHint('', schema)?.text;
  const quoted = given && hintMessage(given, (text) => (known === undefined ? phrase`${text}` : quote(text, known)));
  return { code: 'unknown-template-field', message, path, hint: quoted };
}
