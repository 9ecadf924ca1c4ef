import type { Draw } from '../differential/draw.ts';
import { operand, pipeline, type Scope } from './expressions.ts';
import type { Kind } from './signatures.ts';

/** A template with its inputs. */
export interface GeneratedTemplate {
  template: string;
  inputs: string;
  left: string;
  right: string;
}

/** JSON text, because 1.0 and 1 differ. */
export const INPUTS = [
  '{"name": "quay", "text": "one\\ntwo\\n", "unicode": "Ærøskøbing ✓", "count": 4, "ratio": 1.5, "negative": -12, "big": 9007199254740993, "large": 1e21, "on": true, "off": false, "list": ["b", "a", "c"], "mixed": [1, "x", null, 2.5, true, {"k": "v"}, [1, 2]], "map": {"k": "v", "none": null, "items": [3, 1], "deep": {"k": {"k": 1}}}, "empty": {}, "k": "here"}',
  '{"name": "", "text": "plain", "unicode": "e\\u0301", "count": 0, "ratio": 0.1, "negative": -1, "big": -9223372036854775808, "large": 123456789.5, "on": false, "off": true, "list": [], "mixed": [null], "map": {"k": null, "none": 0, "items": [], "deep": {}}, "empty": {}, "k": 5}',
  '{"name": "9-Lives & co", "text": "a: b # c", "unicode": "日本", "count": 12, "ratio": 2.0, "negative": -100, "big": 9223372036854775807, "large": 0.0000001, "on": true, "off": true, "list": ["yes", "1", "a b"], "mixed": ["m", 3], "map": {"k": "<&>", "none": [], "items": [{"a10": 1, "a2": 2}], "deep": {"k": "long words of text that go on and on until the eightieth column has been passed by far"}}, "empty": {}, "k": [1]}',
];
const TEXTS = ['text ', ' ', '\n', 'é\n', 'a>b ', '  lead\n', '- item\n', '', '>> ', '" '];
const KINDS: readonly Kind[] = ['string', 'int', 'number', 'bool', 'list', 'map', 'any'];

/** Returns delimiters with optional trim markers. */
function action({ draw }: Scope, inside: string): string {
  const open = draw.chance(15) ? '<<- ' : draw.pick(['<< ', '<<']);
  const close = draw.chance(15) ? ' ->>' : draw.pick([' >>', '>>']);
  return open + inside + close;
}

/** Draws a template. */
export function templateOf(draw: Draw): GeneratedTemplate {
  const scope: Scope = { draw, variables: [], dot: false };
  const defined = draw.chance(15) ? definition(scope) : '';
  const body = statements(scope, 0, false);
  const cut = draw.chance(2) ? body.slice(0, draw.int(0, body.length)) : body;
  return { template: defined + cut, inputs: draw.pick(INPUTS), left: '<<', right: '>>' };
}

function definition({ draw }: Scope): string {
  const inner: Scope = { draw, variables: [], dot: true };
  return `<<define "part">>${statements(inner, 2, false)}<<end>>`;
}

function statements(scope: Scope, depth: number, inLoop: boolean): string {
  const declared = scope.variables.length;
  const text = scope.draw.times(1, depth === 0 ? 3 : 2, () => statement(scope, depth, inLoop)).join('');
  scope.variables.length = declared;
  return text;
}

const DEEPEST = 3;

function statement(scope: Scope, depth: number, inLoop: boolean): string {
  const { draw } = scope;
  const choice = draw.int(0, depth < DEEPEST ? 13 : 7);
  if (choice < 4) return action(scope, pipeline(scope, draw.pick(KINDS)));
  if (choice === 4) return draw.pick(TEXTS);
  if (choice === 5) return declaration(scope);
  if (choice === 6) return action(scope, operand(scope, 'any'));
  if (choice === 7) return jump(scope, inLoop);
  if (choice < 10) return branch(scope, depth, inLoop);
  if (choice < 12) return loop(scope, depth);
  return choice === 12
    ? block(scope, depth)
    : draw.pick([
        '<</* a comment */>>',
        '<<- /* trimmed */ ->>',
        '<<template "part" inputs.map>>',
        '<<template "part">>',
      ]);
}

function declaration(scope: Scope): string {
  const { draw, variables } = scope;
  const kind = draw.pick(KINDS);
  const existing = variables.length > 0 && draw.chance(30) ? draw.pick(variables) : undefined;
  const value = draw.chance(50) ? operand(scope, kind) : pipeline(scope, kind);
  if (existing !== undefined) return action(scope, `${existing.name} = ${value}`);
  const name = `$v${variables.length}`;
  variables.push({ name, kind });
  return action(scope, `${name} := ${value}`);
}

function jump(scope: Scope, inLoop: boolean): string {
  const { draw } = scope;
  if (!inLoop || draw.chance(50)) return draw.pick(TEXTS);
  return `${action(scope, `if ${operand(scope, 'bool')}`)}${action(scope, draw.pick(['break', 'continue']))}<<end>>`;
}

function branch(scope: Scope, depth: number, inLoop: boolean): string {
  const { draw, variables } = scope;
  const word = draw.pick(['if', 'if', 'with']);
  const declared = variables.length;
  const head = draw.chance(20)
    ? `${word} $w${declared} := ${pipeline(scope, 'any')}`
    : `${word} ${draw.chance(50) ? pipeline(scope, 'any') : operand(scope, 'any')}`;
  if (head.includes(`$w${declared} :=`)) variables.push({ name: `$w${declared}`, kind: 'any' });
  const inner: Scope = { ...scope, dot: scope.dot || word === 'with' };
  let text = action(scope, head) + statements(inner, depth + 1, inLoop);
  if (draw.chance(25))
    text += action(scope, `else ${word} ${operand(scope, 'any')}`) + statements(scope, depth + 1, inLoop);
  if (draw.chance(50)) text += action(scope, 'else') + statements(scope, depth + 1, inLoop);
  variables.length = declared;
  return text + action(scope, 'end');
}

function loop(scope: Scope, depth: number): string {
  const { draw, variables } = scope;
  const declared = variables.length;
  const over = draw.pick<Kind>(['list', 'list', 'map', 'int', 'any']);
  const value = draw.chance(60) ? operand(scope, over) : pipeline(scope, over);
  const names = draw.pick([[], [`$e${declared}`], [`$i${declared}`, `$e${declared}`]]);
  const head = names.length === 0 ? `range ${value}` : `range ${names.join(', ')} := ${value}`;
  for (const name of names) variables.push({ name, kind: name.startsWith('$i') ? 'int' : 'any' });
  let text = action(scope, head) + statements({ ...scope, dot: true }, depth + 1, true);
  variables.length = declared;
  if (draw.chance(25)) text += action(scope, 'else') + statements(scope, depth + 1, false);
  return text + action(scope, 'end');
}

function block(scope: Scope, depth: number): string {
  const { draw } = scope;
  const inner: Scope = { draw, variables: [], dot: true };
  const name = `b${draw.int(0, 9)}`;
  return (
    action(scope, `block "${name}" ${operand(scope, 'any')}`) +
    statements(inner, depth + 1, false) +
    action(scope, 'end')
  );
}
