import type { Draw } from './draw.ts';
import { expressionOf, type Variable } from './expressions.ts';
import { scopeOf, sometimes } from './fields.ts';
import { type Field, isMapType, type Json, type JsonMap, sameType, type Type } from './types.ts';

/** A node whose values a status may read. */
export interface StatusNode {
  id: string;
  variable: Variable;
  collection: boolean;
}

export interface DrawnStatus {
  status: JsonMap;
  /** The types of its fields, for readers of the instance. */
  fields: Record<string, Field>;
}

interface Around {
  draw: Draw;
  nodes: readonly StatusNode[];
  variables: readonly Variable[];
}

/** `state` and `conditions` are kro's own. */
const NAMES = ['ready', 'summary', 'count', 'list', 'grid', 'box', 'rows'];

/** Returns the status of an RGD: values, texts, lists and maps of them, literals, and fields of kro's own. */
export function statusOf(draw: Draw, schema: Variable, nodes: readonly StatusNode[]): DrawnStatus {
  const own = nodes.map(({ variable }) => variable);
  const { variables } = scopeOf([...own, ...(nodes.length === 0 || draw.chance(10) ? [schema] : [])]);
  const around = { draw, nodes, variables };
  const status: JsonMap = {};
  const fields: Record<string, Field> = {};
  const names = NAMES.filter(() => draw.chance(35));
  for (const name of names.length === 0 ? ['ready'] : names) {
    const { value, type } = statusValue(around, 2);
    status[name] = value;
    if (type !== undefined) fields[name] = sometimes(type);
  }
  if (draw.chance(5)) {
    status.state = statusValue(around, 1).value;
    fields.state = sometimes('string');
  }
  if (draw.chance(6)) status.conditions = draw.times(1, 2, (index) => conditionOf(around, index));
  return { status, fields };
}

interface StatusValue {
  value: Json;
  /** Undefined for a value without a field in the CRD. */
  type: Type | undefined;
}

const LEAVES: readonly Type[] = [
  'string',
  'string',
  'int',
  'bool',
  'double',
  { list: 'string' },
  { list: 'int' },
  { map: 'string' },
];

function statusValue(around: Around, depth: number): StatusValue {
  const { draw } = around;
  const roll = draw.int(1, 100);
  if (depth === 0 || roll <= 55) return leafOf(around, draw.pick(LEAVES));
  if (roll <= 59) return { value: draw.pick<() => Json>([() => [], () => ({}), () => [[]]])(), type: undefined };
  if (roll <= 73) {
    const type = draw.pick(LEAVES);
    return { value: draw.times(1, 4, () => leafOf(around, type).value), type: { list: type } };
  }
  if (roll <= 80) {
    const type = draw.pick<Type>(['string', 'int']);
    const row = (): Json => draw.times(draw.chance(10) ? 0 : 1, 2, () => leafOf(around, type).value);
    return { value: draw.times(1, 3, row), type: { list: { list: type } } };
  }
  const made = ['a', 'b', 'c'].slice(0, draw.int(1, 3)).map((name) => [name, statusValue(around, depth - 1)] as const);
  const fields = Object.fromEntries(
    made.flatMap(([name, { type }]) => (type ? [[name, sometimes(type)] as const] : [])),
  );
  const map = (): Json => Object.fromEntries(made.map(([name, { value }]) => [name, value]));
  if (roll <= 92) return { value: map(), type: { fields } };
  // The same fields of the same types: kro takes the schema of any element, by chance.
  const again = (): Json => Object.fromEntries(made.map(([name, one]) => [name, likeOf(around, one)]));
  return { value: [map(), ...draw.times(0, 2, again)], type: { list: { fields } } };
}

/** Returns an expression, or a text with one: now and then one that waits, has no value, or is a whole node. */
function leafOf(around: Around, type: Type): StatusValue {
  const { draw, nodes } = around;
  if (nodes.length === 0) {
    const expression = expressionOf(draw, { variables: around.variables, nested: 0 }, type, 1);
    return { value: `\${schema.metadata.name == "" ? ${expression} : ${expression}}`, type };
  }
  const waits = around.variables.filter(
    (one) => one.optional && sameType(one.type, type) && !one.path.startsWith('schema'),
  );
  if (waits.length > 0 && draw.chance(25)) return { value: `\${${draw.pick(waits).path}}`, type };
  const named = draw.pick(nodes);
  if (draw.chance(1.5)) return { value: `\${${named.id}}`, type: 'dyn' };
  if (draw.chance(3)) return { value: `\${${mentioning(named)} ? dyn(null) : dyn(null)}`, type: 'dyn' };
  if (draw.chance(3) && isMapType(named.variable.type)) return { value: `\${${named.id}[?"none"]}`, type };
  const expression = expressionOf(draw, { variables: around.variables, nested: 0 }, type, 2);
  if (type === 'string' && draw.chance(15))
    return { value: `${named.id}: \${${mentioning(named)} ? ${expression} : ${expression}}`, type };
  if (draw.chance(1)) return { value: `\${${expression}}`, type };
  return { value: `\${${mentioning(named)} ? ${expression} : ${expression}}`, type };
}

const mentioning = ({ id, collection }: StatusNode): string =>
  collection ? `size(${id}) >= 0` : `${id}.metadata.name != ""`;

/** Returns a condition of an author; a few are invalid. */
function conditionOf({ draw, nodes, variables }: Around, index: number): Json {
  const isTrue = expressionOf(draw, { variables, nested: 0 }, 'bool', 1);
  const type = draw.chance(90) ? `"Own${index}"` : '"Ready"';
  const one = (name: string, status: string): string =>
    `runtime.newCondition({type: ${name}, status: ${status}, reason: "Drawn", message: ""})`;
  const status = draw.chance(85)
    ? `${isTrue} ? "True" : "False"`
    : `runtime.condition(schema, ${draw.pick(['"Ready"', '"ResourcesReady"', '"Strange"'])}).status`;
  const list = nodes.find(({ collection }) => collection);
  if (list !== undefined && draw.chance(50))
    return `\${${list.id}.map(one, ${one('"Of-" + one.metadata.name', '"True"')})}`;
  return `\${${one(type, status)}}`;
}

/** Returns a value like another one: other expressions of the same types. */
function likeOf(around: Around, { value, type }: StatusValue): Json {
  if (Array.isArray(value) || (typeof value === 'object' && value !== null) || type === undefined) return value;
  return type === 'dyn' ? value : leafOf(around, type).value;
}
