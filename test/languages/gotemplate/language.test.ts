import { describe, expect, it } from 'vitest';
import { TemplateError } from '../../../src/languages/gotemplate/index.ts';
import { render } from './render.ts';

const inputs = {
  name: 'quay',
  count: 3n,
  ratio: 1.5,
  on: true,
  list: ['b', 'a'],
  mixed: [1n, null, { k: 'v' }],
  map: { b: 2n, a: 1n, none: null },
};

/** Templates with their results. */
const CASES: Record<string, string> = {
  'plain << inputs.name >>.': 'plain quay.',
  'a  <<- "b" ->>  c': 'abc',
  'a <</* a comment */>>b<<- /* trimmed */ ->> c': 'a bc',
  '<< if inputs.on >>yes<< else >>no<< end >>': 'yes',
  '<< if not inputs.on >>1<< else if eq inputs.count 3 >>2<< else >>3<< end >>': '2',
  '<< range $i, $e := inputs.list >><< $i >><< $e >> << end >>': '0b 1a ',
  '<< range inputs.map >>[<< . >>]<< end >>': '[1][2][<no value>]',
  '<< range $k, $v := inputs.map >><< $k >>,<< end >>': 'a,b,none,',
  '<< range inputs.count >><< . >><< end >>': '012',
  '<< range list >>x<< else >>empty<< end >>': 'empty',
  '<< range $i := until 9 >><< if eq $i 2 >><< continue >><< end >><< if eq $i 5 >><< break >><< end >><< $i >><< end >>':
    '0134',
  '<< with inputs.map >><< .a >><< end >><< with "" >>x<< else with 5 >><< . >><< end >>': '15',
  '<< $x := 1 >><< if true >><< $x = 2 >><< $y := 3 >><< $y >><< end >><< $x >>': '32',
  '<< define "t" >>[<< . >>]<< end >><< template "t" inputs.name >><< block "b" 4 >><< . >><< end >>': '[quay]4',
  '<< (dict "a" (dict "b" 7)).a.b >>': '7',
  '<< inputs.name | upper | printf "%s-%d" >>': 'QUAY-%!d(MISSING)',
  '<< printf "%05d|%-5s|%q|%x|%6.2f|%t|%v|%T" 42 "a" "é\\n" "hi" 3.14159 true inputs.mixed 1 >>':
    '00042|a    |"é\\n"|6869|  3.14|true|[1 <nil> map[k:v]]|int',
  '<< print 1 2 "a" "b" 3 nil >>|<< println "x" 1 >>': '1 2ab3 <nil>|x 1\n',
  '<< and 1 0 2 >><< or 0 "" "x" >><< or "known" inputs.absent >>': '0xknown',
  '<< lt 1 2 >> << ge "b" "a" >> << eq 1 2 1 >> << ne 1.5 inputs.ratio >>': 'true true true false',
  '<< len "é" >> << index inputs.list 1 >> << index inputs.mixed 2 "k" >> << index "abc" 1 >>': '2 a v 98',
  '<< html "<a&b>" >> << js "it\'s" >> << urlquery "a b&c" >>': "&lt;a&amp;b&gt; it\\'s a+b%26c",
  "<< 'a' >> << 0x1F >> << 1e3 >> << 0b11 >> << 1_000 >> << 1e2 | int >>": '97 31 1000 3 1000 100',
  '<< `raw "text"` >> << "\\u00e9\\x41\\101" >>': 'raw "text" éAA',
  '<< inputs.map.none >> << index inputs.map "absent" >>': '<no value> <no value>',
  '<< . >>': '<no value>',
};

describe('templates', () => {
  it.each(Object.entries(CASES))('%s', (template, expected) => {
    expect(render(template, inputs)).toBe(expected);
  });
});

/** Templates with the kind of the error, its message, and line and column. */
const FAULTS: readonly (readonly [string, string, string, string])[] = [
  ['a\n<< inputs.mast >>', 'missing-key', 'map has no entry for key "mast"', '2:11'],
  ['<< inputs.map.none.x >>', 'execution', 'nil pointer evaluating interface {}.x', '1:20'],
  ['<< inputs.name.x >>', 'execution', "can't evaluate field x in type string", '1:16'],
  ['<< .x >>', 'missing-key', 'nil data; no entry for key "x"', '1:5'],
  ['é << now >>', 'syntax', 'function "now" not defined', '1:6'],
  ['<< inputs.api-port >>', 'syntax', "bad character U+002D '-'", '1:14'],
  ['<< if true >>', 'syntax', 'unexpected EOF', '1:14'],
  ['<< end >>', 'syntax', 'unexpected {{end}}', '1:4'],
  ['<< >>', 'syntax', 'missing value for command', '1:4'],
  ['<< $x >>', 'syntax', 'undefined variable "$x"', '1:4'],
  ['<< "a >>', 'syntax', 'unterminated quoted string', '1:4'],
  ['<< 1 | 2 >>', 'syntax', 'non executable command in pipeline stage 2', '1:10'],
  ['<< break >>', 'syntax', '{{break}} outside {{range}}', '1:4'],
  ['<< div 1 0 >>', 'value', 'error calling div: runtime error: integer divide by zero', '1:4'],
  ['<< eq 1 "1" >>', 'value', 'error calling eq: incompatible types for comparison: int and string', '1:4'],
  ['<< upper 5 >>', 'execution', 'expected string', '1:10'],
  ['<< upper inputs.count >>', 'execution', 'wrong type for value; expected string; got int64', '1:16'],
  ['<< template "x" >>', 'execution', 'template "x" not defined', '1:13'],
  ['<< 5i >>', 'syntax', 'imaginary numbers are not supported: "5i"', '1:4'],
  ['<< fail "stop" >>', 'value', 'error calling fail: stop', '1:4'],
  ['<< fail "größe" >>', 'value', 'error calling fail: größe', '1:4'],
  ['é << inputs.größe >>', 'missing-key', 'map has no entry for key "größe"', '1:13'],
  ['é << größe >>', 'syntax', 'function "größe" not defined', '1:6'],
  ['<< a😀 >>', 'syntax', "bad character U+1F600 '😀'", '1:5'],
  ["<< '' >>", 'syntax', 'invalid syntax', '1:4'],
  ["<< 'ab' >>", 'syntax', "malformed character constant: 'ab'", '1:4'],
  ['<< 1+2 >>', 'syntax', 'bad number syntax: "1+2"', '1:4'],
  ['<< ( 1 ->> ', 'syntax', 'unclosed left paren', '1:7'],
];

describe('errors in templates', () => {
  it.each(FAULTS)('%s', (template, kind, message, position) => {
    let fault: unknown;
    try {
      render(template, inputs);
    } catch (error) {
      fault = error;
    }
    expect(fault).toBeInstanceOf(TemplateError);
    const before = template.slice(0, (fault as TemplateError).offset).split('\n');
    expect([
      (fault as TemplateError).kind,
      (fault as TemplateError).message,
      `${before.length}:${(before.at(-1) ?? '').length + 1}`,
    ]).toEqual([kind, message, position]);
  });
});
