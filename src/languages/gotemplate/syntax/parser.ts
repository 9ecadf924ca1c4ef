import { MAX_ARGUMENTS, MAX_NESTING } from '../../../core/model/limits.ts';
import { toBytes } from '../bytes.ts';
import { type Delimiters, describe, type Token, TokenStream } from './lexer.ts';
import type { Command, Node, Operand, Pipe, Step, Templates } from './nodes.ts';
import { readNumber, unquote } from './number.ts';

/** How a list of nodes ended. */
type Ending = { type: 'end' | 'else'; offset: number };

/** Reports whether a function exists. */
type Known = (name: string) => boolean;

const CONSTANTS: ReadonlySet<string> = new Set(['bool', 'dot', 'nil', 'number', 'string']);

/** The visible variables of a template: in the order of their declarations, and how many there are of each name. */
const newScope = () => ({ variables: ['$'], inSight: new Map([['$', 1]]) });

/** Parses a template and those that it defines. @throws TemplateError (syntax) */
export const parseTemplate = (text: string, delimiters: Delimiters, known: Known): Templates =>
  new Parser(text, delimiters, known).parse();

class Parser extends TokenStream {
  private readonly templates = new Map<string, readonly Node[]>();
  private scope = newScope();
  private ranges = 0;
  private depth = 0;
  private parentheses = 0;

  constructor(
    text: string,
    delimiters: Delimiters,
    private readonly known: Known,
  ) {
    super(text, delimiters);
  }

  parse(): Templates {
    const nodes: Node[] = [];
    while (this.peek().type !== 'eof') {
      // Only allowed at the top.
      if (this.peek().type === 'left delimiter' && this.peek(1).type === 'define') {
        this.define();
        continue;
      }
      const node = this.textOrAction();
      if (isEnding(node)) throw this.error(`unexpected {{${node.type}}}`, node.offset);
      nodes.push(node);
    }
    this.add('', nodes, 0);
    return this.templates;
  }

  private define(): void {
    this.next();
    const { offset } = this.next();
    const context = 'define clause';
    const { name } = this.name(context);
    this.expect(['right delimiter'], context);
    this.add(name, this.ownList(context), offset);
  }

  /** Parses the body of a separate template, without outer variables and loops. */
  private ownList(context: string): Node[] {
    const { scope, ranges } = this;
    this.scope = newScope();
    this.ranges = 0;
    const nodes = this.lastList(`unexpected {{else}} in ${context}`);
    this.scope = scope;
    this.ranges = ranges;
    return nodes;
  }

  /** Parses a list that must not have an alternative. */
  private lastList(message: string): Node[] {
    const { nodes, ending } = this.list();
    if (ending.type !== 'end') throw this.error(message, ending.offset);
    return nodes;
  }

  private add(name: string, nodes: readonly Node[], offset: number): void {
    const earlier = this.templates.get(name);
    if (earlier === undefined || isEmpty(earlier)) this.templates.set(name, nodes);
    else if (!isEmpty(nodes)) throw this.error(`multiple definition of template ${JSON.stringify(name)}`, offset, name);
  }

  private list(): { nodes: Node[]; ending: Ending } {
    if (++this.depth > MAX_NESTING) throw this.error(`blocks are nested more than ${MAX_NESTING} deep`);
    const nodes: Node[] = [];
    while (this.peek().type !== 'eof') {
      const node = this.textOrAction();
      if (isEnding(node)) {
        this.depth--;
        return { nodes, ending: node };
      }
      nodes.push(node);
    }
    throw this.error('unexpected EOF', undefined, undefined, 'unclosed-block');
  }

  private textOrAction(): Node | Ending {
    const token = this.next();
    if (token.type === 'text') return { type: 'text', offset: token.offset, text: toBytes(token.text) };
    return token.type === 'left delimiter' ? this.action(token) : this.unexpected(token, 'input');
  }

  private action(delimiter: Token): Node | Ending {
    const token = this.next();
    const { type, offset } = token;
    switch (type) {
      case 'block':
      case 'template':
        return this.call(type);
      case 'break':
      case 'continue':
        this.expect(['right delimiter'], `{{${type}}}`);
        if (this.ranges === 0) throw this.error(`{{${type}}} outside {{range}}`, offset);
        return { type, offset };
      case 'else': {
        const after = this.peek().type;
        if (after !== 'if' && after !== 'with') this.expect(['right delimiter'], 'else');
        return { type, offset };
      }
      case 'end':
        this.expect(['right delimiter'], 'end');
        return { type, offset };
      case 'if':
      case 'with':
      case 'range':
        return this.control(type, delimiter.offset);
      default:
        this.back(token);
        return { type: 'action', offset, pipe: this.pipeline('command', 'right delimiter') };
    }
  }

  private control(type: 'if' | 'with' | 'range', offset: number): Node {
    const declared = this.scope.variables.length;
    const pipe = this.pipeline(type, 'right delimiter');
    if (type === 'range') this.ranges++;
    const { nodes, ending } = this.list();
    if (type === 'range') this.ranges--;
    const otherwise = ending.type === 'else' ? this.elseList(type, ending.offset) : undefined;
    for (const name of this.scope.variables.splice(declared)) {
      this.scope.inSight.set(name, (this.scope.inSight.get(name) ?? 1) - 1);
    }
    return { type, offset, pipe, body: nodes, otherwise };
  }

  private elseList(type: 'if' | 'with' | 'range', offset: number): Node[] {
    if (type === 'range' || this.peek().type !== type) return this.lastList('expected end; found {{else}}');
    this.next();
    if (++this.depth > MAX_NESTING * 10) throw this.error('too many branches');
    const nested = this.control(type, offset);
    this.depth--;
    return [nested];
  }

