import { HIDDEN } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { fullTitleOf } from '../../core/model/object.ts';
import type { PendingValue } from '../../kubernetes/front-end/index.ts';

/**
 * Returns the pending values by object, each with its readers, followed by alternative references. No line is longer
 * than `width`.
 */
export function awaitedText(values: readonly PendingValue[], width = Number.POSITIVE_INFINITY): string {
  if (values.length === 0) return 'nothing is pending\n';
  const objects = groupBy(values, ({ object }) => fullTitleOf({ ...object, name: nameShown(object) }));
  const lines = [...objects].flatMap(([title, ofObject]) => [
    ...wrap(onOneLine(title), '', width),
    ...[...groupBy(ofObject, pathOf)].flatMap(([path, readers]) => [
      ...wrap(onOneLine(path), '  ', width),
      ...readers.flatMap((reader) => wrap(onOneLine(readerText(reader)), '    ', width)),
    ]),
  ]);
  return [...lines, ...alternatives(values, width)].map((line) => `${line}\n`).join('');
}

const UNNAMED = '(not known yet)';

const nameShown = ({ name, secret, selector }: PendingValue['object']): string =>
  selector === undefined ? (name ?? (secret ? HIDDEN : UNNAMED)) : `(${selector || 'all'})`;

const pathOf = ({ path, optional }: PendingValue): string =>
  `${path === '' ? '(the object)' : path}${optional ? ' (optional)' : ''}`;

function readerText({ instance, node, field, expression }: PendingValue): string {
  const reader = `${fullTitleOf(instance)} node ${node} ${field}`;
  return expression === '' ? reader : `${reader}: ${expression}`;
}

function alternatives(values: readonly PendingValue[], width: number): string[] {
  const found = values.flatMap(({ instance, node, field, alternative }) => {
    if (alternative === undefined) return [];
    return [`${instance.kind} node ${node}: ${alternative.field}: ${alternative.value} in place of ${field}`];
  });
  if (found.length === 0) return [];
  const heading = wrap('These values can be replaced by a reference that the kind accepts:', '', width);
  return ['', ...heading, ...[...new Set(found)].flatMap((line) => wrap(onOneLine(line), '  ', width))];
}

/** Expressions may contain any characters, including line breaks and control characters. */
const onOneLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ');

const NARROWEST = 20;

/** Wraps a text into lines of at most `width` characters; those after the first are indented by two more columns. */
function wrap(text: string, indentation: string, width: number): string[] {
  const limit = Math.max(width, NARROWEST);
  const lines: string[] = [];
  let line = indentation;
  let isEmpty = true;
  const breakLine = (): void => {
    lines.push(line.trimEnd());
    line = `${indentation}  `;
    isEmpty = true;
  };
  for (const word of text.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > limit) breakLine();
    let rest = isEmpty ? word : ` ${word}`;
    while (line.length + rest.length > limit) {
      const remaining = limit - line.length;
      line += rest.slice(0, remaining);
      rest = rest.slice(remaining);
      breakLine();
    }
    line += rest;
    isEmpty = false;
  }
  return [...lines, line.trimEnd()];
}
