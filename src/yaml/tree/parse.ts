import { CHOMPING_MODE, type DocumentDirective, EVENT_ID, type Event, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import { plainKey } from '../../core/text/plain-scalar.ts';
import { isSyntaxProblem, type ParsedDocument, parseDocument, type SyntaxProblem } from './events.ts';
import { scalarText } from './scalar.ts';
import {
  type Entry,
  emptyNode,
  type Item,
  type ListNode,
  type MapNode,
  type ScalarNode,
  type ScalarStyle,
  scalarNode,
  type YamlNode,
} from './tree.ts';

/** A valid document. */
export interface SyntaxTree {
  root: YamlNode;
  /** All aliases, in their order. */
  aliases: readonly ScalarNode[];
  hasTags: boolean;
}

/** Returns the tree of a document exactly as Kubernetes reads it, or its first error. Aliases have targets. */
export function parseTree(document: string): SyntaxTree | SyntaxProblem {
  const parsed = parseDocument(document);
  return isSyntaxProblem(parsed) ? parsed : treeOf(parsed);
}

/** Returns the tree of a parsed document; its offsets are those of `original`. */
export function treeOf(parsed: ParsedDocument): SyntaxTree {
  const builder = new Builder(parsed);
  const root = builder.node(false) ?? emptyNode(parsed.original(0));
  return { root, aliases: builder.aliases, hasTags: builder.hasTags };
}

const STYLES: Readonly<Record<number, ScalarStyle>> = {
  [SCALAR_STYLE.SINGLE_QUOTED]: 'single',
  [SCALAR_STYLE.DOUBLE_QUOTED]: 'double',
  [SCALAR_STYLE.LITERAL_BLOCK]: 'literal',
  [SCALAR_STYLE.FOLDED_BLOCK]: 'folded',
};
const CHOMPS: Readonly<Record<number, ScalarNode['chomp']>> = { [CHOMPING_MODE.STRIP]: '-', [CHOMPING_MODE.KEEP]: '+' };

/** Follows the events; the end of a node is the start of the search for the next marker. */
class Builder {
  readonly aliases: ScalarNode[] = [];
  hasTags = false;
  private at = 1;
  /** The end of the last node. */
  private end = 0;
  private readonly anchors = new Map<string, { node: YamlNode; name: string }>();

  constructor(private readonly parsed: ParsedDocument) {}

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
      this.anchors.set(anchor, { node, name: this.nameOf(event) });
    }
    return node;
  }

  private alias(start: number, end: number): ScalarNode {
    const { source, original } = this.parsed;
    this.end = end;
    const node = scalarNode('alias', original(start - 1), original(end));
    const target = this.anchors.get(source.slice(start, end))?.node;
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
    const style = STYLES[event.style] ?? 'plain';
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
      chomp: CHOMPS[event.chomping] ?? '',
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
    if (flow) this.end = behindBracket(source, this.end);
    node.end = original(this.end);
    return node;
  }

  private entries(): Entry[] {
    const entries: Entry[] = [];
    for (;;) {
      const event = this.parsed.events[this.at];
      const key = this.node(false);
      const value = key && this.node(true);
      if (event === undefined || key === undefined || value === undefined) return entries;
      const isScalar = key.kind === 'scalar';
      const written = isScalar ? key : { ...scalarNode('complex', key.start, key.end), target: key };
      entries.push({ key: written, name: this.nameOf(event), complete: true, value });
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

  private nameOf(event: Event): string {
    const { source } = this.parsed;
    if (event.type === EVENT_ID.ALIAS) {
      return this.anchors.get(source.slice(event.anchorStart, event.anchorEnd))?.name ?? '';
    }
    if (event.type !== EVENT_ID.SCALAR) return '';
    const text = scalarText(source, event);
    return event.style === SCALAR_STYLE.PLAIN && event.tagStart < 0 ? (plainKey(text) ?? text) : text;
  }
}

/** Returns the full name of a tag: `!!str`, `!<tag:yaml.org,2002:str>`, or one with a %TAG handle. */
function tagName(written: string, directives: readonly DocumentDirective[]): string {
  if (written.startsWith('!<')) return written.slice(2, -1);
  const handle = written.slice(0, written.indexOf('!', 1) + 1) || '!';
  const declared = directives.find((directive) => directive.kind === 'tag' && directive.handle === handle);
  const prefix = declared?.kind === 'tag' ? declared.prefix : handle === '!!' ? 'tag:yaml.org,2002:' : handle;
  return prefix + written.slice(handle.length);
}

/**
 * Spaces, line breaks and comments. A `#` directly after other text does not start a comment, except at the start of a
 * line after a block scalar.
 */
const BLANKS = /(?:[ \t\r\n\uFEFF]+(?:#[^\r\n]*)?|(?<=[\r\n])#[^\r\n]*)*/y;
/** The same, with what may be between the last part of a flow collection and its end. */
const BEFORE_BRACKET = /(?:[ \t\r\n,:?]+(?:#[^\r\n]*)?)*/y;

function behindMarker(source: string, offset: number, marker: ':' | '-'): number {
  BLANKS.lastIndex = offset;
  BLANKS.test(source);
  return source[BLANKS.lastIndex] === marker ? BLANKS.lastIndex + 1 : offset;
}

function behindBracket(source: string, offset: number): number {
  BEFORE_BRACKET.lastIndex = offset;
  BEFORE_BRACKET.test(source);
  return BEFORE_BRACKET.lastIndex + 1;
}
