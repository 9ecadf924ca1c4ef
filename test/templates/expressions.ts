import type { Draw } from '../differential/draw.ts';
import { type Kind, type Signature, signatures } from './signatures.ts';

/** The variables of a template. */
export interface Scope {
  draw: Draw;
  /** Variables with the probable kind of their value. */
  variables: { name: string; kind: Kind }[];
  /** Whether the dot has a value. */
  dot: boolean;
}

const STRINGS = [
  '"salt"',
  '""',
  '"a,b,,c"',
  '"Harbour Wall"',
  '"é日本"',
  '"ß İ ǆ"',
  '"12"',
  '"-7"',
  '"1e3"',
  '"0x1F"',
  '"true"',
  '"a\\tb\\n"',
  '"q\\"uote\'s"',
  '"<b>&amp;</b>"',
  '"/srv/../data/./x.tar.gz"',
  '"https://me:pw@host.example:8443/a%20b?x=1&y=2#frag"',
  '"{\\"k\\": [1, 2.5, null, \\"v\\"], \\"m\\": {\\"a\\": true}}"',
  '"U2FsdA=="',
  '"KNQWY5A="',
  '"1h30m"',
  '"90s"',
  '"2031-04-05"',
  '"2006-01-02"',
  '"k"',
  '"list"',
  '"name"',
  '"deep"',
  '"scheme"',
  '"host"',
  '"  pad  "',
  '"a-b_c.d"',
  '`raw "text" \\n`',
  '"😀 ok"',
  '"x\\x80y"',
  '"1_000"',
  '"+5"',
  '"99999999999999999999"',
  '"Mon Jan 2 15:04:05 2006"',
  '"🇩🇪"',
  '"yes"',
  '"a: b"',
  '"line one\\nline two\\n"',
  '"it\'s"',
  '"$1-${2}"',
  '"aXbXc"',
  '"%d of %s"',
  '"9lives"',
  '" "',
  '"..."',
  '"-"',
  '"string"',
  '"int"',
  '"\\u00e9"',
  '"\\101\\x41"',
];
const INTS = [
  '0',
  '1',
  '2',
  '3',
  '5',
  '10',
  '-1',
  '-3',
  '63',
  '100',
  '0x1F',
  '0o17',
  '017',
  '0b101',
  '1_000',
  "'a'",
  "'\\n'",
  '+4',
  '7.0',
  '1e2',
  "'日'",
];
const FLOATS = [
  '0.5',
  '1.5',
  '-2.25',
  '3.0',
  '1e6',
  '1e21',
  '1e-7',
  '123456789.125',
  '0.1',
  '.5',
  '0x1p4',
  '-0.0',
  '2.5',
];
const PATTERNS = [
  '"a+"',
  '"[a-z]+"',
  '"^v?[0-9]+"',
  '"(\\\\w)-(\\\\w)"',
  '""',
  '"("',
  '"a(?=b)"',
  '"\\\\s+"',
  '"(?i)HARBOUR"',
  '"x*"',
  '"[^a-z]"',
  '"(?P<first>[a-z])(?P<rest>.*)"',
  '"\\\\bl"',
  '"."',
  '"日"',
  '"$"',
  '"(a|b)?"',
  '"\\\\pL+"',
];
const LISTS = [
  '(list 1 2 3)',
  '(list "b" "a" "c")',
  '(list)',
  'inputs.list',
  'inputs.mixed',
  '(list nil 1 "x" false)',
  '(splitList "," "b,a,b")',
  '(until 4)',
  '(list (list 1) (dict "k" 2))',
  '(list inputs.count inputs.ratio)',
];
const MAPS = [
  'inputs',
  'inputs.map',
  'inputs.empty',
  '(dict "k" "v" "n" 2)',
  '(dict)',
  '(dict "scheme" "http" "host" "h.example" "path" "/p q" "query" "a=b")',
  '(dict "deep" (dict "k" nil))',
];
const TIMES = [
  '(toDate "2006-01-02" "2031-04-05")',
  '(toDate "2006-01-02T15:04:05Z07:00" "2020-02-29T23:59:59+02:00")',
  '(mustToDate "Jan _2 2006" "Feb 14 1999")',
  '(toDate "15:04" "07:30")',
];
const INPUT_PATHS: Record<Kind, readonly string[]> = {
  string: ['inputs.name', 'inputs.text', 'inputs.map.k', 'inputs.unicode'],
  int: ['(int inputs.count)', '(len inputs.list)'],
  number: ['inputs.count', 'inputs.ratio', 'inputs.negative', 'inputs.big'],
  float: ['inputs.ratio', 'inputs.large'],
  bool: ['inputs.on', 'inputs.off'],
  list: ['inputs.list', 'inputs.mixed', 'inputs.map.items'],
  map: ['inputs.map', 'inputs.map.deep', 'inputs'],
  time: TIMES,
  pattern: ['inputs.name'],
  any: [
    'inputs.map',
    'inputs.name',
    'inputs.list',
    'inputs.count',
    'inputs.map.none',
    'inputs.mixed',
    'inputs.on',
    'inputs.map.k',
    'inputs.text',
    'inputs.ratio',
    'inputs.nothing',
  ],
};

const DIRECT: Kind[] = ['string', 'int', 'number', 'float', 'bool', 'list', 'map'];

