import type { Example } from './examples.ts';

/** A macro or a piece of syntax: its form, its origin, and an example. */
export interface Form {
  /** The name of the macro; '' for syntax. */
  macro: string;
  forms: readonly string[];
  library: string;
  example: Example;
}

const form = (macro: string, forms: readonly string[], library: string, example: Example): Form => ({
  macro,
  forms,
  library,
  example,
});

const STANDARD = 'CEL standard';
const LOOPS = 'cel-go ext.TwoVarComprehensions';
const OPTIONALS = 'cel-go optional types';

export const macroForms: readonly Form[] = [
  form('has', ['has(a.b)'], STANDARD, ['has({"a": 1}.b)', 'false']),
  form('all', ['list.all(x, test)', 'map.all(key, test)', 'list.all(i, x, test)', 'map.all(key, x, test)'], STANDARD, [
    '[1, 2].all(x, x > 0)',
    'true',
  ]),
  form('exists', ['list.exists(x, test)', 'list.exists(i, x, test)'], STANDARD, [
    '["a", "b"].exists(x, x == "b")',
    'true',
  ]),
  form('exists_one', ['list.exists_one(x, test)', 'list.exists_one(i, x, test)'], STANDARD, [
    '[1, 2, 2].exists_one(x, x == 2)',
    'false',
  ]),
  form('existsOne', ['list.existsOne(i, x, test)'], STANDARD, ['[1, 2].existsOne(i, x, x == 2)', 'true']),
  form('map', ['list.map(x, value)', 'list.map(x, test, value)'], STANDARD, [
    '[1, 2, 3].map(x, x > 1, x * 10)',
    '[20, 30]',
  ]),
  form('filter', ['list.filter(x, test)'], STANDARD, ['{"a": 1, "b": 2}.filter(key, key != "a")', '["b"]']),
  form('transformList', ['list.transformList(i, x, value)', 'list.transformList(i, x, test, value)'], LOOPS, [
    '{"a": 1, "b": 2}.transformList(key, x, key + "=" + string(x))',
    '["a=1", "b=2"]',
  ]),
  form('transformMap', ['map.transformMap(key, x, value)', 'map.transformMap(key, x, test, value)'], LOOPS, [
    '{"a": 1, "b": 2}.transformMap(key, x, x > 1, x * 10)',
    '{"b": 20}',
  ]),
  form(
    'transformMapEntry',
    ['list.transformMapEntry(i, x, {key: value})', 'list.transformMapEntry(i, x, test, {key: value})'],
    LOOPS,
    ['["a", "b"].transformMapEntry(i, x, {x: i})', '{"a": 0, "b": 1}'],
  ),
  form('sortBy', ['list.sortBy(x, key)'], 'cel-go ext.Lists', [
    '["ccc", "a", "bb"].sortBy(x, size(x))',
    '["a", "bb", "ccc"]',
  ]),
  form('bind', ['cel.bind(x, value, expression)'], 'cel-go ext.Bindings', ['cel.bind(x, 2 + 3, x * x)', '25']),
  form('optMap', ['optional.optMap(x, value)'], OPTIONALS, ['{"a": 1}[?"a"].optMap(x, x + 1).orValue(0)', '2']),
  form('optFlatMap', ['optional.optFlatMap(x, optional)'], OPTIONALS, [
    '{"a": {"b": 1}}[?"a"].optFlatMap(x, x[?"c"]).orValue(0)',
    '0',
  ]),
  form('newCondition', ['runtime.newCondition({type: ..., status: ..., reason: ..., message: ...})'], 'kro runtime', [
    'runtime.newCondition({type: "Ready", status: "True"})',
    undefined,
  ]),
];

export const syntaxForms: readonly Form[] = [
  form('', ['a && b', 'a || b'], STANDARD, ['1 / 0 > 1 || true', 'true']),
  form('', ['a.b', 'a.`b-c`'], STANDARD, ['{"app.kubernetes.io/name": "web"}.`app.kubernetes.io/name`', '"web"']),
  form('', ['a.?b', 'a[?b]'], OPTIONALS, ['{"a": {"b": 1}}.?a.?c.orValue(0)', '0']),
  form('', ['[?a]'], OPTIONALS, ['[?{"a": 1}[?"b"], 2]', '[2]']),
  form('', ['{?key: a}'], OPTIONALS, ['{?"x": {"a": 1}[?"a"], ?"y": {"a": 1}[?"b"]}', '{"x": 1}']),
];
