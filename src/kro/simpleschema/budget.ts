import { type Problem, phrase, shown } from '../../core/diagnostics/index.ts';
import {
  extentOf,
  type KnownExtents,
  MAX_PATTERNS,
  MAX_SCHEMA_CHARACTERS,
  MAX_SCHEMA_DEPTH,
  type Schema,
} from '../../kubernetes/schema/index.ts';
import { type Allowance, allowance } from '../../kubernetes/validation/index.ts';
import type { MarkerProblem } from './marker-problem.ts';

/** What the schema of one RGD may take, all its types together. */
export interface SchemaBudget {
  /** Why a schema is too large to be written out, `undefined` when it is not. */
  faultOf(schema: Schema): MarkerProblem | undefined;
  /** The values that checking all defaults may look at. */
  values: Allowance;
  /** Defaults that are no JSON. A type that nobody uses never reaches an API server, so only a field that uses it counts. */
  unreadDefaults: WeakMap<Schema, Problem>;
  /** Defaults that do not fit their schema, likewise. */
  wrongDefaults: WeakMap<Schema, Problem>;
  /** The unknown types that may still get a hint: for each of them all names are looked through. */
  hints: number;
  /** What patterns may still take, counted repetitions written out. */
  patterns: number;
}

export function createSchemaBudget(): SchemaBudget {
  const known: KnownExtents = new WeakMap();
  return {
    values: allowance(MAX_DEFAULTED),
    hints: MAX_HINTS,
    patterns: MAX_PATTERNS,
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

/** As many as errors are shown. */
const MAX_HINTS = 1000;

/** As many as an instance may have. */
const MAX_DEFAULTED = 500_000;

export const tooManyPatterns: MarkerProblem = {
  code: 'schema-too-large',
  message: phrase`the patterns of the RGD are too large: with counted repetitions written out they take more than ${shown(MAX_PATTERNS)} characters`,
  hint: phrase`say a length with minLength and maxLength in place of counted repetitions`,
};

const tooLarge = (reason: string): MarkerProblem => ({
  code: 'schema-too-large',
  message: phrase`the schema is too large: ${reason}`,
  hint: phrase`types that use each other several times double at every step: use the type object for what is below`,
});
