/** Expressions with excessive time or memory, and how each of them must end. */

/** Binds `x0` to `first` and each further `x` to `step` of the one before. */
function chain(count: number, first: string, step: (previous: string) => string, body: string): string {
  let source = body;
  for (let index = count - 1; index >= 0; index--) {
    source = `cel.bind(x${index}, ${index === 0 ? first : step(`x${index - 1}`)}, ${source})`;
  }
  return source;
}

/** Returns an expression that adds a text, list or the like to itself `count - 1` times. */
const doubled = (count: number, first: string, body: (last: string) => string): string =>
  chain(count, first, (x) => `${x} + ${x}`, body(`x${count - 1}`));

/** A list of two equal lists, `count - 1` levels deep. */
const nested = (count: number, first: string, body: (last: string) => string): string =>
  chain(count, first, (x) => `[${x}, ${x}]`, body(`x${count - 1}`));

const nestedOptional = (body: string): string => chain(40, 'optional.of(1)', (x) => `optional.of([${x}, ${x}])`, body);
const nestedMap = (body: string): string => chain(40, '["a"]', (x) => `{"a": ${x}, "b": ${x}}`, body);
const same = (last: string): string => last;
const repeated = (count: number, part: string): string => part.repeat(count);
const bigMap = 'lists.range(50000).transformMapEntry(i, v, {string(v): v})';
const manyTimes = (bound: string, body: string): string => `cel.bind(v, ${bound}, lists.range(100000).all(i, ${body}))`;

export interface BoundCase {
  name: string;
  source: string;
  /** The JSON of the result, or how the error starts. */
  ends: string | RegExp;
}

const LIMIT = /^budget: /;
const DEPTH = /^syntax: expression recursion limit exceeded/;
const row = (name: string, source: string, ends: string | RegExp = LIMIT): BoundCase => ({ name, source, ends });

const loops: readonly BoundCase[] = [
  row('a range of 100,000 in itself', 'lists.range(100000).all(i, lists.range(100000).all(j, true))'),
  row('a list of ranges', 'lists.range(100000).map(i, lists.range(100000))'),
  row('five loops in each other', `${repeated(5, 'lists.range(99).exists(i, ')}false${repeated(5, ')')}`),
  row('a million failures', 'lists.range(1000000).exists(i, 1 / 0 == i)'),
  row('a membership test in a loop', 'lists.range(10000).all(i, i in lists.range(10000))'),
  row('a loop over a map in a loop', manyTimes(bigMap, 'v.exists(k, true)')),
  row('maps compared in a loop', manyTimes(bigMap, 'v != {}')),
  row('maps merged in a loop', manyTimes(bigMap, 'v.merge({}).size() > 0')),
  row('slices in a loop', manyTimes('lists.range(100000)', 'v.slice(0, 100000).size() > 0')),
  row('lists reversed in a loop', manyTimes('lists.range(100000)', 'v.reverse().size() > 0')),
  row('lists sorted in a loop', manyTimes('lists.range(100000)', 'v.sort().size() > 0')),
  row('distinct optionals', 'lists.range(20000).map(i, optional.of(i)).distinct().size()', '20000'),
  row('distinct values without a text', 'lists.range(20000).map(i, quantity(string(i))).distinct().size()'),
];

