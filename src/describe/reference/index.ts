import { type Allowance, allowance, MAX_PAGE_FIELDS } from '../../core/model/limits.ts';
import { onOneLine, withoutEnds } from '../../core/text/ends.ts';
import { greatest } from '../../core/text/extremes.ts';
import { visible } from '../../core/text/visible.ts';
import { type Graph, type GraphNode, isReference } from '../../kro/compile/index.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { boundsOf, typeName } from '../sample/index.ts';

/** The reference page of an RGD. */

/** The markers around the page in another one. */
export const INJECTED = { begin: '<!-- render-rgd docs begin -->', end: '<!-- render-rgd docs end -->' } as const;

/** Replaces the page between the markers of a text; returns `undefined` unless it has both, once each and in order. */
export function inject(text: string, page: string): string | undefined {
  const { begin, end } = INJECTED;
  const [before, rest, ...more] = text.split(begin);
  const [, behind, ...others] = rest?.split(end) ?? [];
  if (before === undefined || behind === undefined || more.length > 0 || others.length > 0) return undefined;
  return before.includes(end) ? undefined : `${before}${begin}\n\n${page.trimEnd()}\n\n${end}${behind}`;
}

interface PageOptions {
  /** The graph of an RGD, as Mermaid. */
  graphOf?: (graph: Graph) => string;
  /** A sample instance of an RGD, as YAML. */
  sampleOf?: (graph: Graph) => string;
  /** The level of the headings of RGDs. Default: 1. */
  level?: number;
}

/** Returns a Markdown page about RGDs: links to them, the fields of an instance, its objects, its status. */
export function referencePage(graphs: readonly Graph[], options: PageOptions = {}): string {
  const contents = graphs.length > 1 ? `${contentsOf(graphs)}\n` : '';
  const room = allowance(MAX_PAGE_FIELDS);
  return visible(contents + graphs.map((graph) => sectionOf(graph, options, room)).join('\n'));
}

/** Returns links to the sections, with the anchors that GitHub and GitLab give to headings. */
function contentsOf(graphs: readonly Graph[]): string {
  const times = new Map<string, number>();
  const lines = graphs.map(({ kind }) => {
    const anchor = kind.toLowerCase();
    const before = times.get(anchor) ?? 0;
    times.set(anchor, before + 1);
    return `- [${kind}](#${anchor}${before === 0 ? '' : `-${before}`})\n`;
  });
  return lines.join('');
}

