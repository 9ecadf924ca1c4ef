import { describe, expect, it } from 'vitest';
import { parseFloatText } from '../../../src/core/text/go-numbers.ts';
import { standardNames } from '../../../src/languages/gotemplate/index.ts';
import { LEFT_OUT, signatures } from '../../templates/signatures.ts';
import { render } from './render.ts';

/** Calls with their results. */
const CASES: Record<string, string> = {
  'trunc 1 "é" | b64enc': 'ww==',
  'substr 5 99 "harbour"': 'ur',
  'indent 2 "a\\nb" | quote': '"  a\\n  b"',
  'replace "" "-" "ab"': '-a-b-',
  'maxf "1_000" 999': '1000',
  'title "old pier"': 'Old Pier',
  'upper "straße"': 'STRASSE'.replace('SS', 'ß'),
  'splitn "," 2 "a,b,c"': 'map[_0:a _1:b,c]',
  'add 1.9 "2" true': '4',
  'mul 9223372036854775807 2': '-2',
  'round 123.5555 3': '123.556',
  'round 123456789.125 100': '1.23456789125e+08',
  'round 5e-310 320': 'NaN',
  'seq 5 -2 1': '5 3 1',
  'untilStep 9 1 -3': '[9 6 3]',
  'chunk 2 (list 1 2 3)': '[[1 2] [3]]',
  'uniq (list 1 "1" 1)': '[1 1]',
  'has 3 (list (int64 3))': 'false',
  'dig "a" "b" "none" (dict "a" (dict))': 'none',
  'pluck "k" (dict "k" 1) (dict)': '[1]',
  'toJson (dict "b" "<" "a" (list 1.0 nil))': '{"a":[1,null],"b":"\\u003c"}',
  'toRawJson "<"': '"<"',
  'fromJson "{\\"a\\": 1e3}"': 'map[a:1000]',
  'regexReplaceAll "(a)(b)?" "abxa" "${1}-$2;"': 'a-b;xa-;',
  'regexSplit "z+" "pizza" -1': '[pi a]',
  'b32dec (b32enc "é")': 'é',
  'b64dec "a"': 'illegal base64 data at input byte 0',
  'adler32sum "quay"': '73531841',
  'sha1sum ""': 'da39a3ee5e6b4b0d3255bfef95601890afd80709',
  'dir "/a/../b//c"': '/b',
  'ext "x.tar.gz"': '.gz',
  '(urlParse "http://u:p@h:80/a%20b?q#f").path': '/a b',
  'urlJoin (dict "scheme" "http" "host" "h" "path" "a b")': 'http://h/a%20b',
  'durationRound "49h"': '2d',
  'duration "3661"': '1h1m1s',
  '(toDate "2006-01-02" "2024-02-29").Weekday': 'Thursday',
  '(mustDateModify "-36h" (toDate "2006-01-02" "2024-03-01")).Format "Jan _2, 3:04PM"': 'Feb 28, 12:00PM',
  'typeOf (until 2)': '[]int',
  'kindOf (dict)': 'map',
  'ternary 1 2 (empty "")': '1',
  'randInt 5 6': '5',
  'slugify "Ærø & Ñandú, 日本 한국!"': 'aero-and-nandu-ri-ben-hangug',
  'toYaml (dict "a10" (list) "a2" "yes")': 'a2: "yes"\na10: []\n',
};

describe('functions of templates', () => {
  it.each(Object.entries(CASES))('%s', (call, expected) => {
    expect(render(`<< ${call} >>`)).toBe(expected);
  });

  it.each([
    ['1_000', 1000],
    ['1_2.3_4e+0_1', 123.4],
    ['0_7', 7],
    ['0x_1.8_0p-0_1', 0.75],
    ['-0X1_Fp0', -31],
    ['0x1p-1074', 5e-324],
    ['0x1000000p-1090', 2 ** -1066],
    ['0x1p-1075', 0],
    ['0x1.8p-1074', 1e-323],
    ['0x1000000000000080p0', 2 ** 60],
    ['0x1000000000000081p0', 2 ** 60 + 256],
    ['0x1p1024', Number.POSITIVE_INFINITY],
    ['-Inf', Number.NEGATIVE_INFINITY],
  ])('%s is read as the float %s', (text, expected) => {
    expect(parseFloatText(text)).toBe(expected);
  });

  it.each('_1 1_ 1__0 1_.5 1._5 1_e3 1e_3 1e+_3 0_x1p0 0x1_p0 0x1p_0 0x_ 0x1 _ +_1 +nan'.split(' '))(
    '%s is not a float',
    (text) => {
      expect(parseFloatText(text)).toBeUndefined();
    },
  );

  it('are all generated for the oracle, or excluded with a reason', () => {
    const drawn = new Set([...signatures.map(({ name }) => name), ...Object.keys(LEFT_OUT)]);
    expect(standardNames().filter((name) => !drawn.has(name))).toEqual([]);
  });

  it.each(['ago 5', 'randInt 1 9'])('%s is rejected, as its results vary', (call) => {
    expect(() => render(`<< ${call} >>`)).toThrow(/must be reproducible/);
  });

  it('treat names of JavaScript properties as ordinary keys', () => {
    const inputs = JSON.parse('{"constructor": 1, "__proto__": "p"}');
    expect(render('<< inputs.constructor >><< index inputs "__proto__" >><< hasKey inputs "toString" >>', inputs)).toBe(
      '1pfalse',
    );
    expect(render('<< $d := set (dict) "__proto__" 1 >><< $d.__proto__ >><< $d | toYaml >>')).toBe('1__proto__: 1\n');
  });
});