const texts: readonly BoundCase[] = [
  row('a text doubled 60 times', doubled(60, '"ab"', same)),
  row(
    'bytes doubled 60 times',
    doubled(60, 'b"ab"', (x) => `${x}.size()`),
  ),
  row(
    'a list doubled 60 times',
    doubled(60, '["ab"]', (x) => `${x}.size()`),
  ),
  row(
    'replacing in a growing text',
    chain(40, '"a"', (x) => `${x}.replace("a", "aa")`, 'x39'),
  ),
  row(
    'replacing the empty text',
    chain(40, '"ab"', (x) => `${x}.replace("", ${x})`, 'x39'),
  ),
  row(
    'joining a growing list',
    chain(60, '["a"]', (x) => `[${x}.join("-"), ${x}.join("-")]`, 'x59'),
  ),
  row('joining with a long text', `lists.range(100000).map(i, "x").join("${repeated(5000, 'y')}")`),
  row(
    'formatting a growing text',
    chain(60, '"a"', (x) => `"%s%s".format([${x}, ${x}])`, 'x59'),
  ),
  row(
    'quoting a growing text',
    chain(60, '"\\""', (x) => `strings.quote(${x})`, 'x59'),
  ),
  row(
    'marshalling a growing text',
    chain(60, '"\\""', (x) => `json.marshal(${x})`, 'x59'),
  ),
  row(
    'encoding growing bytes',
    chain(60, 'b"abc"', (x) => `bytes(base64.encode(${x}))`, 'x59.size()'),
  ),
  row('a long seeded text', 'random.seededString(9223372036854775807, "a")'),
  row(
    'a million texts of a million',
    doubled(20, '"ab"', (x) => `lists.range(1000000).map(i, ${x} + "c")`),
  ),
  row(
    'hashing a long text in a loop',
    doubled(19, '"ab"', (x) => `lists.range(10000).map(i, hash.sha256(${x}))`),
  ),
  row(
    'positions in a long text',
    doubled(19, '"😀b"', (x) => `lists.range(10000).all(i, ${x}.charAt(i) != "c")`),
  ),
  row(
    'searching for a part that is nearly there',
    doubled(19, '"a"', (x) => `${x}.contains(x15 + "b" + x15)`),
  ),
  row(
    'long texts compared in a loop',
    doubled(19, '"ab"', (x) => manyTimes('x17 + x17', `${x} <= v`)),
  ),
  row(
    'long texts for equal in a loop',
    doubled(19, '"ab"', (x) => manyTimes('x17 + x17', `${x} == v`)),
  ),
  row(
    'long texts that begin and end with each other, in a loop',
    doubled(16, '"ab"', (x) => `lists.range(100000).all(i, ${x}.startsWith(${x}) && ${x}.endsWith(${x}))`),
  ),
  row(
    'sorting long texts',
    doubled(16, '"ab"', (x) => `lists.range(100).map(i, ${x} + string(i)).sort().size()`),
    '100',
  ),
];

const patterns: readonly BoundCase[] = [
  row('(a+)+$ on 60 letters', `"${repeated(60, 'a')}".matches("(a+)+$")`, 'true'),
  row('(a+)+$ on 60 letters and another one', `"${repeated(60, 'a')}b".matches("(a+)+$")`, 'false'),
  row(
    '(a+)+$ on a long text',
    doubled(19, '"a"', (x) => `(${x} + "b").matches("(a+)+$")`),
    'false',
  ),
  row('a counted repetition', '"a".matches("(a{1000})")', 'false'),
  row('a large pattern on many texts', `lists.range(25).map(i, "${repeated(2000, 'a')}".matches("^(a?){900}a{900}$"))`),
  row('a large pattern in findAll', `lists.range(25).map(i, "${repeated(2000, 'a')}".findAll("(a?){900}b|a"))`),
  row('a large pattern in find', `lists.range(50).map(i, "${repeated(2000, 'a')}".find("((((a?){10}){10}){10})*b*$"))`),
  row(
    'the pattern of domain names on 200 of them',
    `lists.range(200).all(i, "${repeated(3, `${repeated(50, 'a')}.`)}a".matches("^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\\\\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$"))`,
    'true',
  ),
  row(
    'the lines of a text of 60 kB',
    `cel.bind(t, lists.range(2000).map(i, "some words and a number").join("\\n"), t.findAll("[^\\n]+").size())`,
    '2000',
  ),
  row('counted repetitions in each other', '"a".matches("((a{100}){100}){100}")', /^failure: .*invalid repeat count/),
  row('a repetition of a repetition', '"a".matches("a{1000}{1000}")', /^failure: .*invalid nested repetition/),
  row(
    'counted repetitions on a long text',
    doubled(16, '"ab"', (x) => `${x}.matches("^([ab]{0,30}){0,33}c")`),
    'false',
  ),
  row(
    'a pattern of 250,000 characters',
    doubled(16, '"(ab)|cd"', (x) => `"b".matches(${x})`),
    /^failure: .*too large/,
  ),
  row(
    'all matches that never come',
    doubled(18, '"ab"', (x) => `${x}.findAll("[ab]*c|b").size()`),
  ),
  row('a hundred thousand patterns', 'lists.range(100000).all(i, "a".matches(string(i)) || true)'),
  row('many counted repetitions', 'lists.range(100000).all(i, "a".matches("(a{1000})" + string(i)) || true)'),
  row(
    'many long patterns',
    doubled(14, '"(ab)|cd"', (x) => `lists.range(400).all(i, "b".matches(${x} + string(i)) || true)`),
  ),
  row(
    'more patterns than are kept, in turns',
    'lists.range(100000).all(i, "a".matches("a{1000}" + string(i % 100)) || true)',
  ),
  row(
    'one pattern for twenty thousand texts',
    'lists.range(20000).all(i, string(i).matches("^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$"))',
    'true',
  ),
];

