import { formatPath, isMap, type Path, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import {
  type Budget,
  type CelType,
  type CelValue,
  EvaluationError,
  fixedFailure,
  isOmitted,
  type ParsedExpression,
  type Program,
  spendWritten,
  startRun,
  toJson,
} from '../../languages/cel/index.ts';

/** A checked expression, ready to run against the frame of its RGD. */
export interface CompiledExpression {
  /** The CEL text, without `${` and `}`. */
  source: string;
  /** Its location: the path of its scalar in the RGD object, and its UTF-16 offset in that scalar. */
  path: Path;
  offset: number;
  parsed: ParsedExpression;
  type: CelType;
  program: Program;
  /** It is known to write bytes, and that has been reported. */
  writesBytes?: true;
  /** Of a field of the status: runs it with what only a cluster adds to the objects that it reads. */
  inCluster?: Program;
  names: readonly string[];
  /** The nodes that it reads, with iterators resolved to the nodes of their lists. */
  nodes: readonly number[];
  /** It reads an iterator, so each item of the collection has its own value. */
  perItem: boolean;
}

export type TemplateField =
  | { kind: 'literal'; value: Value }
  | { kind: 'map'; entries: readonly (readonly [string, TemplateField])[] }
  | { kind: 'list'; items: readonly TemplateField[] }
  | {
      kind: 'computed';
      /** Texts and expressions, which are joined; or one expression, whose value is that of the field. */
      parts: readonly (string | CompiledExpression)[];
      isText: boolean;
      expected: CelType;
      /** A key above it that kro cannot resolve. */
      outOfReach: string | undefined;
    };

/**
 * Returns the key of a path that kro cannot resolve again: it parses the path `data["a.b"][0]`, and supports neither
 * brackets in plain keys nor quotes in quoted ones (kro: pkg/graph/fieldpath).
 */
export const keyOutOfReach = (path: Path): string | undefined =>
  path.find((step): step is string => typeof step === 'string' && isOutOfReach(step));

export const OUT_OF_REACH = `a key above an expression may have no '[', and no '"' beside a '.'`;

const isOutOfReach = (key: string): boolean => key.includes(key.includes('.') ? '"' : '[');

/** The cost of a part besides its own characters and its indentation: a dash or a colon, quotes, a line end. */
const PART = 16;

/** Returns the approximate literal characters of each object of a template, without the values of its expressions. */
export function literalSize(field: TemplateField, indent = 0): number {
  switch (field.kind) {
    case 'literal':
      return valueSize(field.value, indent);
    case 'map':
      return field.entries.reduce(
        (sum, [key, entry]) => sum + key.length + literalSize(entry, indent + 2),
        PART + indent,
      );
    case 'list':
      return field.items.reduce((sum, item) => sum + literalSize(item, indent + 2), PART + indent);
    case 'computed':
      if (!field.isText) return 0;
      return field.parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), PART + indent);
  }
}

function valueSize(value: Value, indent: number): number {
  const part = PART + indent;
  if (typeof value === 'string') return part + value.length;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + valueSize(item, indent + 2), part);
  if (!isMap(value)) return part;
  return Object.keys(value).reduce((sum, key) => sum + key.length + valueSize(value[key] as Value, indent + 2), part);
}

export interface Evaluation {
  frame: readonly (CelValue | undefined)[];
  budget: Budget;
  failures: EvaluationFailure[];
  /** Values of expressions that are the same for every item of a collection. */
  shared?: ReadonlyMap<CompiledExpression, CelValue>;
  /** Called for bytes that are written, which kro cannot write. */
  onBytes?(expression: CompiledExpression): void;
  /** A placeholder for a pending value, `undefined` if there is none. */
  standIn?(failed: EvaluationFailure): string | undefined;
}

export interface EvaluationFailure {
  expression: CompiledExpression;
  error: EvaluationError;
  /** The type of the field that the value is for. */
  expected: CelType;
  /** Whether a missing value is pending; by default if the expression reads a node. */
  waits?: boolean | undefined;
  /** The frame of the expression, if it is of an item of a collection. */
  frame?: Evaluation['frame'];
}

/** Returns the value of a template, which must not be changed; it is unusable if there are `evaluation.failures`. */
export type TemplateProgram = (evaluation: Evaluation) => Value;

