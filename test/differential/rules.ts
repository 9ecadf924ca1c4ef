import type { Draw } from './draw.ts';
import { literalOf, quote } from './expressions.ts';
import { isList, isMapType, isStruct, names, type Type } from './types.ts';

/** Returns a validation rule of a field: CEL of the API server, with its macros; some are invalid. */
export function ruleOf(draw: Draw, type: Type): string {
  const rule = draw.pick(rulesOf(draw, type));
  if (draw.chance(70)) return rule;
  return draw.pick([
    `!(${rule})`,
    `${rule} && ${draw.pick(rulesOf(draw, type))}`,
    `${rule} || self == ${literalOf(draw, type)}`,
  ]);
}

function rulesOf(draw: Draw, type: Type): string[] {
  const name = quote(draw.pick(names));
  const any = [
    'true',
    'self == self',
    'self == oldSelf',
    'self != oldSelf',
    'oldSelf == null || self == oldSelf',
    `dyn(self) != null`,
    `cel.bind(v, self, v == self)`,
    `optional.of(self).optMap(v, v == self).orValue(false)`,
    `optional.of(self).optFlatMap(v, optional.of(v == self)).orValue(false)`,
    `optional.none().optMap(v, v == self).orValue(true)`,
    `[self].exists_one(v, v == self)`,
    `[self].all(i, v, i == 0 && v == self)`,
    `[self].transformList(i, v, i)[0] == 0`,
    `{"a": self}.transformMap(k, v, v) == {"a": self}`,
    `{"a": self}.transformMapEntry(k, v, {k: v}).size() == 1`,
    `{"a": self}.existsOne(k, v, v == self)`,
    `[?optional.of(self)].size() == 1`,
    `[self, self].map(v, [v]).size() == 2`,
  ];
  if (type === 'string') {
    return [
      ...any,
      `self.size() < ${draw.int(0, 9)}`,
      `self in [${name}, ${quote(draw.pick(names))}]`,
      `self.matches("^[a-z]+$")`,
      `self.lowerAscii() == self`,
      `self.split("").exists(c, c == "a")`,
      `[self, "b"].sortBy(v, v.size())[0] != ${name}`,
      `[self].sortBy(v, v)[0] == self`,
      `optional.ofNonZeroValue(self).optMap(v, v != ${name}).orValue(true)`,
      `!format.dns1123Label().validate(self).hasValue()`,
      `"%s-%d".format([self, self.size()]).startsWith(self)`,
      `"%.1f %e %s".format([1234.5, 0.25, [self]]).contains(self)`,
      `isQuantity(self) ? quantity(self).isGreaterThan(quantity("0")) : true`,
      `!self.find("[0-9]+").matches("^[0-9]$")`,
      `isURL(self) || !isIP(self)`,
      `[self].distinct().size() == 1`,
      `self.startsWith(oldSelf)`,
    ];
  }
  if (type === 'int' || type === 'double') {
    return [
      ...any,
      `self < ${literalOf(draw, type)}`,
      `self >= ${literalOf(draw, type)}`,
      `dyn(self) <= ${literalOf(draw, type === 'int' ? 'double' : 'int')}`,
      `[self, ${literalOf(draw, type)}].sortBy(v, v)[0] == self`,
      `[self].sum() == self`,
      `optional.ofNonZeroValue(self).optMap(v, v > ${literalOf(draw, type)}).orValue(true)`,
      `string(self) != "7"`,
      `self >= oldSelf`,
      ...(type === 'int' ? [`self % 2 == 0`, `self + 1 > self`, `math.greatest(self, 3) == 3`] : []),
    ];
  }
  if (type === 'bool') return [...any, 'self', '!self', 'self || !oldSelf'];
  if (isList(type)) {
    const scalar = ['string', 'int', 'double'].includes(String(type.list));
    return [
      ...any,
      `self.size() <= ${draw.int(0, 4)}`,
      `self.all(v, v in self)`,
      `self.all(i, v, self[i] == v)`,
      `self.map(v, v).size() == self.size()`,
      `self.transformList(i, v, i).all(i, i < ${draw.int(0, 4)})`,
      `self.exists(v, v == ${literalOf(draw, type.list)})`,
      `self.sortBy(v, ${scalar ? 'v' : 'string(v)'}).size() == self.size()`,
      `self.distinct().size() == self.size()`,
      `self[?0].optMap(v, v == ${literalOf(draw, type.list)}).orValue(true)`,
      `oldSelf.all(v, v in self)`,
      ...(scalar ? ['self.isSorted()', 'self.sort() == self'] : []),
    ];
  }
  if (isMapType(type)) {
    return [
      ...any,
      `self.all(k, k.size() < ${draw.int(0, 5)})`,
      `self.all(k, v, v == self[k])`,
      `self.exists(k, v, k == ${name} || v == ${literalOf(draw, type.map)})`,
      `self.transformMap(k, v, v).size() == self.size()`,
      `self.transformList(k, v, k).size() < 3`,
      `self[?"team"].optMap(v, v != ${literalOf(draw, type.map)}).orValue(true)`,
      `"a" in self`,
      `self.map(k, k).sortBy(k, k).size() < 3`,
    ];
  }
  if (isStruct(type)) {
    return [
      ...any,
      ...Object.entries(type.fields).flatMap(([field, { type: of }]) => {
        const literal = literalOf(draw, of);
        return [
          `has(self.${field})`,
          `!has(self.${field}) || self.${field} != ${literal}`,
          `self.?${field}.optMap(v, v != ${literal}).orValue(true)`,
          `self.?${field}.optFlatMap(v, optional.of(v)).hasValue()`,
          `self.?${field} == oldSelf.?${field}`,
          `self.${field} == ${literal}`,
          `cel.bind(v, self.?${field}, v.hasValue())`,
        ];
      }),
    ];
  }
  return any;
}
