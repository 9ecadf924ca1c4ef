import type { JsonValue as Plain } from '../../../src/api/index.ts';
import type { Draw } from '../draw.ts';
import type { JsonSchema } from './schemas.ts';

const OLD = [
  '!oldSelf.hasValue()',
  '!oldSelf.hasValue() || true',
  'oldSelf.optMap(o, o == self).orValue(true)',
  'oldSelf.hasValue()',
];

const MESSAGES = ['"no" + "t"', '""', 'string(1 / 0)', '"two\\nlines"'];

const SCALAR_RULES: Readonly<Record<string, readonly string[]>> = {
  string: ["self == 'a'", 'size(self) < 3', "self.startsWith('a')", "self != ''", "self.matches('^[a-z]*$')", 'true'],
  bytes: ['size(self) > 1', "self == b'abc'"],
  date: ["self > timestamp('2020-01-01T00:00:00Z')", 'self.getFullYear() > 2000'],
  duration: ["self < duration('2h')", 'self.getHours() >= 1'],
  integer: ['self > 1', 'self % 2 == 0', '10 / self > 1', 'self < 3 || self > 5'],
  number: ['self > 1.5', 'self + 0.5 < 3.0', 'self * 2.0 >= 1.0', 'self > 1'],
  boolean: ['self', '!self'],
  dyn: ['type(self) == int', 'type(self) == string || self < 5'],
};

function kindOf(schema: JsonSchema): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'dyn';
  if (schema.type !== 'string') return String(schema.type);
  const { format } = schema;
  if (format === 'byte') return 'bytes';
  if (format === 'date' || format === 'date-time') return 'date';
  return format === 'duration' ? 'duration' : 'string';
}

const escaped: Readonly<Record<string, string>> = { int: '__int__', 'x-y': 'x__dash__y' };

function rulesOfObject(draw: Draw, properties: Record<string, JsonSchema>): string[] {
  const names = Object.keys(properties);
  if (names.length === 0) return ['true'];
  return draw.times(1, 2, () => {
    const name = draw.pick(names);
    const field = `self.${escaped[name] ?? name}`;
    const inside = SCALAR_RULES[kindOf(properties[name] as JsonSchema)];
    const forms = [`has(${field})`, `!has(${field})`];
    if (inside !== undefined) {
      const rule = draw.pick(inside).replaceAll('self', field);
      forms.push(`!has(${field}) || (${rule})`, rule);
    }
    return draw.pick(forms);
  });
}

function textsOf(draw: Draw, schema: JsonSchema): string[] {
  const { properties, additionalProperties, items } = schema;
  if (schema.type === 'array') {
    const inside = SCALAR_RULES[kindOf(items as JsonSchema)];
    // An API server does not find a whole number in a set of numbers (docs/validate.md).
    const isSelf = (items as JsonSchema).type === 'number' ? 'true' : 'self == self';
    const each = inside === undefined ? 'true' : draw.pick(inside).replaceAll('self', 'item');
    return [draw.pick([`self.all(item, ${each})`, `self.exists(item, ${each})`, 'size(self) > 1', isSelf])];
  }
  if (schema.type !== 'object') return [draw.pick(SCALAR_RULES[kindOf(schema)] ?? ['true'])];
  if (additionalProperties !== undefined) {
    return [draw.pick(["self.all(key, key.startsWith('a'))", 'size(self) > 1', "'a' in self"])];
  }
  return rulesOfObject(draw, (properties ?? {}) as Record<string, JsonSchema>);
}

/** Returns rules for a schema; a schema without a type has none. */
export function rulesFor(draw: Draw, schema: JsonSchema): JsonSchema {
  const isTyped = schema.type !== undefined || schema['x-kubernetes-int-or-string'] === true;
  if (!isTyped) return {};
  const rules = textsOf(draw, schema).map((text): Plain => {
    const rule: JsonSchema = { rule: text };
    if (draw.chance(15)) Object.assign(rule, { rule: draw.pick(OLD), optionalOldSelf: true });
    else if (draw.chance(10)) rule.rule = 'self == oldSelf';
    if (draw.chance(20)) rule.message = 'not like this';
    if (draw.chance(20)) rule.messageExpression = draw.pick(MESSAGES);
    return rule;
  });
  return { 'x-kubernetes-validations': rules };
}
