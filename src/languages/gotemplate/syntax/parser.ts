import { MAX_NESTING } from '../../../core/model/limits.ts';
import type { Delimiters } from './lexer.ts';
import type { Node, Pipe, TemplateNode, Templates } from './nodes.ts';
import { type Known, PipelineParser } from './pipeline-parser.ts';
import { TokenStream } from './token-stream.ts';
import { describe, type Token } from './tokens.ts';
import { unquote } from './unquote.ts';

/** How a list of nodes ended. */
type Ending = { type: 'end' | 'else'; offset: number };

interface List {
  nodes: Node[];
  ending: Ending;
}

/**
 * Parses a template and those that it defines.
 * @param text bytes, see `toBytes`
 * @param known reports whether a function exists
 * @throws TemplateError (syntax)
 */
export function parseTemplate(text: string, delimiters: Delimiters, known: Known): Templates {
  return new Parser(new TokenStream(text, delimiters), known).parse();
}

class Parser {
  private readonly templates = new Map<string, readonly Node[]>();
  private pipelines: PipelineParser;
  private ranges = 0;
  private depth = 0;

  constructor(
    private readonly tokens: TokenStream,
    private readonly known: Known,
  ) {
    this.pipelines = new PipelineParser(tokens, known);
  }

  parse(): Templates {
    const nodes: Node[] = [];
    while (this.tokens.peek().type !== 'eof') {
      if (this.definition()) continue;
      const node = this.textOrAction();
      if (isEnding(node)) {
        throw this.tokens.error(`unexpected {{${node.type}}}`, node.offset);
      }
      nodes.push(node);
    }
    this.add('', nodes, 0);
    return this.templates;
  }

  /** Parses a `define`, which is only allowed at the top. */
  private definition(): boolean {
    const { tokens } = this;
    if (tokens.peek().type !== 'left delimiter') return false;
    const delimiter = tokens.next();
    const word = tokens.nextNonSpace();
    if (word.type !== 'define') {
      tokens.back(delimiter, word);
      return false;
    }
    const context = 'define clause';
    const name = this.unquoted(tokens.expect(['string', 'raw string'], context));
    tokens.expect(['right delimiter'], context);
    this.add(name, this.ownList(context), word.offset);
    return true;
  }

  /** Parses the body of a separate template, without outer variables and loops. */
  private ownList(context: string): Node[] {
    const { pipelines, ranges } = this;
    this.pipelines = new PipelineParser(this.tokens, this.known);
    this.ranges = 0;
    const { nodes, ending } = this.list();
    if (ending.type !== 'end') throw this.tokens.error(`unexpected {{else}} in ${context}`, ending.offset);
    this.pipelines = pipelines;
    this.ranges = ranges;
    return nodes;
  }

  private add(name: string, nodes: readonly Node[], offset: number): void {
    const earlier = this.templates.get(name);
    if (earlier === undefined || isEmpty(earlier)) this.templates.set(name, nodes);
    else if (!isEmpty(nodes)) {
      throw this.tokens.error(`multiple definition of template ${JSON.stringify(name)}`, offset, name);
    }
  }

  private list(): List {
    if (++this.depth > MAX_NESTING) throw this.tokens.error(`blocks are nested more than ${MAX_NESTING} deep`);
    const nodes: Node[] = [];
    while (this.tokens.peekNonSpace().type !== 'eof') {
      const node = this.textOrAction();
      if (isEnding(node)) {
        this.depth--;
        return { nodes, ending: node };
      }
      nodes.push(node);
    }
    throw this.tokens.error('unexpected EOF', undefined, undefined, 'unclosed-block');
  }

  private textOrAction(): Node | Ending {
    const token = this.tokens.nextNonSpace();
    if (token.type === 'text') return { type: 'text', offset: token.offset, text: token.text };
    return token.type === 'left delimiter' ? this.action(token) : this.tokens.unexpected(token, 'input');
  }

