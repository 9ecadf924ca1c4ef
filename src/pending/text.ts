import { HIDDEN } from '../expand/secrecy.ts';
import type { Awaited } from './index.ts';

const HEAD = ['INSTANCE', 'NODE', 'FIELD', 'WAITS FOR', 'VALUE', 'OPTIONAL', 'EXPRESSION'];

/** The awaited values as a table, and below it the references that would do in their place. */
export function awaitedText(values: readonly Awaited[]): string {
  if (values.length === 0) return 'nothing waits\n';
  const rows = values.map(({ instance, node, field, object, path, optional, expression }) => [
    titled(instance.kind, instance.namespace, instance.name),
    node,
    field,
    titled(object.kind, object.namespace, object.name ?? (object.secret ? HIDDEN : '(not known yet)')),
    path === '' ? '(the object)' : path,
    optional ? 'yes' : 'no',
    expression === '' ? '-' : expression,
  ]);
  return `${table([HEAD, ...rows])}${alternatives(values)}`;
}

function alternatives(values: readonly Awaited[]): string {
  const lines = values.flatMap(({ instance, node, field, alternative }) => {
    if (alternative === undefined) return [];
    return [`  ${instance.kind} node ${node}: ${alternative.field}: ${alternative.value} in place of ${field}`];
  });
  if (lines.length === 0) return '';
  return `\nThese need not wait, the kind takes a reference:\n${[...new Set(lines)].join('\n')}\n`;
}

const titled = (kind: string, namespace: string, name: string): string =>
  `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;

function table(rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map(onOneLine));
  const widths = HEAD.map((_, column) => shown.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), 0));
  const lines = shown.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

/** Expressions may hold anything, line breaks and control characters too. */
const onOneLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ');
