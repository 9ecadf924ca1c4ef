import { MAX_ARGUMENTS, MAX_NESTING } from '../../../core/model/limits.ts';
import type { Delimiters } from './lexer.ts';
import type { Command, Operand, Pipe, Step } from './nodes.ts';
import { readNumber, unquote } from './number.ts';
import { TokenStream } from './token-stream.ts';
import type { Token, TokenType } from './tokens.ts';

/** Reports whether a function exists. */
export type Known = (name: string) => boolean;

const OPERANDS: ReadonlySet<TokenType> = new Set<TokenType>([
  'bool',
  'char constant',
  'complex',
  '.',
  'field',
  'identifier',
  'number',
  'nil',
  'raw string',
  'string',
  'variable',
  '(',
]);
const CONSTANTS: ReadonlySet<string> = new Set(['bool', 'dot', 'nil', 'number', 'string']);

/** The visible variables of a template: in the order of their declarations, and how many there are of each name. */
export const newScope = () => ({ variables: ['$'], inSight: new Map([['$', 1]]) });

/** Parses pipelines, and tracks the visible variables. */
export class PipelineParser extends TokenStream {
  protected scope = newScope();
  private parentheses = 0;

  constructor(
    text: string,
    delimiters: Delimiters,
    private readonly known: Known,
  ) {
    super(text, delimiters);
  }

  /** Removes all variables but the first ones. */
  protected forget(declared: number): void {
    for (const name of this.scope.variables.splice(declared)) {
      this.scope.inSight.set(name, (this.scope.inSight.get(name) ?? 1) - 1);
    }
  }

  /** Parses a pipeline and the token that ends it. */
  protected pipeline(context: string, end: 'right delimiter' | ')'): Pipe {
    const { offset } = this.peekNonSpace();
    const { names, assigns } = this.declarations(context);
    const commands: Command[] = [];
    for (;;) {
      const token = this.nextNonSpace();
      if (token.type === end) {
        this.check(commands, context);
        return { type: 'pipe', offset, variables: names, assigns, commands };
      }
      if (!OPERANDS.has(token.type)) this.unexpected(token, context);
      this.back(token);
      commands.push(this.command());
    }
  }

  private declarations(context: string): { names: string[]; assigns: boolean } {
    const names: string[] = [];
    for (;;) {
      const variable = this.peekNonSpace();
      if (variable.type !== 'variable') return { names, assigns: false };
      this.next();
      const after = this.peek();
      const next = this.peekNonSpace();
      const isComma = next.type === 'char' && next.text === ',';
      if (next.type !== '=' && next.type !== ':=' && !isComma) {
        this.back(variable, after.type === 'space' ? after : undefined);
        return { names, assigns: false };
      }
      this.nextNonSpace();
      names.push(this.declare(variable));
      if (!isComma) return { names, assigns: next.type === '=' };
      this.checkSecond(context, names.length);
    }
  }

  private declare({ text }: Token): string {
    const { variables, inSight } = this.scope;
    variables.push(text);
    inSight.set(text, (inSight.get(text) ?? 0) + 1);
    return text;
  }

  /** Only `range` declares two variables. */
  private checkSecond(context: string, count: number): void {
    if (context !== 'range' || count > 1) throw this.error(`too many declarations in ${context}`);
    const { type } = this.peekNonSpace();
    if (type === 'variable' || type === 'right delimiter' || type === ')') return;
    throw this.error('range can only initialize variables');
  }

  private check(commands: readonly Command[], context: string): void {
    if (commands.length === 0) throw this.error(`missing value for ${context}`, undefined, undefined, 'no-command');
    const stage = commands.findIndex(({ first }, index) => index > 0 && CONSTANTS.has(first.type));
    if (stage >= 0) throw this.error(`non executable command in pipeline stage ${stage + 1}`);
  }

  private command(): Command {
    const { offset } = this.peekNonSpace();
    const words: Operand[] = [];
    for (;;) {
      this.peekNonSpace();
      const operand = this.operand();
      if (operand !== undefined) words.push(operand);
      if (words.length > MAX_ARGUMENTS + 1) throw this.error(`a call has more than ${MAX_ARGUMENTS} arguments`);
      const token = this.next();
      if (token.type === 'space') continue;
      if (token.type === 'right delimiter' || token.type === ')') this.back(token);
      else if (token.type !== '|') this.unexpected(token, 'operand');
      break;
    }
    const [first, ...args] = words;
    if (first === undefined) throw this.error('empty command');
    return { offset, first, args };
  }

  private operand(): Operand | undefined {
    const term = this.term();
    if (term === undefined || this.peek().type !== 'field') return term;
    const steps: Step[] = [];
    const { offset } = this.peek();
    while (this.peek().type === 'field') steps.push(stepOf(this.next()));
    switch (term.type) {
      case 'field':
      case 'variable':
        return { ...term, steps: [...term.steps, ...steps] };
      case 'pipe':
      case 'function':
        return { type: 'chain', offset, of: term, steps };
      default:
        throw this.error(`unexpected . after term`, term.offset);
    }
  }

  private term(): Operand | undefined {
    const token = this.nextNonSpace();
    const { type, offset, text } = token;
    switch (type) {
      case 'identifier':
        if (!this.known(text)) throw this.error(`function "${text}" not defined`, offset, text, 'unknown-function');
        return { type: 'function', offset, name: text };
      case '.':
        return { type: 'dot', offset };
      case 'nil':
        return { type: 'nil', offset };
      case 'bool':
        return { type: 'bool', offset, value: text === 'true' };
      case 'field':
        return { type: 'field', offset, steps: [stepOf(token)] };
      case 'variable':
        return this.variable(token);
      case '(':
        return this.parenthesized();
      case 'number':
      case 'complex':
      case 'char constant':
        return this.number(token, type);
      case 'string':
      case 'raw string':
        return this.string(token);
      default:
        this.back(token);
        return undefined;
    }
  }

  private variable({ offset, text }: Token): Operand {
    if (!this.scope.inSight.get(text))
      throw this.error(`undefined variable "${text}"`, offset, text, 'undefined-variable');
    return { type: 'variable', offset, name: text, steps: [] };
  }

  private parenthesized(): Pipe {
    if (++this.parentheses > MAX_NESTING) throw this.error('max expression depth exceeded');
    const pipe = this.pipeline('parenthesized pipeline', ')');
    this.parentheses--;
    return pipe;
  }

  private number({ offset, text }: Token, type: 'number' | 'complex' | 'char constant'): Operand {
    const value = readNumber(text, type);
    if (typeof value === 'string') throw this.error(value, offset);
    return { type: 'number', offset, value };
  }

  private string({ offset, text }: Token): Operand {
    const value = unquote(text);
    if (value === undefined) throw this.error('invalid syntax', offset, undefined, 'bad-escape');
    return { type: 'string', offset, value };
  }
}

const stepOf = ({ offset, text }: Token): Step => ({ name: text.slice(1), offset: offset + 1 });