/** Returns the value of a field, `undefined` if its expression omits it. */
type FieldProgram = (evaluation: Evaluation) => Value | undefined;

/** Converts a compiled template to closures, so that a run does not walk its literals. */
export function planTemplate(field: TemplateField): TemplateProgram {
  // A template is a map, which nothing omits.
  return planPart(field) as TemplateProgram;
}

function planPart(field: TemplateField): FieldProgram {
  switch (field.kind) {
    case 'literal': {
      const { value } = field;
      return () => value;
    }
    case 'list': {
      const items = field.items.map(planPart);
      return (evaluation) => items.map((item) => item(evaluation)).filter((item) => item !== undefined);
    }
    case 'map':
      return planMap(field.entries);
    case 'computed':
      return planField(field);
  }
}

/** kro evaluates a field that it cannot resolve, and then fails to write it. */
function planField({ parts, isText, expected, outOfReach }: TemplateField & { kind: 'computed' }): FieldProgram {
  const expression = parts.find((part) => typeof part !== 'string') as CompiledExpression;
  const program: FieldProgram = isText ? planText(parts, expected) : planValue(expression, expected);
  if (outOfReach === undefined) return program;
  const message = `kro cannot fill the field: it does not find the key ${formatPath([outOfReach])} again (${OUT_OF_REACH})`;
  return (evaluation) => {
    const before = evaluation.failures.length;
    const value = program(evaluation);
    if (evaluation.failures.length === before)
      evaluation.failures.push({ expression, error: fixedFailure(message), expected });
    return value;
  };
}

/** A run copies the constant part, all keys in their order, and fills in the rest. */
function planMap(entries: readonly (readonly [string, TemplateField])[]): FieldProgram {
  const constant: ValueMap = {};
  for (const [key, field] of entries) setKey(constant, key, field.kind === 'literal' ? field.value : null);
  const varying = entries
    .filter(([, field]) => field.kind !== 'literal')
    .map(([key, field]) => ({ key, program: planPart(field) }));
  return (evaluation) => {
    const map = { ...constant };
    for (const { key, program } of varying) {
      const value = program(evaluation);
      if (value === undefined) delete map[key];
      else setKey(map, key, value);
    }
    return map;
  };
}

function planValue(expression: CompiledExpression, expected: CelType): FieldProgram {
  if (!MAY_HOLD_BYTES.has(expected.kind)) return (evaluation) => evaluate(expression, expected, evaluation, fieldValue);
  return (evaluation) => {
    const onBytes = (): void => evaluation.onBytes?.(expression);
    return evaluate(expression, expected, evaluation, (value, type, budget) =>
      isOmitted(value) ? undefined : toJson(value, type, budget, onBytes),
    );
  };
}

const MAY_HOLD_BYTES: ReadonlySet<CelType['kind']> = new Set(['bytes', 'list', 'map', 'object', 'optional']);

const fieldValue = (value: CelValue, expected: CelType, budget: Budget): Value | undefined =>
  isOmitted(value) ? undefined : toJson(value, expected, budget);

function planText(parts: readonly (string | CompiledExpression)[], expected: CelType): TemplateProgram {
  return (evaluation) => {
    let text = '';
    for (const part of parts) {
      text += typeof part === 'string' ? part : evaluate(part, expected, evaluation, asText);
    }
    return text;
  };
}

function asText(value: CelValue, _expected: CelType, budget: Budget): string {
  if (typeof value !== 'string') throw fixedFailure('no such overload: only a string can be joined to a string');
  spendWritten(budget, value.length);
  return value;
}

function evaluate<T extends Value | undefined>(
  expression: CompiledExpression,
  expected: CelType,
  evaluation: Evaluation,
  convert: (value: CelValue, expected: CelType, budget: Budget) => T,
): T | string | null {
  const { frame, budget } = evaluation;
  try {
    const shared = evaluation.shared?.get(expression);
    if (shared === undefined) return convert(expression.program.run(frame, budget), expected, budget);
    // It is evaluated once and written as often as there are items.
    startRun(budget);
    return convert(shared, expected, budget);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const failed = { expression, error, expected };
    const standIn = evaluation.standIn?.(failed);
    if (standIn !== undefined) return standIn;
    evaluation.failures.push(failed);
    return null;
  }
}
