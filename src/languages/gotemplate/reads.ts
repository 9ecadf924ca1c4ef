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
  let reads = readers.map((reader) => reader.round());
  for (let size = -1; size !== total(readers, written); ) {
    size = total(readers, written);
    reads = readers.map((reader) => reader.round());
  }
  return reads;
}

const total = (readers: readonly Reader[], written: Sources): number =>
  readers.reduce((sum, reader) => sum + reader.size(), written.size);

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

  /** Returns the part below keys. */
  below(keys: readonly string[]): Sources {
    const found = new Sources();
    for (const { path, isItself } of this.all.values()) found.add(isItself ? [...path, ...keys] : path, isItself);
    return found;
  }

  /** Returns a value derived from it. */
  created(): Sources {
    const found = new Sources();
    for (const { path } of this.all.values()) found.add(path, false);
    return found;
  }
}

/** Analyses one template; the results of a round are used in the next one. */
class Reader {
  /** By name, for all scopes. */
  private readonly variables = new Map<string, Sources>();
  /** The dot at the top of each text, and the output of the text. */
  private readonly dots = new Map<string, Sources>();
  private readonly printed = new Map<string, Sources>();
  private reads: Read[] = [];
  private text = '';

  constructor(
    private readonly texts: Templates,
    private readonly name: string,
    private readonly written: Sources,
  ) {}

  size(): number {
    const all = [this.variables, this.dots, this.printed].flatMap((one) => [...one.values()]);
    return all.reduce((sum, { size }) => sum + size, 0);
  }

  round(): readonly Read[] {
    this.reads = [];
    for (const [text, nodes] of this.texts) {
      this.text = text;
      const dot = at(this.dots, text);
      at(this.variables, '$').join(dot);
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
        const inside = node.type === 'range' ? value.created() : value;
        for (const variable of node.pipe.variables) at(this.variables, variable).join(inside);
        this.record(node.pipe.offset, value);
        this.walk(node.body, node.type === 'if' ? dot : inside);
        this.walk(node.otherwise ?? [], dot);
      }
    }
  }

  private action(pipe: Pipe, dot: Sources): void {
    const value = this.pipe(pipe, dot);
    for (const variable of pipe.variables) at(this.variables, variable).join(value);
    if (pipe.variables.length === 0) this.record(pipe.offset, value);
  }

  private call({ name, offset, pipe }: Extract<Node, { type: 'template' }>, dot: Sources): void {
    if (pipe !== undefined) at(this.dots, name).join(this.pipe(pipe, dot));
    this.record(offset, at(this.printed, name));
  }

  private record(offset: number, value: Sources): void {
    if (value.size === 0) return;
    for (const path of value.paths)
      this.reads.push({ root: this.name, path: path.map(fromBytes), needed: 0, offset, whole: true });
    at(this.printed, this.text).join(value.created());
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
      return args.length === 0 ? value : new Sources().join(value, args).created();
    }
    const keys = words.map((word) => (word.type === 'string' ? word.value : undefined));
    return this.lookup(first.name, args, keys) ?? new Sources().join(args).created();
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
        return keys[1] === undefined ? undefined : first?.below([keys[1]]).created();
      case 'pick':
        return below && new Sources().join(below.map((key) => first?.below([key]).created()));
      case 'dig': {
        const steps = known(keys.slice(0, args.length - 2));
        return steps && new Sources().join(args.at(-1)?.below(steps), args.at(-2)?.created());
      }
      case 'set':
        // Maps are shared: later reads may return, or contain, what was written.
        this.written.join(second?.created(), third?.created());
        return new Sources().join(first, second?.created(), third?.created());
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
        return new Sources().join(this.variables.get(operand.name)?.below(steps), this.written);
      case 'chain':
        return this.operand(operand.of, dot).below(steps);
      case 'function':
        return operand.name === this.name ? new Sources().add([], true).join(this.written) : new Sources();
      default:
        return new Sources();
    }
  }
}

const at = (sources: Map<string, Sources>, name: string): Sources => getOrCompute(sources, name, () => new Sources());