/** Returns a code block whose fence does not occur in the text. */
function fenced(language: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, greatest([...text.matchAll(/`+/g)].map(([run]) => run.length)) + 1));
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

function sectionOf(graph: Graph, { graphOf, sampleOf, level = 1 }: PageOptions, room: Allowance): string {
  const heading = (depth: number, text: string): string => `${'#'.repeat(level + depth)} ${text}`;
  const scope = graph.namespaced ? 'namespaced' : 'cluster-scoped';
  const fields = fieldRows(graph.schema.properties?.spec ?? {}, room);
  const nodes = graph.nodes.map((node) => nodeRow(node));
  const status = fieldRows(graph.schema.properties?.status ?? {}, room)
    .filter(([name]) => isOwnStatus(name ?? ''))
    .map((row) => row.slice(0, 2));
  const parts = [
    heading(0, escaped(graph.kind)),
    `\`${graph.group}/${graph.version}\`, ${scope}, defined by the ResourceGraphDefinition ${code(graph.name)}.`,
    heading(1, 'Fields'),
    fields.length === 0 ? 'There are none.' : table(['field', 'type', 'default', 'allowed', 'description'], fields),
    ...(room.left > 0
      ? []
      : [`The page ends at ${MAX_PAGE_FIELDS} fields: \`schema ${graph.kind}\` prints all of them.`]),
    ...(sampleOf === undefined ? [] : [heading(1, 'Example'), fenced('yaml', sampleOf(graph))]),
    heading(1, 'What it renders'),
    nodes.length === 0 ? 'Nothing.' : table(['node', 'objects', 'when', 'one for each'], nodes),
    ...(status.length === 0 ? [] : [heading(1, 'Status'), table(['field', 'type'], status)]),
  ];
  if (graphOf !== undefined && graph.nodes.length > 0)
    parts.push(heading(1, 'Graph'), fenced('mermaid', graphOf(graph)));
  return `${parts.join('\n\n')}\n`;
}

/** kro's own fields exist in every kind. */
const isOwnStatus = (name: string): boolean => !/^`(state|conditions)/.test(name);

/** Returns the fields below a schema, each with its path, within the limit. */
function fieldRows(schema: Schema, room: Allowance): string[][] {
  const rows: string[][] = [];
  const addFields = ({ properties = {}, required = [] }: Schema, prefix: string): void => {
    for (const [name, field] of Object.entries(properties)) {
      if (room.left === 0) return;
      room.left -= 1;
      const path = `${prefix}${name}`;
      rows.push(rowOf(field, path, required.includes(name)));
      addFields(field, `${path}.`);
      const { items, additionalProperties } = field;
      if (items !== undefined) addFields(items, `${path}[].`);
      else if (typeof additionalProperties === 'object') addFields(additionalProperties, `${path}.*.`);
    }
  };
  addFields(schema, '');
  return rows;
}

function rowOf(field: Schema, path: string, isRequired: boolean): string[] {
  const isNeeded = isRequired && field.default === undefined;
  const fallback = field.default === undefined ? (isNeeded ? 'required' : '') : code(toJsonText(field.default));
  const allowed = boundsOf(field).map(escaped).join('<br>');
  return [code(path), escaped(typeName(field)), fallback, allowed, sanitized(field.description ?? '')];
}

function nodeRow(node: GraphNode): string[] {
  const { id, gvk, includeWhen, forEach } = node;
  const group = gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`;
  const object = `${escaped(gvk.kind)} (${code(group)})${isReference(node) ? ', which must be there already' : ''}`;
  const conditions = includeWhen.map(({ source }) => code(source.trim())).join(' and ');
  const iterators = forEach.map(({ name, expression }) => `${escaped(name)} of ${code(expression.source.trim())}`);
  return [code(id), object, conditions === '' ? 'always' : conditions, iterators.join(', ')];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Escapes Markdown and HTML in a table cell. */
const escaped = (text: string): string =>
  onOneLine(text).replace(/[\\`*_{}[\]<>|&#~@!]/g, (char) => `&#${char.charCodeAt(0)};`);

/** Returns code in a cell: escapes bars, and uses enough backticks. */
function code(text: string): string {
  const line = onOneLine(text);
  const longest = greatest([...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = longest > 0 ? ' ' : '';
  return `${fence}${padding}${line.replaceAll('|', '\\|')}${padding}${fence}`;
}

/** A code span: backticks, and the same number after it. */
const CODE = /(?<!`)(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g;
/** Links may lead to other pages, but not run code. */
const SAFE_TARGET = /^(https?:\/\/|mailto:|#|\.{0,2}\/|[\w-]+(\.[\w-]+)*([/?#]|$))/i;

/** Sanitizes Markdown for a cell: escapes HTML, and makes pictures links, and links to no pages text. */
export function sanitized(markdown: string): string {
  const line = markdown
    .trim()
    .split(/\r\n?|\n/)
    .map((one) => withoutEnds(one, ' \t'))
    .join('<br>');
  let written = '';
  let at = 0;
  for (const match of line.matchAll(CODE)) {
    written += plainPart(line.slice(at, match.index)) + match[0].replaceAll('<br>', ' ').replaceAll('|', '\\|');
    at = match.index + match[0].length;
  }
  return written + plainPart(line.slice(at));
}

const plainPart = (text: string): string =>
  text
    .split('<br>')
    .map((part) =>
      part
        .replace(/&(?=#?\w+;)/g, '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replace(/(?<!\\)\|/g, '\\|')
        .replaceAll('![', '[')
        .replace(/\]\(\s*([^)\s]*)/g, (whole, target: string) => (SAFE_TARGET.test(target) ? whole : '\\](')),
    )
    .join('<br>');
