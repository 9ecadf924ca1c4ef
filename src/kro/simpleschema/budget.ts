import { type Problem, phrase, shown } from '../../core/diagnostics/index.ts';
import {
  type Allowance,
  allowance,
  MAX_PATTERNS,
  MAX_SCHEMA_CHARACTERS,
  MAX_SCHEMA_DEPTH,
  MAX_VALUES,
} from '../../core/model/limits.ts';
import { extentOf, type KnownExtents, type Schema } from '../../kubernetes/schema/index.ts';

/** An error in the text of one field, or of one of its markers. `offset` counts UTF-16 units from its start. */
export type FieldProblem = Omit<Problem, 'path'>;

export type ReportFieldProblem = (fault: FieldProblem) => void;

/** The budget of the schema of one RGD, for all its types together. */
export interface SchemaBudget {
  /** The remaining values for checking defaults. */
  values: Allowance;
  /** The remaining hints for unknown types: each compares all names. */
  hints: Allowance;
  /** The remaining size of patterns, with counted repetitions expanded. */
  patterns: Allowance;
  /** Defaults that are not JSON: errors only if a field uses the type. */
  unreadDefaults: WeakMap<Schema, Problem>;
  /** Defaults that do not match their schema: errors only if a field uses the type. */
  wrongDefaults: WeakMap<Schema, Problem>;
  /** Returns why a schema is too large, `undefined` if it is not. */
  faultOf(schema: Schema): FieldProblem | undefined;
}

export function createSchemaBudget(): SchemaBudget {
  const known: KnownExtents = new WeakMap();
  return {
    values: allowance(MAX_VALUES),
    hints: allowance(MAX_HINTS),
    patterns: allowance(MAX_PATTERNS),
    unreadDefaults: new WeakMap(),
    wrongDefaults: new WeakMap(),
    faultOf(schema) {
      const { characters, depth } = extentOf(schema, known);
      if (depth > MAX_SCHEMA_DEPTH) return tooLarge(`it is nested more than ${MAX_SCHEMA_DEPTH} deep`);
      if (characters <= MAX_SCHEMA_CHARACTERS) return undefined;
      return tooLarge(
        `written out it takes more than ${MAX_SCHEMA_CHARACTERS} characters, which is more than etcd holds`,
      );
    },
  };
}

const MAX_HINTS = 1000;

export const tooManyPatterns: FieldProblem = {
  code: 'schema-too-large',
  message: phrase`the patterns of the RGD are too large: with counted repetitions written out they take more than ${{ limit: shown(MAX_PATTERNS) }} characters`,
  hint: phrase`say a length with minLength and maxLength in place of counted repetitions`,
};

const tooLarge = (reason: string): FieldProblem => ({
  code: 'schema-too-large',
  message: phrase`the schema is too large: ${reason}`,
  hint: phrase`types that use each other several times double at every step: use the type object for what is below`,
});
