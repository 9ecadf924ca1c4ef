import { functionsIn } from '../../src/api/cel/environment.ts';
import { errorOfIssue, errorOfRun } from '../../src/api/cel/errors.ts';
import { createEnvironment, libraryNames } from '../../src/api/cel/index.ts';
import { toJson as jsonText } from '../../src/api/index.ts';
import { fromPlain, toPlain } from '../../src/api/plain.ts';
import type { JsonValue } from '../../src/api/types.ts';
import { ownValue } from '../../src/core/model/value.ts';
import { check, createBudget, DYN, formatType, inspect, parse, plan, toJson } from '../../src/languages/cel/index.ts';
import { CEL_EXAMPLES, CEL_MACROS } from '../views/cel-examples.ts';
import { completionsIn, explanationIn, typesOf } from './cel-assist.ts';
import { stepsOf, type Variables } from './cel-steps.ts';
import { valueIn } from './package.ts';
import type { CelAnswer, CelFunction, CelQuestion, Completions } from './protocol.ts';

/** Checks and runs an expression with variables of YAML. */
export function celAnswer({ expression, variables, dialect }: CelQuestion): CelAnswer {
  const values = variablesIn(variables);
  if ('fault' in values) return { faults: [{ reason: 'variables', message: values.fault }] };
  const found = evaluated(expression, values.list, dialect);
  const parsed = parse(expression);
  if (!parsed.ok || found.type === undefined) return found;
  const inspected = inspect(functionsIn(dialect), parsed.expression, typesOf(values.list));
  const steps = stepsOf(inspected, values.list, (source, scope) => {
    const { value, faults } = evaluated(source, scope, dialect);
    return value === undefined ? { fault: faults[0]?.message ?? '' } : { value };
  });
  return { ...found, steps };
}

/** Returns completions in an expression. */
export const celCompletions = ({ expression, variables }: CelQuestion, at: number): Completions => {
  const values = variablesIn(variables);
  return completionsIn(expression, at, 'fault' in values ? [] : values.list);
};

/** Returns a description of the name at an offset of an expression. */
export const celExplanation = ({ expression, variables }: CelQuestion, at: number): string | undefined => {
  const values = variablesIn(variables);
  return explanationIn(expression, at, 'fault' in values ? [] : values.list);
};

function variablesIn(text: string): { readonly list: Variables } | { readonly fault: string } {
  let values: JsonValue;
  try {
    values = valueIn({ file: 'variables', text }) ?? {};
  } catch (error) {
    return { fault: (error as Error).message };
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    return { fault: 'the variables must be a map of names' };
  return { list: Object.entries(values as { [name: string]: JsonValue }) };
}

function evaluated(source: string, variables: Variables, dialect: CelQuestion['dialect']): CelAnswer {
  const functions = functionsIn(dialect);
  const parsed = parse(source);
  if (!parsed.ok) return { faults: [errorOfIssue('syntax', parsed.issue)] };
  const checked = check(functions, parsed.expression, new Map(variables.map(([name]) => [name, DYN])));
  if (!checked.ok) return { faults: checked.issues.map((issue) => errorOfIssue('type', issue)) };
  const { type } = checked.checked;
  const program = plan(
    functions,
    checked.checked,
    variables.map(([name]) => name),
  );
  const budget = createBudget();
  try {
    const given = variables.map(([name, value]) => fromPlain(value, [name]));
    const value = jsonText(toPlain(toJson(program.run(given, budget), type, budget)));
    return { type: formatType(type), value, cost: { steps: budget.steps, size: budget.size }, faults: [] };
  } catch (error) {
    const cost = { steps: budget.steps, size: budget.size };
    return { type: formatType(type), cost, faults: [errorOfRun(error, parsed.expression)] };
  }
}

/** Returns every function and macro of expressions, with its library and an example. */
export function celFunctions(): CelFunction[] {
  const standard = createEnvironment().functionNames;
  const own = new Set(standard);
  const found = Object.keys(CEL_MACROS).map((name) => ({ name, library: 'macro', example: CEL_MACROS[name] ?? '' }));
  const add = (name: string, library: string): number =>
    found.push({ name, library, example: ownValue(CEL_EXAMPLES, name) ?? '' });
  for (const name of standard) add(name, 'CEL');
  for (const library of libraryNames) {
    for (const name of createEnvironment({ libraries: [library] }).functionNames)
      if (!own.has(name)) add(name, library);
  }
  return found
    .filter(({ name }) => !name.includes('@'))
    .map((one) => ({ ...one, dialect: dialectOf(one.example), result: resultOf(one.example) }));
}

/** Some functions exist only in validation rules. */
const dialectOf = (example: string): CelQuestion['dialect'] =>
  evaluated(example, [], 'kro').value === undefined ? 'kubernetes' : 'kro';

function resultOf(example: string): string {
  const { value, faults } = evaluated(example, [], dialectOf(example));
  return value ?? faults[0]?.message ?? '';
}