const wordOf = ({ draw }: Scope, kind: Kind): string => {
  switch (kind) {
    case 'string':
      return draw.pick(STRINGS);
    case 'int':
      return draw.pick(INTS);
    case 'number':
      return draw.pick(draw.chance(60) ? INTS : FLOATS);
    case 'float':
      return draw.pick(FLOATS);
    case 'bool':
      return draw.pick(['true', 'false']);
    case 'list':
      return draw.pick(LISTS);
    case 'map':
      return draw.pick(MAPS);
    case 'time':
      return draw.pick(TIMES);
    case 'pattern':
      return draw.pick(PATTERNS);
    default:
      return draw.chance(10) ? 'nil' : wordOf({ draw, variables: [], dot: false }, draw.pick(DIRECT));
  }
};

const MOST = 3;

/** Returns an expression that can be an argument. */
export function operand(scope: Scope, wanted: Kind, depth = 0): string {
  const { draw, variables, dot } = scope;
  // Sometimes of another kind.
  const kind = draw.chance(2) ? 'any' : wanted;
  const known = variables.filter((one) => one.kind === kind || kind === 'any');
  if (known.length > 0 && draw.chance(30)) return draw.pick(known).name;
  if (dot && draw.chance(12)) return draw.pick(['.', '.', '.', '$', '.k']);
  if (draw.chance(25)) return draw.pick(INPUT_PATHS[kind]);
  if (depth < MOST && draw.chance(35)) return `(${pipeline(scope, kind, depth + 1)})${draw.chance(1) ? '.k' : ''}`;
  return wordOf(scope, kind);
}

/** Returns a pipeline that probably has a value of a kind; `name` is a function that it calls. */
export function pipeline(scope: Scope, wanted: Kind, depth = 0, name?: string): string {
  const { draw } = scope;
  const named = signatures.filter((one) => one.name === name);
  if (named.length > 0) return call(scope, draw.pick(named), depth);
  if (draw.chance(10)) return special(scope, depth);
  const fitting = signatures.filter(({ gives }) => wanted === 'any' || gives === wanted);
  const signature = draw.pick(fitting.length > 0 ? fitting : signatures);
  return call(scope, signature, depth);
}

function call(scope: Scope, { name, takes, more }: Signature, depth: number): string {
  const { draw } = scope;
  // A map that contains itself cannot be printed, and crashes Go.
  if (name === 'set') return `set ${operand(scope, 'map', depth)} ${draw.pick(STRINGS)} ${draw.pick(INTS)}`;
  const kinds = [...takes, ...(more === undefined ? [] : draw.times(0, 3, () => more))];
  if (draw.chance(1)) kinds.pop();
  if (draw.chance(1) && draw.chance(50)) kinds.push('any');
  const last = kinds.at(-1);
  if (last !== undefined && last !== 'pattern' && draw.chance(30)) {
    const words = kinds.slice(0, -1).map((kind) => operand(scope, kind, depth));
    const first = draw.chance(50) ? operand(scope, last, depth) : pipeline(scope, last, depth + 1);
    return `${first === 'nil' ? 'inputs' : first} | ${[name, ...words].join(' ')}`;
  }
  return [name, ...kinds.map((kind) => operand(scope, kind, depth))].join(' ');
}

const TIME_METHODS = [
  '.Year',
  '.Month',
  '.Day',
  '.Weekday',
  '.YearDay',
  '.Unix',
  '.Format "Mon, 02 Jan 2006 15:04:05 -0700"',
  '.Format "2006-1-2 3:4PM Z07:00 .000"',
  '.AddDate 0 1 -1',
  '.IsZero',
  '.String',
  '.UTC',
  '.Hour',
];

/** Returns calls that the table of functions does not cover. */
function special(scope: Scope, depth: number): string {
  const { draw } = scope;
  switch (draw.int(0, 6)) {
    case 0:
    case 1:
      return printf(scope, depth);
    case 2:
      return `keys ${operand(scope, 'map', depth)} | sortAlpha`;
    case 3:
      return `values (dict ${operand(scope, 'string', depth)} ${operand(scope, 'any', depth)})`;
    case 4:
      return `${draw.pick(TIMES)}${draw.pick(TIME_METHODS)}`;
    case 5:
      return `print ${draw.times(0, 4, () => operand(scope, 'any', depth)).join(' ')}`;
    default:
      return operand(scope, 'any', depth);
  }
}

const VERBS = [...'vdsqxXtTfeEgGbocUO', 'v', 's', 'd', 'q', 'v'];
const FLAGS = ['', '', '', '', '+', '-', '#', '0', ' ', '#0', '+0', '-0', '# ', '++'];
const WIDTHS = ['', '', '', '5', '12', '.2', '8.3', '.', '.0', '*', '.*', '[1]', '[2]', '[9]', '[x]'];

function printf(scope: Scope, depth: number): string {
  const { draw } = scope;
  const directives = draw.times(
    1,
    3,
    () => `%${draw.pick(FLAGS)}${draw.pick(WIDTHS)}${draw.chance(3) ? '!' : draw.pick(VERBS)}`,
  );
  const format = directives
    .map((directive) => `${draw.pick(['', 'a', ' ', '%%', 'é'])}${directive}`)
    .join(draw.pick([' ', '|', '']));
  const args = draw.times(0, 4, () => operand(scope, draw.pick([...DIRECT, 'any', 'time']), depth));
  return ['printf', JSON.stringify(format), ...args].join(' ');
}
