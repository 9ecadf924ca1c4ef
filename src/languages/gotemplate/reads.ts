import { getOrCompute } from '../../core/model/lazily.ts';
import type { Read } from '../../core/model/read.ts';
import { fromBytes } from './bytes.ts';
import type { Command, Node, Operand, Pipe, Templates } from './syntax/nodes.ts';

/**
 * Returns what templates read of a function without arguments: `inputs.a`, `get inputs "a"`, `index inputs "a" "b"`,
 * and the same through variables, dots, other templates, and maps that are changed. It is at least what an execution
 * reads, and may be more: a value with a computed key counts as the whole map.
 * @returns for each template of the list its reads, each with the offset of the part that prints or decides
 */
export function readsOf(templates: readonly { templates: Templates }[], name: string): (readonly Read[])[] {
  const written = new Sources();
  const readers = templates.map(({ templates: texts }) => new Reader(texts, name, written));
  const total = (): number => readers.reduce((sum, reader) => sum + reader.size, written.size);
  for (;;) {
    const before = total();
    const reads = readers.map((reader) => reader.round());
    if (total() === before) return reads;
  }
}

/** Longer paths are truncated, so that a loop with growing paths ends. */
const DEEPEST = 8;

/** The sources of a value: parts of the function's value, unchanged or processed. */
class Sources {
  private readonly all = new Map<string, { path: readonly string[]; isItself: boolean }>();

  get size(): number {
    return this.all.size;
  }

  get paths(): (readonly string[])[] {
    return [...new Map([...this.all.values()].map(({ path }) => [JSON.stringify(path), path])).values()];
  }

  add(path: readonly string[], isItself: boolean): this {
    const itself = isItself && path.length < DEEPEST;
    const cut = path.slice(0, DEEPEST);
    this.all.set(JSON.stringify([cut, itself]), { path: cut, isItself: itself });
    return this;
  }

  join(...others: (Sources | undefined | readonly (Sources | undefined)[])[]): this {
    for (const other of others.flat()) for (const [key, source] of other?.all ?? []) this.all.set(key, source);
    return this;
  }

  /** Returns the part below keys; without keys, a value that is derived from it. */
  below(keys?: readonly string[]): Sources {
    const found = new Sources();
    for (const { path, isItself } of this.all.values()) {
      found.add(isItself && keys !== undefined ? [...path, ...keys] : path, isItself && keys !== undefined);
    }
    return found;
  }
}

/** Analyses one template; the results of a round are used in the next one. */
class Reader {
  /** Of variables, for all scopes; of the dot at the top of each text, and of its output. */
  private readonly known = new Map<string, Sources>();
  private reads: Read[] = [];
  private text = '';

  constructor(
    private readonly texts: Templates,
    private readonly name: string,
    private readonly written: Sources,
  ) {}

  get size(): number {
    return [...this.known.values()].reduce((sum, { size }) => sum + size, 0);
  }

  private at(what: 'variable' | 'dot' | 'output', name: string): Sources {
    return getOrCompute(this.known, `${what} ${name}`, () => new Sources());
  }

  round(): readonly Read[] {
    this.reads = [];
    for (const [text, nodes] of this.texts) {
      this.text = text;
      const dot = this.at('dot', text);
      this.at('variable', '$').join(dot);
      this.walk(nodes, dot);
    }
    return this.reads;
  }

  private walk(nodes: readonly Node[], dot: Sources): void {
    for (const node of nodes) {
      if (node.type === 'action') this.action(node.pipe, dot);
      else if (node.type === 'template') this.call(node, dot);
      else if (node.type === 'if' || node.type === 'with' || node.type === 'range') {
        const value = this.pipe(node.pipe, dot);
        const inside = node.type === 'range' ? value.below() : value;
        for (const variable of node.pipe.variables) this.at('variable', variable).join(inside);
        this.record(node.pipe.offset, value);
        this.walk(node.body, node.type === 'if' ? dot : inside);
        this.walk(node.otherwise ?? [], dot);
      }
    }
  }

  private action(pipe: Pipe, dot: Sources): void {
    const value = this.pipe(pipe, dot);
    for (const variable of pipe.variables) this.at('variable', variable).join(value);
    if (pipe.variables.length === 0) this.record(pipe.offset, value);
  }

  private call({ name, offset, pipe }: Extract<Node, { type: 'template' }>, dot: Sources): void {
    if (pipe !== undefined) this.at('dot', name).join(this.pipe(pipe, dot));
    this.record(offset, this.at('output', name));
  }

  private record(offset: number, value: Sources): void {
    if (value.size === 0) return;
    for (const path of value.paths)
      this.reads.push({ root: this.name, path: path.map(fromBytes), needed: 0, offset, whole: true });
    this.at('output', this.text).join(value.below());
  }

  private pipe({ commands }: Pipe, dot: Sources): Sources {
    let value: Sources | undefined;
    for (const command of commands) value = this.command(command, value, dot);
    return value ?? new Sources();
  }

  private command({ first, args: words }: Command, piped: Sources | undefined, dot: Sources): Sources {
    const args = words.map((word) => this.operand(word, dot));
    if (piped !== undefined) args.push(piped);
    if (first.type !== 'function' || first.name === this.name) {
      const value = this.operand(first, dot);
      return args.length === 0 ? value : new Sources().join(value, args).below();
    }
    const keys = words.map((word) => (word.type === 'string' ? word.value : undefined));
    return this.lookup(first.name, args, keys) ?? new Sources().join(args).below();
  }

  /** Functions that read a key of a map, or set one. */
  private lookup(name: string, args: readonly Sources[], keys: readonly (string | undefined)[]): Sources | undefined {
    const [first, second, third] = args;
    const known = (some: typeof keys): string[] | undefined =>
      some.every((key) => key !== undefined) ? (some as string[]) : undefined;
    const below = args.length === keys.length ? known(keys.slice(1)) : undefined;
    switch (name) {
      case 'get':
      case 'index':
        return below && first?.below(below);
      case 'hasKey':
        return keys[1] === undefined ? undefined : first?.below([keys[1]]).below();
      case 'pick':
        return below && new Sources().join(below.map((key) => first?.below([key]).below()));
      case 'dig': {
        const steps = known(keys.slice(0, args.length - 2));
        return steps && new Sources().join(args.at(-1)?.below(steps), args.at(-2)?.below());
      }
      case 'set':
        // Maps are shared: later reads may return, or contain, what was written.
        this.written.join(second?.below(), third?.below());
        return new Sources().join(first, second?.below(), third?.below());
      default:
        return undefined;
    }
  }

  private operand(operand: Operand, dot: Sources): Sources {
    const steps = 'steps' in operand ? operand.steps.map((step) => step.name) : [];
    switch (operand.type) {
      case 'pipe':
        return this.pipe(operand, dot);
      case 'dot':
      case 'field':
        return new Sources().join(dot.below(steps), this.written);
      case 'variable':
        return new Sources().join(this.at('variable', operand.name).below(steps), this.written);
      case 'chain':
        return this.operand(operand.of, dot).below(steps);
      case 'function':
        return operand.name === this.name ? new Sources().add([], true).join(this.written) : new Sources();
      default:
        return new Sources();
    }
  }
}