  /** Parses the call of a template, which a `block` defines too. */
  private call(type: 'block' | 'template'): Node {
    const context = `${type} clause`;
    const { name, offset } = this.name(context);
    const hasDot = type === 'block' || this.peek().type !== 'right delimiter';
    const pipe = hasDot ? this.pipeline(context, 'right delimiter') : undefined;
    if (!hasDot) this.next();
    if (type === 'block') this.add(name, this.ownList(context), offset);
    return { type: 'template', offset, name, pipe };
  }

  /** Parses a pipeline and the token that ends it. */
  private pipeline(context: string, end: 'right delimiter' | ')'): Pipe {
    const { offset } = this.peek();
    const { names, assigns } = this.declarations(context);
    const commands: Command[] = [];
    while (this.peek().type !== end) commands.push(this.command(context));
    this.next();
    if (commands.length === 0) throw this.error(`missing value for ${context}`, undefined, undefined, 'no-command');
    const stage = commands.findIndex(({ first }, index) => index > 0 && CONSTANTS.has(first.type));
    if (stage >= 0) throw this.error(`non executable command in pipeline stage ${stage + 1}`);
    return { type: 'pipe', offset, variables: names, assigns, commands };
  }

  private declarations(context: string): { names: string[]; assigns: boolean } {
    const names: string[] = [];
    for (let token = this.peek(); token.type === 'variable'; token = this.peek()) {
      const { type, text } = this.peek(1);
      const isComma = type === 'char' && text === ',';
      if (type !== '=' && type !== ':=' && !isComma) break;
      this.next();
      this.next();
      names.push(this.declare(token));
      if (!isComma) return { names, assigns: type === '=' };
      if (context !== 'range' || names.length > 1) throw this.error(`too many declarations in ${context}`);
      if (!['variable', 'right delimiter', ')'].includes(this.peek().type)) {
        throw this.error('range can only initialize variables');
      }
    }
    return { names, assigns: false };
  }

  private declare({ text }: Token): string {
    const { variables, inSight } = this.scope;
    variables.push(text);
    inSight.set(text, (inSight.get(text) ?? 0) + 1);
    return text;
  }

  private command(context: string): Command {
    const { offset } = this.peek();
    const first = this.operand() ?? this.unexpected(this.peek(), context);
    const args: Operand[] = [];
    for (;;) {
      const { type, spaced } = this.peek();
      if (type === '|') this.next();
      if (type === '|' || type === 'right delimiter' || type === ')') return { offset, first, args };
      const operand = spaced ? this.operand() : undefined;
      args.push(operand ?? this.unexpected(this.peek(), 'operand'));
      if (args.length > MAX_ARGUMENTS) throw this.error(`a call has more than ${MAX_ARGUMENTS} arguments`);
    }
  }

  private operand(): Operand | undefined {
    const term = this.term();
    const { offset } = this.peek();
    const steps: Step[] = [];
    while (this.peek().type === 'field' && !this.peek().spaced) steps.push(stepOf(this.next()));
    if (term === undefined || steps.length === 0) return term;
    switch (term.type) {
      case 'field':
      case 'variable':
        return { ...term, steps: [...term.steps, ...steps] };
      case 'pipe':
      case 'function':
        return { type: 'chain', offset, of: term, steps };
      default:
        throw this.error('unexpected . after term', term.offset);
    }
  }

  private term(): Operand | undefined {
    const token = this.next();
    const { type, offset, text } = token;
    switch (type) {
      case 'identifier':
        if (!this.known(text)) throw this.error(`function "${text}" not defined`, offset, text, 'unknown-function');
        return { type: 'function', offset, name: text };
      case '.':
        return { type: 'dot', offset };
      case 'nil':
        return { type, offset };
      case 'bool':
        return { type, offset, value: text === 'true' };
      case 'field':
        return { type, offset, steps: [stepOf(token)] };
      case 'variable':
        if (this.scope.inSight.get(text)) return { type, offset, name: text, steps: [] };
        throw this.error(`undefined variable "${text}"`, offset, text, 'undefined-variable');
      case '(': {
        if (++this.parentheses > MAX_NESTING) throw this.error('max expression depth exceeded');
        const pipe = this.pipeline('parenthesized pipeline', ')');
        this.parentheses--;
        return pipe;
      }
      case 'number':
      case 'complex':
      case 'char constant': {
        const value = readNumber(text, type);
        if (typeof value === 'string') throw this.error(value, offset);
        return { type: 'number', offset, value };
      }
      case 'string':
      case 'raw string':
        return { type: 'string', offset, value: this.unquoted(token) };
      default:
        this.back(token);
        return undefined;
    }
  }

  /** Reads the name of a template. */
  private name(context: string): { name: string; offset: number } {
    const token = this.expect(['string', 'raw string'], context);
    return { name: this.unquoted(token, `: ${describe(token)}`), offset: token.offset };
  }

  private unquoted({ text, offset }: Token, shown = ''): string {
    const value = unquote(text);
    if (value === undefined) throw this.error(`invalid syntax${shown}`, offset, undefined, 'bad-escape');
    return value;
  }
}

const stepOf = ({ offset, text }: Token): Step => ({ name: toBytes(text.slice(1)), offset: offset + 1 });

const isEnding = (node: Node | Ending): node is Ending => node.type === 'end' || node.type === 'else';

/** Templates with only spaces count as undefined. */
const isEmpty = (nodes: readonly Node[]): boolean =>
  nodes.every((node) => node.type === 'text' && node.text.trim() === '');