/** The first letters of a zone, for mixed cases. */
const zoneLetters = [...'america'];
const mixed = zoneLetters.map((letter, index) => `(x${index} ? "${letter}" : "${letter.toUpperCase()}")`).join(' + ');
const everyMixture = (body: string): string =>
  zoneLetters.reduce((inner, _, index) => `[true, false].all(x${index}, ${inner})`, body);

const zones: readonly BoundCase[] = [
  row('unknown zones', 'lists.range(100000).all(i, timestamp(0).getHours(string(i)) == 0 || true)'),
  row(
    'a zone in every spelling',
    everyMixture(`timestamp(0).getHours(${mixed} + "/Argentina/Buenos_Aires") > 0`),
    /^failure: unknown time zone/,
  ),
  row(
    'a zone in every spelling, again and again',
    `lists.range(1000).all(i, ${everyMixture(`timestamp(0).getHours(${mixed} + "/Argentina/Buenos_Aires") > 0`)})`,
  ),
];

const sources: readonly BoundCase[] = [
  row('5,000 parentheses', `${repeated(5000, '(')}1${repeated(5000, ')')}`, DEPTH),
  row('240 parentheses', `${repeated(240, '(')}1${repeated(240, ')')}`, '1'),
  row('5,000 brackets', `${repeated(5000, '[')}${repeated(5000, ']')}`, DEPTH),
  row('5,000 negations', `${repeated(5000, '!(')}true${repeated(5000, ')')}`, DEPTH),
  row('5,000 signs', `${repeated(5000, '-')}1`, '1'),
  row('5,000 choices', `${repeated(5000, 'true ? 1 : ')}1`, DEPTH),
  row('5,000 terms', `1${repeated(5000, ' + 1')}`, DEPTH),
  row('5,000 conditions', `true${repeated(5000, ' && true')}`, 'true'),
  row('5,000 fields', `{}${repeated(5000, '.a')}`, DEPTH),
  row(
    'a list of 100,000 elements',
    `[${repeated(100_000, '1,')}]`,
    /^syntax: expression code point size exceeds limit/,
  ),
  row('a list of 40,000 elements', `[${repeated(40_000, '1,')}].size()`, '40000'),
  row(
    'lists of 44,000 elements together',
    `(${Array(4)
      .fill(`[${repeated(11_000, '1,')}]`)
      .join('+')}).size()`,
    '44000',
  ),
  row('a text of 99,000 characters', `"${repeated(99_000, 'a')}".size()`, '99000'),
];

