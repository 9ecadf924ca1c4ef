import { functionsIn } from '../../src/api/cel/environment.ts';
import type { JsonValue } from '../../src/api/types.ts';
import { declaredType } from '../../src/kro/compile/declared-type.ts';
import type { Schema } from '../../src/kubernetes/schema/index.ts';
import { completeExpression } from '../../src/language-server/cel/complete.ts';
import { nameAt, namesIn } from '../../src/language-server/cel/names.ts';
import { functionNamed, MACROS, signatureOf, typeText } from '../../src/language-server/cel/types.ts';
import { type CelType, DYN, inspect, parseRecovering } from '../../src/languages/cel/index.ts';
import type { Variables } from './cel-steps.ts';
import type { Completions } from './protocol.ts';

/** Returns the types of variables, by their values. */
export const typesOf = (variables: Variables): Map<string, CelType> =>
  new Map(variables.map(([name, value]) => [name, declaredType(schemaOf(value), name) ?? DYN]));

function schemaOf(value: JsonValue | undefined): Schema {
  if (value === null || value === undefined) return {};
  if (Array.isArray(value)) return { type: 'array', items: schemaOf(value[0]) };
  if (typeof value === 'object') {
    const properties = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, schemaOf(one)]));
    return { type: 'object', properties };
  }
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  return { type: typeof value as 'string' | 'boolean' };
}

/** Returns completions at an offset of an expression. */
export function completionsIn(source: string, at: number, variables: Variables): Completions {
  const names = typesOf(variables);
  const parsed = parseRecovering(source);
  const inspected = parsed && inspect(functionsIn('kro'), parsed, names);
  const found = completeExpression({ inspected: () => inspected, names: () => names, forbidden: new Map() }, at);
  if (found === undefined) return { from: at, items: [] };
  const items = found.proposals.map(({ label, kind, text, isSnippet, detail, about, rank }) => {
    return { label, kind, text, isSnippet, detail, rank, ...(about === undefined ? {} : { about }) };
  });
  return { from: found.start, items };
}

/** Returns the signature of the function, or the type of the name, at an offset. */
export function explanationIn(source: string, at: number, variables: Variables): string | undefined {
  const parsed = parseRecovering(source);
  const inspected = parsed && inspect(functionsIn('kro'), parsed, typesOf(variables));
  const name = inspected && nameAt(namesIn(inspected), at);
  if (inspected === undefined || name === undefined) return undefined;
  if (name.role !== 'function' && name.role !== 'method') return `${name.name}: ${typeText(name.type)}`;
  const macro = MACROS.find((one) => one.name === name.name);
  if (macro !== undefined) return `${macro.signature}\n${macro.about}`;
  const call = inspected.calls.get(name.expr.id);
  const overloads = call?.overloads.length ? call.overloads : functionNamed(call?.name ?? name.name);
  return overloads.map(signatureOf).join('\n') || undefined;
}
