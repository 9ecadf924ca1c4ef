import { MAX_NESTING } from '../../../core/model/limits.ts';
import type { Delimiters } from './lexer.ts';
import type { Node, Templates } from './nodes.ts';
import { unquote } from './number.ts';
import { type Known, newScope, PipelineParser } from './pipeline-parser.ts';
import { describe, type Token, type TokenType } from './tokens.ts';

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
  return new Parser(text, delimiters, known).parse();
}

const NAMES: readonly TokenType[] = ['string', 'raw string'];

class Parser extends PipelineParser {
  private readonly templates = new Map<string, readonly Node[]>();
  private ranges = 0;
  private depth = 0;

  parse(): Templates {
    const nodes: Node[] = [];
    while (this.peek().type !== 'eof') {
      if (this.definition()) continue;
      const node = this.textOrAction();
      if (isEnding(node)) {
        throw this.error(`unexpected {{${node.type}}}`, node.offset);
      }
      nodes.push(node);
    }
    this.add('', nodes, 0);
    return this.templates;
  }

  /** Parses a `define`, which is only allowed at the top. */
  private definition(): boolean {
    if (this.peek().type !== 'left delimiter') return false;
    const delimiter = this.next();
    const word = this.nextNonSpace();
    if (word.type !== 'define') {
      this.back(delimiter, word);
      return false;
    }
    const context = 'define clause';
    const name = this.unquoted(this.expect(NAMES, context));
    this.expect(['right delimiter'], context);
    this.add(name, this.ownList(context), word.offset);
    return true;
  }

  /** Parses the body of a separate template, without outer variables and loops. */
  private ownList(context: string): Node[] {
    const { scope, ranges } = this;
    this.scope = newScope();
    this.ranges = 0;
    const { nodes, ending } = this.list();
    if (ending.type !== 'end') throw this.error(`unexpected {{else}} in ${context}`, ending.offset);
    this.scope = scope;
    this.ranges = ranges;
    return nodes;
  }

  private add(name: string, nodes: readonly Node[], offset: number): void {
    const earlier = this.templates.get(name);
    if (earlier === undefined || isEmpty(earlier)) this.templates.set(name, nodes);
    else if (!isEmpty(nodes)) {
      throw this.error(`multiple definition of template ${JSON.stringify(name)}`, offset, name);
    }
  }

  private list(): List {
    if (++this.depth > MAX_NESTING) throw this.error(`blocks are nested more than ${MAX_NESTING} deep`);
    const nodes: Node[] = [];
    while (this.peekNonSpace().type !== 'eof') {
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
    const token = this.nextNonSpace();
    if (token.type === 'text') return { type: 'text', offset: token.offset, text: token.text };
    return token.type === 'left delimiter' ? this.action(token) : this.unexpected(token, 'input');
  }

  private action(delimiter: Token): Node | Ending {
    const token = this.nextNonSpace();
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
        this.expect(['right delimiter'], 'end');
        return { type, offset };
      case 'if':
      case 'with':
      case 'range':
        return this.control(type, delimiter.offset);
      case 'template':
        return this.call();
      default:
        this.back(token);
        return { type: 'action', offset: token.offset, pipe: this.pipeline('command', 'right delimiter') };
    }
  }

  private jump(type: 'break' | 'continue', offset: number): Node {
    this.expect(['right delimiter'], `{{${type}}}`);
    if (this.ranges === 0) throw this.error(`{{${type}}} outside {{range}}`, offset);
    return { type, offset };
  }

  /** Parses `else`, which an `if` or a `with` may follow. */
  private otherwise(offset: number): Ending {
    const { type } = this.peekNonSpace();
    if (type !== 'if' && type !== 'with') this.expect(['right delimiter'], 'else');
    return { type: 'else', offset };
  }

  private control(type: 'if' | 'with' | 'range', offset: number): Node {
    const declared = this.scope.variables.length;
    const pipe = this.pipeline(type, 'right delimiter');
    if (type === 'range') this.ranges++;
    const { nodes, ending } = this.list();
    if (type === 'range') this.ranges--;
    const otherwise = ending.type === 'else' ? this.elseList(type, ending.offset) : undefined;
    this.forget(declared);
    return { type, offset, pipe, body: nodes, otherwise };
  }

  private elseList(type: 'if' | 'with' | 'range', offset: number): Node[] {
    const next = this.peek();
    if (type !== 'range' && next.type === type) {
      this.next();
      if (++this.depth > MAX_NESTING * 10) throw this.error('too many branches');
      const nested = this.control(type, offset);
      this.depth--;
      return [nested];
    }
    const { nodes, ending } = this.list();
    if (ending.type !== 'end') throw this.error('expected end; found {{else}}', ending.offset);
    return nodes;
  }

  private block(): Node {
    const context = 'block clause';
    const token = this.expect(NAMES, context);
    const name = this.unquoted(token);
    const pipe = this.pipeline(context, 'right delimiter');
    this.add(name, this.ownList(context), token.offset);
    return { type: 'template', offset: token.offset, name, pipe };
  }

  private call(): Node {
    const context = 'template clause';
    const token = this.expect(NAMES, context);
    const name = this.unquoted(token);
    const next = this.nextNonSpace();
    if (next.type !== 'right delimiter') this.back(next);
    const pipe = next.type === 'right delimiter' ? undefined : this.pipeline(context, 'right delimiter');
    return { type: 'template', offset: token.offset, name, pipe };
  }

  private unquoted(token: Token): string {
    const text = unquote(token.text);
    if (text === undefined) {
      throw this.error(`invalid syntax: ${describe(token)}`, token.offset, undefined, 'bad-escape');
    }
    return text;
  }
}

const isEnding = (node: Node | Ending): node is Ending => node.type === 'end' || node.type === 'else';

/** Templates with only spaces count as undefined. */
const isEmpty = (nodes: readonly Node[]): boolean =>
  nodes.every((node) => node.type === 'text' && node.text.trim() === '');
