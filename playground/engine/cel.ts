import { functionsIn } from '../../src/api/cel/environment.ts';
import { errorOfIssue, errorOfRun } from '../../src/api/cel/errors.ts';
import { createEnvironment, libraryNames } from '../../src/api/cel/index.ts';
import { toJson as jsonText } from '../../src/api/index.ts';
import { fromPlain, toPlain } from '../../src/api/plain.ts';
import type { JsonValue } from '../../src/api/types.ts';
import { check, createBudget, DYN, formatType, parse, plan, toJson } from '../../src/languages/cel/index.ts';
import { CEL_EXAMPLES, CEL_MACROS } from '../views/cel-examples.ts';
import { valueIn } from './package.ts';
import type { CelAnswer, CelFunction, CelQuestion } from './protocol.ts';

/** Checks and runs an expression with variables of YAML. */
export function celAnswer({ expression, variables, dialect }: CelQuestion): CelAnswer {
  let values: JsonValue;
  try {
    values = valueIn({ file: 'variables', text: variables }) ?? {};
  } catch (error) {
    return { faults: [{ reason: 'variables', message: (error as Error).message }] };
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    return { faults: [{ reason: 'variables', message: 'the variables must be a map of names' }] };
  }
  return evaluated(expression, Object.entries(values as { [name: string]: JsonValue }), dialect);
}

function evaluated(
  source: string,
  variables: readonly (readonly [string, JsonValue])[],
  dialect: CelQuestion['dialect'],
): CelAnswer {
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
    found.push({ name, library, example: CEL_EXAMPLES[name] ?? '' });
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