const shared: readonly BoundCase[] = [
  row('as a result', nested(40, '["a"]', same)),
  row('as a result, in maps', nestedMap('x39')),
  row(
    'compared with itself',
    nested(40, '["a"]', (x) => `${x} == ${x}`),
    'true',
  ),
  row(
    'compared with its like',
    `${nested(40, '["a"]', (x) => `cel.bind(y, ${x}, ${nested(40, '["a"]', (z) => `y == ${z}`)})`)}`,
  ),
  row(
    'compared as numbers',
    `${nested(40, '[1]', (x) => `cel.bind(y, ${x}, ${nested(40, '[1]', (z) => `y != ${z}`)})`)}`,
  ),
  row('compared as optionals', `cel.bind(y, ${nestedOptional('x39')}, ${nestedOptional('x39 == y')})`),
  row(
    'looked for',
    nested(40, '["a"]', (x) => `cel.bind(y, ${x}, ${nested(40, '["a"]', (z) => `y in [${z}]`)})`),
  ),
  row(
    'looked for with a function',
    nested(40, '["a"]', (x) => `[x38, [x38, x38 + []]].indexOf(${x})`),
  ),
  row(
    'marshalled',
    nested(40, '["a"]', (x) => `json.marshal(${x})`),
  ),
  row('marshalled, in maps', nestedMap('json.marshal(x39)')),
  row(
    'encoded',
    nested(40, '["a"]', (x) => `json.encode(${x})`),
  ),
  row(
    'formatted',
    nested(40, '["a"]', (x) => `"%s".format([${x}])`),
  ),
  row(
    'flattened',
    nested(40, '["a"]', (x) => `${x}.flatten(100)`),
  ),
  row(
    'joined',
    nested(40, '["a"]', (x) => `${x}.flatten(39).join()`),
  ),
  row(
    'made distinct',
    nested(40, '["a"]', (x) => `[${x}, x38].distinct()`),
  ),
  row('merged', nestedMap('x39.deepMerge({"a": x38, "b": {"a": x37, "b": x37}})')),
];

const extremes: readonly BoundCase[] = [
  row('the longest duration', 'duration("9223372036854775807ns")', '"2562047h47m16.854775807s"'),
  row('a longer duration', 'duration("9223372036854775808ns")', /^failure: type conversion error/),
  row(
    'a duration of a million digits',
    doubled(21, '"1"', (x) => `duration(${x} + "s")`),
  ),
  row('durations that add up to too much', 'duration("9223372036s") + duration("1s")', /^failure: duration overflow/),
  row('the last moment', 'timestamp("9999-12-31T23:59:59.999999999Z")', '"9999-12-31T23:59:59Z"'),
  row('after the last moment', 'timestamp("9999-12-31T23:59:59Z") + duration("1s")', /^failure: timestamp overflow/),
  row('before the first moment', 'timestamp("0001-01-01T00:00:00Z") - duration("1ns")', /^failure: timestamp overflow/),
  row('the year before the first', 'timestamp("0001-01-01T00:00:00Z").getFullYear("-12:00")', '0'),
  row('a timestamp of the smallest integer', 'timestamp(-9223372036854775808)', /^failure: timestamp overflow/),
  row(
    'all of time',
    'timestamp("9999-12-31T00:00:00Z") - timestamp("0001-01-01T00:00:00Z")',
    /^failure: duration overflow/,
  ),
  row(
    'an integer of a million digits',
    doubled(21, '"1"', (x) => `int(${x})`),
    /^failure: type conversion error/,
  ),
  row(
    'a double of a million digits',
    doubled(21, '"1"', (x) => `double(${x})`),
  ),
  row(
    'a quantity of a million digits',
    doubled(21, '"1"', (x) => `isQuantity(${x})`),
  ),
  row('a quantity with a huge exponent', 'quantity("1e999999999")', /^failure: unable to parse/),
  row(
    'an address of a million digits',
    doubled(21, '"1:"', (x) => `isIP(${x})`),
  ),
  row(
    'JSON of a million brackets',
    doubled(20, '"["', (x) => `json.unmarshal(${x})`),
    /^failure: .*exceeded max depth/,
  ),
  row(
    'JSON of a hundred thousand lists',
    doubled(18, '"[1],"', (x) => `json.unmarshal("[" + ${x} + "1]").size()`),
    '131073',
  ),
];

export const boundCases: Readonly<Record<string, readonly BoundCase[]>> = {
  'loops in loops': loops,
  'growing texts': texts,
  'regular expressions': patterns,
  'time zones': zones,
  'long and deep expressions': sources,
  'a value that holds itself twice, 40 levels deep': shared,
  'extremes of time and number': extremes,
};
