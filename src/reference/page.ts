import { toJsonText } from '../emit/index.ts';

import type { Graph, GraphNode } from '../rgd/compile/index.ts';
import { boundsOf, typeName } from '../sample/index.ts';
import type { Schema } from '../schema/index.ts';
import { visible } from '../text/visible.ts';

/** A Markdown page about RGDs: the fields of an instance, what it renders, its status. */
export const referencePage = (graphs: readonly Graph[]): string => visible(graphs.map(sectionOf).join('\n'));

function sectionOf(graph: Graph): string {
  const scope = graph.namespaced ? 'namespaced' : 'cluster-scoped';
  const fields = fieldRows(graph.schema.properties?.spec ?? {}, '');
  const nodes = graph.nodes.map((node) => nodeRow(node));
  const status = fieldRows(graph.schema.properties?.status ?? {}, '').filter(([name]) => isOwnStatus(name ?? ''));
  const parts = [
    `# ${escaped(graph.kind)}`,
    `\`${graph.group}/${graph.version}\`, ${scope}, defined by the ResourceGraphDefinition ${code(graph.name)}.`,
    '## Fields',
    fields.length === 0 ? 'There are none.' : table(['field', 'type', 'default', 'allowed', 'description'], fields),
    '## What it renders',
    nodes.length === 0 ? 'Nothing.' : table(['node', 'objects', 'when', 'one for each'], nodes),
    ...(status.length === 0
      ? []
      : [
          '## Status',
          table(
            ['field', 'type'],
            status.map((row) => row.slice(0, 2)),
          ),
        ]),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** kro's own fields are there in every kind. */
const isOwnStatus = (name: string): boolean => !/^`(state|conditions)/.test(name);

function fieldRows(schema: Schema, prefix: string): string[][] {
  const required = schema.required ?? [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const isNeeded = required.includes(name) && field.default === undefined;
    const fallback = field.default === undefined ? (isNeeded ? 'required' : '') : code(toJsonText(field.default));
    const allowed = boundsOf(field).map(escaped).join('<br>');
    const row = [code(path), escaped(typeName(field)), fallback, allowed, escaped(field.description ?? '')];
    return [row, ...fieldRows(field, `${path}.`), ...innerRows(field, path)];
  });
}

/** The fields of the items of a list, or of the entries of a map. */
function innerRows({ items, additionalProperties }: Schema, path: string): string[][] {
  if (items !== undefined) return fieldRows(items, `${path}[].`);
  return typeof additionalProperties === 'object' ? fieldRows(additionalProperties, `${path}.*.`) : [];
}

function nodeRow({ id, gvk, kind, includeWhen, forEach }: GraphNode): string[] {
  const group = gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`;
  const isReference = kind === 'external' || kind === 'externalCollection';
  const object = `${escaped(gvk.kind)} (${code(group)})${isReference ? ', which must be there already' : ''}`;
  const conditions = includeWhen.map(({ source }) => code(source.trim())).join(' and ');
  const iterators = forEach.map(({ name, expression }) => `${escaped(name)} of ${code(expression.source.trim())}`);
  return [code(id), object, conditions === '' ? 'always' : conditions, iterators.join(', ')];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Text in a cell of a table that is neither Markdown nor HTML. */
const escaped = (text: string): string =>
  text.replace(/\s*[\r\n]+\s*/g, ' ').replace(/[\\`*_{}[\]<>|&#~@!]/g, (char) => `&#${char.charCodeAt(0)};`);

/** Code in a cell: only a bar would end it, and backticks need more of them around. */
function code(text: string): string {
  const line = text.replace(/\s*[\r\n]+\s*/g, ' ');
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = longest > 0 ? ' ' : '';
  return `${fence}${padding}${line.replaceAll('|', '\\|')}${padding}${fence}`;
}
