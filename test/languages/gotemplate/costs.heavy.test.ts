import { expect, it } from 'vitest';
import { functionsFor } from '../../../src/flux/functions/index.ts';
import {
  compileTemplate,
  executeTemplate,
  Meter,
  standardNames,
  toGoMap,
} from '../../../src/languages/gotemplate/index.ts';
import { partOf } from '../../properties/runs.ts';

/** Texts that grow with `n`, of kinds that functions process differently. */
const TEXTS: Record<string, (n: number) => string> = {
  letters: (n) => 'a'.repeat(n),
  accents: (n) => '\u00e9'.repeat(n),
  digits: (n) => '9'.repeat(n),
  marks: (n) => '<"&\'\\'.repeat(n / 5),
  words: (n) => 'a B, '.repeat(n / 5),
  lines: (n) => 'ab\n'.repeat(n / 3),
};

const on =
  (...calls: string[]) =>
  (): readonly string[] =>
    calls;

/** Calls of each function with a growing argument: `inputs.text`, `inputs.list` or `inputs.map`. */
const CALLS: Record<string, () => readonly string[]> = {};
const call = (names: string, ...calls: string[]): void => {
  for (const name of names.split(' ')) CALLS[name] = on(...calls.map((one) => one.replaceAll('F', name)));
};

call('html js urlquery print println', 'F inputs.text', 'F inputs.list', 'F inputs.map');
call('quote squote cat toString toStrings', 'F inputs.text', 'F inputs.list', 'F inputs.map');
call(
  'toJson mustToJson toPrettyJson mustToPrettyJson toRawJson mustToRawJson toYaml mustToYaml',
  'F inputs.text',
  'F inputs.list',
  'F inputs.map',
);
call('upper lower title trim b64enc b64dec b32enc b32dec sha1sum sha256sum adler32sum', 'F inputs.text');
call('base dir clean ext isAbs osBase osDir osClean osExt osIsAbs slugify urlParse regexQuoteMeta', 'F inputs.text');
call('atoi int int64 float64 toDecimal duration durationRound ceil floor add1', 'F inputs.text');
call('add sub div mod mul max min biggest maxf minf', 'F 1 inputs.text');
call('round', 'F inputs.text 2');
call('fromJson mustFromJson', 'F inputs.text', 'F (toJson inputs.list)');
call(
  'trimAll trimall trimSuffix trimPrefix hasPrefix hasSuffix contains',
  'F "ab" inputs.text',
  'F inputs.text inputs.text',
);
call('trunc indent nindent', 'F 3 inputs.text');
call('repeat', 'F inputs.size "ab"');
call('substr', 'F 1 3 inputs.text');
call('replace', 'F "a" "bc" inputs.text', 'F "" "bc" inputs.text');
call('split splitList', 'F "a" inputs.text', 'F "" inputs.text');
call('splitn', 'F "a" 3 inputs.text');
call('join', 'F ", " inputs.list');
call(
  'printf',
  'F "%q %x %s" inputs.text inputs.text inputs.text',
  'F (repeat inputs.size "%d") 1',
  'F "%.*f" inputs.size 1.5',
  'F "%v" inputs.map',
);
call('regexMatch mustRegexMatch regexFind mustRegexFind', 'F "(a|9)*[zy]" inputs.text', 'F ".*b|z" inputs.text');
call('regexFindAll mustRegexFindAll regexSplit mustRegexSplit', 'F "a|." inputs.text -1', 'F ".*zz|." inputs.text -1');
call(
  'regexReplaceAll mustRegexReplaceAll regexReplaceAllLiteral mustRegexReplaceAllLiteral',
  'F "a|." inputs.text "b"',
  'F ".*zz|." inputs.text "b"',
);
call(
  'first mustFirst last mustLast rest mustRest initial mustInitial reverse mustReverse compact mustCompact sortAlpha uniq mustUniq',
  'F inputs.list',
);
call('append mustAppend push mustPush prepend mustPrepend', 'F inputs.list 1');
call('without mustWithout', 'F inputs.list 1 2 3');
call('has mustHas', 'F "x" inputs.list');
call('slice mustSlice', 'F inputs.list 1 3');
call('chunk mustChunk', 'F 2 inputs.list');
call('concat', 'F inputs.list inputs.list');
call('seq until', 'F inputs.size');
call('untilStep', 'F 0 inputs.size 1');
call('keys values', 'F inputs.map');
call('pick omit', 'F inputs.map "k1"');
call('eq ne lt le gt ge deepEqual', 'F inputs.text "a"', 'F inputs.text inputs.text');
call('toDate mustToDate', 'F "2006-01-02" inputs.text', 'F inputs.text "2024"');
call('must_date_modify mustDateModify', 'F inputs.text (toDate "2006" "2024")');
call('urlJoin', 'F (dict "path" inputs.text "host" "h")');

