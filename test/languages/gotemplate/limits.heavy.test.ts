import { expect, it } from 'vitest';
import { Meter } from '../../../src/languages/gotemplate/index.ts';
import { render } from './render.ts';

const nested = (depth: number): string => '<< range until 1000 >>'.repeat(depth) + '<< end >>'.repeat(depth);
const doubling = `<< $x := "ab" >><< range until 60 >><< $x = print $x $x >><< end >>`;
const lists = `<< $x := list 1 >><< range until 60 >><< $x = list $x $x >><< end >>`;

/** Templates that would not end. */
const HOSTILE: Record<string, string> = {
  'loops in loops': nested(6),
  'a repeated text': '<< repeat 1000000000 "x" >>',
  'a repeated repetition': '<< repeat 10000 (repeat 10000 "x") >>',
  'a text that doubles': doubling,
  'a list that doubles, printed': `${lists}<< $x >>`,
  'a list that doubles, as JSON': `${lists}<< toJson $x >>`,
  'a list that doubles, as YAML': `${lists}<< mustToYaml $x >>`,
  'a map that holds itself': '<< $d := dict >><< $d = set $d "d" $d >><< $d >>',
  'a map that holds itself, compared':
    '<< $d := dict >><< $d = set $d "d" $d >><< $e := dict >><< $e = set $e "d" $e >><< deepEqual $d $e >>',
  'a long sequence': '<< seq 1 999999999 >>',
  'a wide number': '<< range until 999 >><< printf "%999999d" 1 >><< end >>',
  'a template that calls itself': '<< define "t" >><< template "t" >><< end >><< template "t" >>',
  'templates that call each other twice': `${Array.from({ length: 60 }, (_, i) => `<< define "t${i}" >><< template "t${i + 1}" >><< template "t${i + 1}" >><< end >>`).join('')}<< define "t60" >><< end >><< template "t0" >>`,
  'deep parentheses': `<< ${'('.repeat(5000)}1${')'.repeat(5000)} >>`,
  'deep blocks': `${'<< if true >>'.repeat(5000)}${'<< end >>'.repeat(5000)}`,
  'many branches': `<< if false >>${'<< else if false >>'.repeat(20_000)}<< end >>`,
  'a pattern of many copies': '<< range until 99999 >><< regexMatch (printf "(x{1,900}){%d}" .) "x" >><< end >>',
};

it.each(Object.entries(HOSTILE))('%s is an error', (_, template) => {
  expect(() => render(template)).toThrow(
    /more than|too large|maximum|max expression|nested|too many|error parsing regexp/,
  );
});

const long = '<< $x := repeat 1000000 "a " >>';

/** Functions that read a long text repeatedly, and return almost nothing. */
it.each([
  ['a long text, looked at as a whole', `${long}<< range until 1000 >><< $y := $x | urlParse >><< end >>`],
  ['each of its words', `${long}<< range until 1000 >><< $y := title $x >><< end >>`],
  [
    'one long text in another',
    `${long}<< $y := printf "%sb" $x >><< range until 99 >><< $z := contains $y $x >><< end >>`,
  ],
  ['a long text compared', `${long}<< range until 1000 >><< $y := eq $x "b" >><< end >>`],
  ['a long layout', `<< $t := toDate "2006" "2024" >>${long}<< range until 999 >><< $y := $t.Format $x >><< end >>`],
  ['chunks of one', '<< $x := until 100000 >><< range until 1000 >><< $y := chunk 1 $x >><< end >>'],
])('%s is an early error', (_, template) => {
  const meter = new Meter({ maxSteps: 2_000_000, maxBytes: 20_000_000 });
  expect(() => render(template, {}, meter)).toThrow(/the template takes more than/);
});

it('the cost of a result is counted before it is created', () => {
  const meter = new Meter({ maxSteps: 1000, maxBytes: 1000 });
  expect(() => render('<< repeat 5000 "x" >>', {}, meter)).toThrow('the template takes more than 1000 bytes of text');
});

it('one meter may count many executions', () => {
  const meter = new Meter({ maxSteps: 100, maxBytes: 10_000 });
  expect(() => {
    for (let i = 0; i < 100; i++) render('<< range until 5 >><< end >>', {}, meter);
  }).toThrow('more than 100 steps');
});