  private action(delimiter: Token): Node | Ending {
    const token = this.tokens.nextNonSpace();
    const { type, offset } = token;
    switch (type) {
      case 'block':
        return this.block();
      case 'break':
      case 'continue':
        return this.jump(type, offset);
      case 'else':
        return this.otherwise(offset);
      case 'end':
        this.tokens.expect(['right delimiter'], 'end');
        return { type, offset };
      case 'if':
      case 'with':
      case 'range':
        return this.control(type, delimiter.offset);
      case 'template':
        return this.call();
      default:
        this.tokens.back(token);
        return { type: 'action', offset: token.offset, pipe: this.pipelines.pipeline('command', 'right delimiter') };
    }
  }

  private jump(type: 'break' | 'continue', offset: number): Node {
    const token = this.tokens.nextNonSpace();
    if (token.type !== 'right delimiter') this.tokens.unexpected(token, `{{${type}}}`);
    if (this.ranges === 0) throw this.tokens.error(`{{${type}}} outside {{range}}`, offset);
    return { type, offset };
  }

  /** Parses `else`, which an `if` or a `with` may follow. */
  private otherwise(offset: number): Ending {
    const { type } = this.tokens.peekNonSpace();
    if (type !== 'if' && type !== 'with') this.tokens.expect(['right delimiter'], 'else');
    return { type: 'else', offset };
  }

  private control(type: 'if' | 'with' | 'range', offset: number): Node {
    const declared = this.pipelines.declared();
    const pipe = this.pipelines.pipeline(type, 'right delimiter');
    if (type === 'range') this.ranges++;
    const { nodes, ending } = this.list();
    if (type === 'range') this.ranges--;
    const otherwise = ending.type === 'else' ? this.elseList(type, ending.offset) : undefined;
    this.pipelines.forget(declared);
    return { type, offset, pipe, body: nodes, otherwise };
  }

  private elseList(type: 'if' | 'with' | 'range', offset: number): Node[] {
    const next = this.tokens.peek();
    if (type !== 'range' && next.type === type) {
      this.tokens.next();
      if (++this.depth > MAX_NESTING * 10) throw this.tokens.error('too many branches');
      const nested = this.control(type, offset);
      this.depth--;
      return [nested];
    }
    const { nodes, ending } = this.list();
    if (ending.type !== 'end') throw this.tokens.error('expected end; found {{else}}', ending.offset);
    return nodes;
  }

  private block(): Node {
    const context = 'block clause';
    const token = this.tokens.nextNonSpace();
    const name = this.templateName(token, context);
    const pipe = this.pipelines.pipeline(context, 'right delimiter');
    this.add(name, this.ownList(context), token.offset);
    return called(token, name, pipe);
  }

  private call(): Node {
    const context = 'template clause';
    const token = this.tokens.nextNonSpace();
    const name = this.templateName(token, context);
    const next = this.tokens.nextNonSpace();
    if (next.type === 'right delimiter') return called(token, name, undefined);
    this.tokens.back(next);
    return called(token, name, this.pipelines.pipeline(context, 'right delimiter'));
  }

  private templateName(token: Token, context: string): string {
    const isName = token.type === 'string' || token.type === 'raw string';
    return isName ? this.unquoted(token) : this.tokens.unexpected(token, context);
  }

  private unquoted(token: Token): string {
    const text = unquote(token.text);
    if (text === undefined) {
      throw this.tokens.error(`invalid syntax: ${describe(token)}`, token.offset, undefined, 'bad-escape');
    }
    return text;
  }
}

const isEnding = (node: Node | Ending): node is Ending => node.type === 'end' || node.type === 'else';

const called = ({ offset }: Token, name: string, pipe: Pipe | undefined): TemplateNode => ({
  type: 'template',
  offset,
  name,
  pipe,
});

/** Templates with only spaces count as undefined. */
const isEmpty = (nodes: readonly Node[]): boolean =>
  nodes.every((node) => node.type === 'text' && node.text.trim() === '');
