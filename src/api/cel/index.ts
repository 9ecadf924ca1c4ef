/** The CEL engine, with JSON values. */

import {
  type CelType,
  check as checkTypes,
  createBudget,
  type Environment as Functions,
  formatType,
  type ParsedExpression,
  type Program as Planned,
  parse as parseText,
  plan,
  toJson,
} from '../../languages/cel/index.ts';
import { objectIn, optionsIn } from '../arguments.ts';
import { fromPlain, toPlain } from '../plain.ts';
import type { JsonValue } from '../types.ts';
import { type Dialect, type Environment, functionsIn } from './environment.ts';
import { type CelError, errorOfIssue, errorOfRun } from './errors.ts';
import { typeOfDeclaration, type Variables } from './types.ts';

export type { Expr, LibraryName, ParsedExpression } from '../../languages/cel/index.ts';
export type { JsonValue } from '../types.ts';
export type { Dialect, Environment, EnvironmentOptions } from './environment.ts';
export { createEnvironment, libraryNames } from './environment.ts';
export type { CelError, CelErrorReason } from './errors.ts';
export type { TypeDeclaration, Variables } from './types.ts';

interface Failure {
  readonly ok: false;
  readonly errors: readonly CelError[];
}

/** A failure has a single error: later errors would depend on the first syntax error. */
export type ParseResult = { readonly ok: true; readonly expression: ParsedExpression } | Failure;

/** The type as CEL writes it: `list(string)`, `map(string, dyn)`. */
export type CheckResult = { readonly ok: true; readonly type: string } | Failure;

export type CompileResult = { readonly ok: true; readonly program: Program } | Failure;

export type EvaluationResult = { readonly ok: true; readonly value: JsonValue } | Failure;

export interface CompileOptions {
  /** The variables that the expression may read, with their types. Default: none. */
  readonly variables?: Variables;
  /** The functions that it may call. Default: `kubernetes`. */
  readonly environment?: Dialect | Environment;
}

/**
 * The limits of one evaluation, which are the same on every machine. Exceeding one is an error with the reason
 * `budget`.
 */
export interface Limits {
  /** Calls and iterations. Default: 10000000. */
  readonly maxSteps?: number | undefined;
  /** List items that an expression creates; a map entry counts four, a character an eighth. Default: 3000000. */
  readonly maxSize?: number | undefined;
}

export interface EvaluateOptions extends CompileOptions, Limits {}

/** A checked expression that can be run any number of times. */
export interface Program {
  /** The type of its result, as CEL writes it. */
  readonly type: string;
  /**
   * Runs the program. Values and results are those of a Kubernetes object: integers as number or bigint, durations
   * (`1h30m`) and timestamps as strings, bytes as base64. A result that JSON cannot represent is an error. Reading a
   * variable without a value is an error with the reason `missing`.
   * @throws TypeError for a value that JSON cannot represent, with its path, and for a limit that is not a whole number
   * above 0
   */
  evaluate(values?: { readonly [name: string]: JsonValue }, limits?: Limits): EvaluationResult;
}

/**
 * Parses an expression. Macros are expanded, as in cel-go.
 * @throws TypeError for other values than strings
 */
export function parse(source: string): ParseResult {
  if (typeof source !== 'string') throw new TypeError('the expression must be a string, or what parse returned');
  const parsed = parseText(source);
  return parsed.ok ? parsed : { ok: false, errors: [errorOfIssue('syntax', parsed.issue)] };
}

/**
 * Returns the type of an expression, or all of its errors.
 * @throws TypeError for an unknown type or environment
 */
export function check(source: string | ParsedExpression, options: CompileOptions = {}): CheckResult {
  const result = checked(source, optionsIn(options, COMPILE_OPTIONS));
  return result.ok ? { ok: true, type: formatType(result.checked.type) } : result;
}

/**
 * Checks an expression and returns a program.
 * @throws TypeError for an unknown type or environment
 */
export function compile(source: string | ParsedExpression, options: CompileOptions = {}): CompileResult {
  const result = checked(source, optionsIn(options, COMPILE_OPTIONS));
  if (!result.ok) return result;
  const { functions, types } = result;
  const program = plan(functions, result.checked, [...types.keys()]);
  return { ok: true, program: programOf(program, result.checked.parsed, result.checked.type, [...types.keys()]) };
}

/**
 * Parses, checks and runs an expression. Variables without a declared type are `dyn`.
 * @throws TypeError as `compile` and `Program.evaluate` do
 */
export function evaluate(
  source: string | ParsedExpression,
  values: { readonly [name: string]: JsonValue } = {},
  options: EvaluateOptions = {},
): EvaluationResult {
  const { maxSteps, maxSize, ...ofCompile } = optionsIn(options, [...COMPILE_OPTIONS, ...LIMITS]);
  const given = Object.fromEntries(Object.keys(objectIn(values, 'values')).map((name) => [name, 'dyn']));
  const variables = { ...given, ...objectIn(ofCompile.variables ?? {}, 'variables') };
  const compiled = compile(source, { ...ofCompile, variables });
  return compiled.ok ? compiled.program.evaluate(values, { maxSteps, maxSize }) : compiled;
}

type Checked =
  | {
      readonly ok: true;
      readonly checked: (ReturnType<typeof checkTypes> & { ok: true })['checked'];
      readonly functions: Functions;
      readonly types: ReadonlyMap<string, CelType>;
    }
  | Failure;

function checked(
  source: string | ParsedExpression,
  { variables = {}, environment = 'kubernetes' }: CompileOptions,
): Checked {
  const functions = functionsIn(environment);
  const types = new Map(
    Object.entries(objectIn(variables, 'variables')).map(
      ([name, declared]) => [name, typeOfDeclaration(declared, name)] as const,
    ),
  );
  const parsed = isParsed(source) ? ({ ok: true, expression: source } as const) : parse(source);
  if (!parsed.ok) return parsed;
  const result = checkTypes(functions, parsed.expression, types);
  if (!result.ok) return { ok: false, errors: result.issues.map((issue) => errorOfIssue('type', issue)) };
  return { ok: true, checked: result.checked, functions, types };
}

const isParsed = (source: string | ParsedExpression): source is ParsedExpression =>
  typeof source === 'object' && source !== null && 'root' in source;

const COMPILE_OPTIONS: readonly string[] = ['variables', 'environment'] satisfies (keyof CompileOptions)[];
const LIMITS: readonly string[] = ['maxSteps', 'maxSize'] satisfies (keyof Limits)[];

function programOf(program: Planned, parsed: ParsedExpression, type: CelType, names: readonly string[]): Program {
  return {
    type: formatType(type),
    evaluate(values = {}, limits = {}) {
      const { maxSteps, maxSize } = optionsIn(limits, LIMITS, 'limits');
      objectIn(values, 'values');
      const given = names.map((name) =>
        Object.hasOwn(values, name) ? fromPlain(values[name] as JsonValue, [name]) : undefined,
      );
      const budget = createBudget({ ...limit('maxSteps', maxSteps), ...limit('maxSize', maxSize) });
      try {
        return { ok: true, value: toPlain(toJson(program.run(given, budget), type, budget)) };
      } catch (error) {
        return { ok: false, errors: [errorOfRun(error, parsed)] };
      }
    },
  };
}

function limit(name: keyof Limits, value: number | undefined): { [key in keyof Limits]?: number } {
  if (value === undefined) return {};
  if (Number.isSafeInteger(value) && value > 0) return { [name]: value };
  throw new TypeError(`${name} must be a whole number above 0`);
}
