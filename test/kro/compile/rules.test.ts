import { describe, expect, it } from 'vitest';
import { type RenderOptions, render } from '../../../src/api/index.ts';
import { format } from '../../../src/core/diagnostics/index.ts';
import { compileRules } from '../../../src/kro/compile/rules.ts';
import type { Schema } from '../../../src/kubernetes/schema/schema.ts';
import { configMap, rgd, x } from '../../core/diagnostics/examples/objects.ts';

/** Returns the diagnostics of an instance whose only field has this value and this rule. */
function told(rule: string, value: unknown, type = 'string', options: RenderOptions = {}): string[] {
  const bar = type.includes('|') ? '' : ' |';
  const schema = { spec: { field: `${type}${bar} validation=${JSON.stringify(rule)}` } };
  const { diagnostics } = render({ objects: [rgd(schema, [configMap('a')]), x({ field: value })] }, options);
  return diagnostics.map(({ code, message }) => `${code}: ${message}`);
}

describe('a transition rule', () => {
  it.each([
    'self == oldSelf',
    'oldSelf != "b" && self == "b"',
    '.oldSelf == "b"',
    'has(oldSelf.a) || true',
    '["b"].exists(s, s == oldSelf)',
    // The API server treats the variable of a macro as any name.
    '["b"].all(oldSelf, oldSelf == "b")',
  ])('does not run when an object is created: %s', (rule) => {
    const type = rule.includes('oldSelf.a') ? 'map[string]string' : 'string';
    expect(told(rule, type === 'string' ? 'a' : {}, type)).toEqual([]);
  });

  it.each([
    ['a text', 'self != "oldSelf"', 'oldSelf'],
    ['a text in single quotes', "self != 'oldSelf'", 'oldSelf'],
    ['a raw text', "self != r'oldSelf'", 'oldSelf'],
    ['a text with quotes in it', `self != 'oldSelf' && self != "'"`, 'oldSelf'],
    ['a comment', 'self != "b" // not oldSelf', 'b'],
    ['a variable that is not read', 'self.matches("^x") && [1].all(oldSelf, true)', 'y'],
    ['a longer name', '[self].all(oldSelfish, oldSelfish != "b")', 'b'],
  ])('is not recognised in %s', (_, rule, value) => {
    expect(told(rule, value)).toEqual([expect.stringContaining('rule-violated')]);
  });

  it('is not a field of that name', () => {
    const schema = {
      spec: { box: 'Box | validation="self.oldSelf > 1 && !has(self.other)"' },
      types: { Box: { oldSelf: 'integer', other: 'integer' } },
    };
    const { diagnostics } = render({ objects: [rgd(schema, [configMap('a')]), x({ box: { oldSelf: 1 } })] });
    expect(diagnostics).toMatchObject([{ code: 'rule-violated' }]);
  });
});

it('rules run with the limits of the user', () => {
  const rule = 'self.all(a, self.all(b, a >= b || a < b))';
  const list = Array.from({ length: 30 }, (_, index) => index);
  expect(told(rule, list, '[]integer | maxItems=50')).toEqual([]);
  expect(told(rule, list, '[]integer | maxItems=50', { maxSteps: 500 })).toEqual([
    expect.stringContaining('rule-violated'),
  ]);
});

describe('a literal of a rule', () => {
  it.each([
    ["self.matches('[')", 'missing closing ]'],
    ["false && self.matches('(?=a)')", 'invalid or unsupported Perl syntax'],
    ["[self].all(x, x.matches('['))", 'missing closing ]'],
    ["duration('1d') > duration('1s')", 'duration'],
    ["timestamp('x') > timestamp(0)", 'timestamp'],
    ["true || int('x') == 1", 'int'],
    ['uint(-1) == 1u', 'overflow'],
    ["int(string('x')) == 1", 'int'],
    ["self in ['a', 1]", "expected type 'string' but found 'int'"],
    ['[1, 2.0].size() > 0', "expected type 'int' but found 'double'"],
    ["['a', null].size() > 0", "expected type 'string' but found 'null"],
    ["[[1], ['a']].size() > 0", "expected type 'list(int)' but found 'list(string)'"],
    ["[dyn(1), 'a'].size() > 0", "expected type 'dyn' but found 'string'"],
    ["{'a': 1, 'b': 'x'}.size() > 0", "expected type 'int' but found 'string'"],
    ["{'a': 1, 1: 2}.size() > 0", "expected type 'string' but found 'int'"],
    ['[?optional.of(1), self].size() > 0', "expected type 'int' but found 'string'"],
  ])('is rejected: %s', (rule, message) => {
    expect(told(rule, 'a')).toEqual([expect.stringMatching(/^validation-rule: /)]);
    expect(told(rule, 'a')[0]).toContain(message);
  });

  it.each([
    "'%s %d'.format([self, 1]) == 'a 1'",
    "[[], ['a']].size() > 0",
    '[?optional.of(self), self].size() > 0',
    "self.matches('^a') && 'a'.matches(self)",
    "duration('24h') > duration('1s')",
  ])('is accepted: %s', (rule) => expect(told(rule, 'a')).toEqual([]));
});

describe('macros that bind a variable', () => {
  const issue = (rule: string): string | undefined => {
    const schema: Schema = {
      type: 'object',
      properties: {
        a: { type: 'string', maxLength: 5n },
        l: { type: 'array', maxItems: 3n, items: { type: 'string', maxLength: 5n } },
      },
      'x-kubernetes-validations': [{ rule }],
    };
    const found: string[] = [];
    compileRules(schema, ({ message }) => void found.push(format(message)));
    return found[0];
  };

  it.each([
    'self.?a.optMap(v, v != "bad").orValue(true)',
    'self.?a.optFlatMap(v, optional.of(v != "bad")).orValue(true)',
    'self.l.sortBy(e, -e.size())[0] == "b"',
  ])('%s is a transition rule', (rule) => expect(issue(rule)).toBeUndefined());

  it.each(['cel.bind(x, self.a, x == "b")', 'self.?a.optMap(v, cel.bind(w, v, w == "b")).orValue(true)'])(
    '%s is not a transition rule',
    (rule) => expect(issue(rule)).toContain('cel.bind is not known'),
  );
});
