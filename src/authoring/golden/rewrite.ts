import { identityOf, isKubeObject, type KubeObject } from '../../core/model/object.ts';
import { equal, type Value } from '../../core/model/value.ts';
import { textWithValue } from '../../yaml/edit/index.ts';
import { toYaml } from '../../yaml/emit/index.ts';
import { readStream } from '../../yaml/parse/index.ts';

/**
 * Returns the text of expected objects after an update. Objects keep their order and comments; changed parts are edited
 * in the text; new objects come last. Text that cannot be edited is written again.
 */
export function rewriteExpected(text: string, objects: readonly KubeObject[]): string {
  const left = new Map(objects.map((object) => [identityOf(object), object]));
  const { documents, problems } = readStream(text, { keep: true });
  const parts = splitParts(
    text,
    documents.map(({ written }) => written?.start ?? -1),
  );
  if (problems.length > 0 || parts === undefined) return toYaml([...objects]);
  const lines: string[] = [];
  for (const [index, { value }] of documents.entries()) {
    const object = isKubeObject(value) ? left.get(identityOf(value)) : undefined;
    if (object === undefined) continue;
    left.delete(identityOf(object));
    lines.push(rewritten(parts[index] as string, value, object));
  }
  const added = [...left.values()].map((object) => toYaml([object]));
  const result = [...lines.map(endedLine), ...added].map(withoutMarker).join('---\n');
  return isSame(result, objects) ? result : toYaml([...objects]);
}

/** Returns the text of each document, with the comments before it. */
function splitParts(text: string, starts: readonly number[]): string[] | undefined {
  if (starts.some((start) => start < 0)) return undefined;
  return starts.map((start, index) => text.slice(index === 0 ? 0 : start, starts[index + 1] ?? text.length));
}

function rewritten(part: string, before: Value, after: KubeObject): string {
  if (equal(before, after)) return part;
  const body = withoutMarker(part);
  const edited = isKubeObject(before) ? textWithValue(body, before, after) : undefined;
  return edited !== undefined && isSame(edited, [after]) ? edited : toYaml([after]);
}

const endedLine = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

/** Removes the `---` around a document. */
const withoutMarker = (text: string): string =>
  text.replace(/^---[ \t]*\r?\n/, '').replace(/(^|\n)---[ \t]*\r?\n?$/, '$1');

function isSame(text: string, objects: readonly KubeObject[]): boolean {
  const { documents, problems } = readStream(text);
  const byName = new Map(objects.map((object) => [identityOf(object), object]));
  return (
    problems.length === 0 &&
    documents.length === objects.length &&
    documents.every(
      ({ value }) => isKubeObject(value) && value.kind !== '' && equal(byName.get(identityOf(value)), value),
    )
  );
}
