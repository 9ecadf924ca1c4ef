import type { Value } from '../../../src/core/model/value.ts';
import {
  check,
  createBudget,
  createEnvironment,
  type Environment,
  kroEnvironment,
  parse,
  plan,
  toJson,
} from '../../../src/languages/cel/index.ts';
import type { CelType } from '../../../src/languages/cel/types.ts';
import { type CelValue, EvaluationError } from '../../../src/languages/cel/value/values.ts';

export const standardEnvironment: Environment = createEnvironment([], { typeNames: true });

/** The environment of an evaluation. */
export interface Setting {
  env?: Environment;
  types?: Readonly<Record<string, CelType>>;
  values?: Readonly<Record<string, CelValue>>;
}

/** Returns the value of an expression, or the text of the error: `syntax: ...`, `check: ...`, `missing: ...`. */
export function evaluate(source: string, setting: Setting = {}): CelValue {
  const env = setting.env ?? kroEnvironment();
  const parsed = parse(source);
  if (!parsed.ok) return `syntax: ${parsed.issue.message}`;
  const types = new Map(Object.entries(setting.types ?? {}));
  const checked = check(env, parsed.expression, types);
  if (!checked.ok) return `check: ${checked.issues.map(({ message }) => message).join('; ')}`;
  const names = [...types.keys()];
  try {
    const program = plan(env, checked.checked, names);
    return program.run(
      names.map((name) => setting.values?.[name]),
      createBudget(),
    );
  } catch (error) {
    if (error instanceof EvaluationError) return `${error.kind}: ${error.message}`;
    throw error;
  }
}

/** The same as JSON. */
export function json(source: string, setting: Setting = {}): Value {
  try {
    return toJson(evaluate(source, setting));
  } catch (error) {
    if (error instanceof EvaluationError) return `${error.kind}: ${error.message}`;
    throw error;
  }
}
