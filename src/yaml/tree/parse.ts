import { type DocumentDirective, EVENT_ID, type Event, type ScalarEvent } from 'js-yaml';
import { isSyntaxProblem, type ParsedDocument, parseDocument, type SyntaxProblem } from './events.ts';
import { chompOf, keyText, match, styleOf } from './scalar.ts';
import {
  type Entry,
  emptyNode,
  type Item,
  type ListNode,
  type MapNode,
  type ScalarNode,
  type SyntaxTree,
  scalarNode,
  type YamlNode,
} from './tree.ts';

/**
 * The last document that was parsed for itself. The position of a problem and the values of Secrets beside it are looked
 * up one after the other, each of them in the tree.
 */
let last: { readonly document: string; readonly tree: SyntaxTree | SyntaxProblem } | undefined;

/**
 * Returns the tree of a document exactly as Kubernetes reads it, or its first error. Aliases have targets. Its offsets
 * count in `text`, the stream in which the document begins at `start`. A tree is read-only: the next call for the same
 * document may return it again.
 */
export function parseTree(document: string, text = document, start = 0): SyntaxTree | SyntaxProblem {
  if (text !== document || start !== 0) return parseTreeIn(document, text, start);
  if (last?.document !== document) last = { document, tree: parseTreeIn(document, document, 0) };
  return last.tree;
}

function parseTreeIn(document: string, text: string, start: number): SyntaxTree | SyntaxProblem {
  const parsed = parseDocument(document);
  if (isSyntaxProblem(parsed)) return parsed;
  const original = (offset: number): number => Math.min(start + parsed.original(offset), text.length);
  const builder = new Builder({ ...parsed, original }, text);
  const root = builder.node(false) ?? emptyNode(original(0));
  return { root, aliases: builder.aliases, hasTags: builder.hasTags };
}

/** Follows the events; the end of a node is the start of the search for the next marker. */
class Builder {
  readonly aliases: ScalarNode[] = [];
  hasTags = false;
  private at = 1;
  private end = 0;
  private readonly anchors = new Map<string, YamlNode>();

  constructor(
    private readonly parsed: ParsedDocument,
    private readonly text: string,
  ) {}

  /** Reads a node; `undefined` at the end of a collection. */
  node(isValue: boolean): YamlNode | undefined {
    const { source, events } = this.parsed;
    const event = events[this.at++];
    if (event === undefined || event.type === EVENT_ID.POP || event.type === EVENT_ID.DOCUMENT) return undefined;
    if (event.type === EVENT_ID.ALIAS) return this.alias(event.anchorStart, event.anchorEnd);
    const anchor = event.anchorStart < 0 ? undefined : source.slice(event.anchorStart, event.anchorEnd);
    // A value that contains itself has no target.
    if (anchor !== undefined) this.anchors.delete(anchor);
    this.hasTags ||= event.tagStart >= 0;
    const node = event.type === EVENT_ID.SCALAR ? this.scalar(event, isValue) : this.collection(event);
    if (anchor !== undefined) {
      node.anchor = anchor;
      this.anchors.set(anchor, node);
    }
    return node;
  }

  private alias(start: number, end: number): ScalarNode {
    const { source, original } = this.parsed;
    this.end = end;
    const node = scalarNode('alias', original(start - 1), original(end));
    const target = this.anchors.get(source.slice(start, end));
    if (target !== undefined) node.target = target;
    this.aliases.push(node);
    return node;
  }

  private scalar(event: ScalarEvent, isValue: boolean): ScalarNode {
    const { source, original } = this.parsed;
    if (event.valueStart < 0) {
      const properties = Math.max(event.anchorEnd, event.tagEnd);
      if (properties >= 0) this.end = properties;
      else if (isValue) this.end = behindMarker(source, this.end, ':');
      return { ...emptyNode(original(this.end)), ...this.tagOf(event) };
    }
    const style = styleOf(event.style);
    const quote = style === 'single' || style === 'double' ? 1 : 0;
    this.end = event.valueEnd + quote;
    return {
      kind: 'scalar',
      style,
      start: original(event.valueStart - quote),
      end: original(this.end),
      innerStart: original(event.valueStart),
      innerEnd: original(event.valueEnd),
      indent: event.indent,
      chomp: chompOf(event.chomping),
      unclosed: false,
      ...this.tagOf(event),
    };
  }

  private tagOf({ tagStart, tagEnd }: ScalarEvent): { tag?: string } {
    const { source, events } = this.parsed;
    const [first] = events;
    const directives = first?.type === EVENT_ID.DOCUMENT ? first.directives : [];
    return tagStart < 0 ? {} : { tag: tagName(source.slice(tagStart, tagEnd), directives) };
  }

  private collection(event: Extract<Event, { start: number }>): MapNode | ListNode {
    const { source, original } = this.parsed;
    const flow = source[event.start] === '{' || source[event.start] === '[';
    this.end = event.start + (flow ? 1 : 0);
    const start = original(event.start);
    const node: MapNode | ListNode =
      event.type === EVENT_ID.MAPPING
        ? { kind: 'map', start, end: start, flow, entries: this.entries() }
        : { kind: 'list', start, end: start, flow, items: this.items(flow) };
    if (flow) this.end += match(BEFORE_BRACKET, source, this.end).length + 1;
    node.end = original(this.end);
    return node;
  }

  private entries(): Entry[] {
    const entries: Entry[] = [];
    for (;;) {
      const read = this.node(false);
      const value = read && this.node(true);
      if (read === undefined || value === undefined) return entries;
      const isScalar = read.kind === 'scalar';
      const key = isScalar ? read : { ...scalarNode('complex', read.start, read.end), target: read };
      entries.push({ key, name: keyText(this.text, key), complete: true, value });
    }
  }

  private items(flow: boolean): Item[] {
    const items: Item[] = [];
    const { source, original } = this.parsed;
    while (this.parsed.events[this.at]?.type !== EVENT_ID.POP) {
      if (!flow) this.end = behindMarker(source, this.end, '-');
      const dash = this.end - 1;
      const value = this.node(false);
      if (value === undefined) return items;
      items.push({ dash: flow ? value.start : original(dash), value });
    }
    this.at++;
    return items;
  }
}

/** Returns the full name of a tag, which may have a handle: `!!str`, or one of %TAG. */
function tagName(written: string, directives: readonly DocumentDirective[]): string {
  if (written.startsWith('!<')) return written.slice(2, -1);
  const handle = written.slice(0, written.indexOf('!', 1) + 1) || '!';
  const declared = directives.find((directive) => directive.kind === 'tag' && directive.handle === handle);
  const prefix = declared?.kind === 'tag' ? declared.prefix : handle === '!!' ? 'tag:yaml.org,2002:' : handle;
  return prefix + written.slice(handle.length);
}

/** Spaces, line breaks and comments, which other text does not precede except in the line before. */
const BLANKS = /(?:[ \t\r\n\uFEFF]+(?:#[^\r\n]*)?|(?<=[\r\n])#[^\r\n]*)*/y;
/** The same, with what may be between the last part of a flow collection and its end. */
const BEFORE_BRACKET = /(?:[ \t\r\n,:?]+(?:#[^\r\n]*)?)*/y;

function behindMarker(source: string, offset: number, marker: ':' | '-'): number {
  const at = offset + match(BLANKS, source, offset).length;
  return source[at] === marker ? at + 1 : offset;
}