/** Functions with a constant cost: they check the existence of an argument, or read one item of it. */
const FREE = new Set(
  'and or not call index len default empty coalesce all any ternary hello plural fail dict get set unset hasKey pluck dig list tuple typeOf typeIs typeIsLike kindOf kindIs randInt ago unixEpoch'.split(
    ' ',
  ),
);

interface Spent {
  steps: number;
  bytes: number;
}

/** A step costs at least as much as a copy of so many bytes. */
const BYTES_OF_A_STEP = 8;
const worth = ({ steps, bytes }: Spent): number => steps * BYTES_OF_A_STEP + bytes;

function spent(template: string, text: string, n: number): Spent {
  const meter = new Meter({ maxSteps: 1e9, maxBytes: 1e12 });
  const list = Array.from({ length: n }, (_, index) => `i${index}`);
  const map = Object.fromEntries(list.map((key) => [`k${key}`, 'v']));
  const inputs = toGoMap({ text, list, map, size: BigInt(n) });
  const source = `<< $x := ${template.replaceAll('inputs.size', '(int inputs.size)')} >>`;
  const functions = functionsFor(() => inputs);
  try {
    executeTemplate(compileTemplate(source, { left: '<<', right: '>>' }, functions), null, functions, meter);
  } catch {
    // An invalid argument is found by reading it.
  }
  const { steps, bytes } = meter;
  return { steps: steps.of - steps.left, bytes: bytes.of - bytes.left };
}

it('every function has a cost, or is known to have a constant one', () => {
  const known = [...Object.keys(CALLS), ...FREE];
  expect(known.filter((name, index) => known.indexOf(name) !== index)).toEqual([]);
  expect([...standardNames(), 'slugify', 'toYaml', 'mustToYaml'].sort()).toEqual(known.sort());
});

it.each(partOf(Object.keys(CALLS), 6))('the cost of %s is proportional to its arguments', (name) => {
  for (const template of CALLS[name]?.() ?? []) {
    for (const [kind, text] of Object.entries(TEXTS)) {
      const [small, large] = [300, 1200].map((n) => spent(template, text(n), n)) as [Spent, Spent];
      expect(worth(large) - worth(small), `${template}, ${kind}`).toBeGreaterThanOrEqual(900);
    }
  }
});

/** Functions that do more than copy cost steps, which are dearer: one for at most so many bytes. */
const SLOW: Record<string, number> = {
  'title inputs.text': 1,
  'slugify inputs.text': 1,
  'urlParse inputs.text': 1,
  'trim inputs.text': 1,
  'js inputs.text': 1,
  'html inputs.text': 1,
  'urlquery inputs.text': 1,
  'upper inputs.text': 1,
  'lower inputs.text': 1,
  'quote inputs.text': 1,
  'printf "%q" inputs.text': 1,
  'printf "%x" inputs.text': 1,
  'trimAll "ab" inputs.text': 1,
  'replace "" "b" inputs.text': 1,
  'urlJoin (dict "path" inputs.text)': 1,
  'keys inputs.map': 2,
  'values inputs.map': 2,
  'pick inputs.map "a"': 2,
  'omit inputs.map "a"': 2,
  'sortAlpha inputs.list': 2,
  'atoi inputs.text': 4,
  'duration inputs.text': 4,
  'toDate inputs.text "2024"': 4,
  'toYaml inputs.text': 8,
  'b64enc inputs.text': 16,
  'sha256sum inputs.text': 16,
  'b32enc inputs.text': 16,
};

it.each(Object.entries(SLOW))('%s costs steps', (template, bytes) => {
  const [small, large] = [300, 1200].map((n) => spent(template, '\u00e9'.repeat(n), n)) as [Spent, Spent];
  expect(large.steps - small.steps).toBeGreaterThanOrEqual(900 / bytes);
});

it.each([
  'regexFindAll ".*zz|." inputs.text -1',
  'regexSplit ".*zz|." inputs.text -1',
  'regexReplaceAll ".*zz|." inputs.text "b"',
  'regexReplaceAllLiteral ".*zz|." inputs.text "b"',
  'uniq inputs.list',
])('%s costs a square of steps', (template) => {
  const [small, large] = [300, 1200].map((n) => spent(template, 'a'.repeat(n), n)) as [Spent, Spent];
  expect(large.steps).toBeGreaterThan(small.steps * 10);
});
