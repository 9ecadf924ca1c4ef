import {
  format,
  isError,
  type Message,
  type Problem,
  phrase,
  quote,
  shown,
  UNSAID,
} from '../../core/diagnostics/index.ts';
import { groupVersionKind } from '../../core/model/object.ts';
import { get, getAt, isMap, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import { readStream } from '../../yaml/parse/index.ts';

/** Reads the rendered text of a template. */
export interface DocumentReader {
  text: string;
  path: Path;
  /** Returns the description of the input set. */
  about: () => Message;
  /** Reports whether a line of the text may be printed: it may be a line of a Secret. */
  isShown: () => boolean;
  report: (problem: Problem) => void;
  /** Reports whether the limit of errors is reached. */
  isEnough: () => boolean;
  /** Counts objects before they are read. */
  spendObjects: (count: number) => void;
}

/**
 * Returns the documents of a text; a broken one is reported with its line, because the file does not contain that text.
 */
function documentsOf({ text, path, about, isShown, isEnough, report }: DocumentReader): {
  values: Value[];
  failed: boolean;
} {
  const { documents, problems } = readStream(text);
  let failed = false;
  let lines: string[] | undefined;
  for (const { line, column, ...problem } of problems) {
    const isFault = isError(problem);
    failed ||= isFault;
    if (isEnough()) break;
    lines ??= text.split('\n');
    const reason = phrase`${quote(format(problem.message), UNSAID)}${quote(`: ${(lines[line - 1] ?? '').trim()}`, '')}`;
    const place = phrase`line ${shown(line)}, column ${shown(column)}`;
    const whole = phrase`the rendered text is not valid YAML in ${place}: ${reason}`;
    const message = phrase`${isShown() ? whole : whole.hide()}${about()}`;
    const code = isFault ? 'rendered-yaml' : problem.code;
    const hint = isFault ? (problem.hint ?? QUOTE) : problem.hint;
    report({
      code,
      message,
      path,
      ...(problem.severity && { severity: problem.severity }),
      ...(hint !== undefined && { hint }),
    });
  }
  return { values: documents.map(({ value }) => value), failed };
}

const QUOTE = phrase`pipe texts through quote, and values of several lines through toYaml | nindent`;

/** Returns the object of an entry of `resources`: one document, which need not have a name. */
export function readEntry(reader: DocumentReader): ValueMap[] {
  const { values, failed } = documentsOf(reader);
  if (failed) return [];
  const [first, ...others] = values;
  if (others.length > 0) {
    const message = phrase`an entry of resources must render one object, got ${values.length}${reader.about()}`;
    reader.report({
      code: 'rendered-object',
      message,
      path: reader.path,
      hint: phrase`use resourcesTemplate, or quote the input`,
    });
    return [];
  }
  return first === undefined ? noObject(reader, 'nothing') : flatten(first, reader, false);
}

/**
 * Returns the objects of a text of documents: those without a name or an apiVersion are omitted, lists are flattened.
 */
export function readDocuments(reader: DocumentReader): ValueMap[] {
  const { values, failed } = documentsOf(reader);
  return failed ? [] : values.flatMap((value) => (reader.isEnough() ? [] : flatten(value, reader, true)));
}

function flatten(value: Value, reader: DocumentReader, strict: boolean): ValueMap[] {
  if (!isMap(value))
    return noObject(
      reader,
      Array.isArray(value) ? 'a list' : reader.isShown() ? `'${String(value).slice(0, 40)}'` : 'a text',
    );
  const kind = get(value, 'kind');
  if (typeof kind !== 'string' || kind === '') {
    reader.report({
      code: 'rendered-object',
      message: phrase`an object has no kind${reader.about()}`,
      path: reader.path,
    });
    return [];
  }
  const items = get(value, 'items');
  if (kind.endsWith('List') && Array.isArray(items)) {
    reader.spendObjects(items.length);
    return items.flatMap((item) => flatten(item, reader, strict));
  }
  if (!strict) return [value];
  if (isKustomization(value))
    return leftOut(reader, 'a Kustomization of kustomize is not an object of a cluster', 'info');
  const name = getAt(value, ['metadata', 'name']);
  const missing =
    typeof name !== 'string' || name === '' ? 'metadata.name' : hasVersion(value) ? undefined : 'apiVersion';
  if (missing === undefined) return [value];
  return leftOut(
    reader,
    `a document of kind ${kind} has no ${missing}, and is omitted as the Flux operator does`,
    'warning',
  );
}

const hasVersion = (value: ValueMap): boolean => typeof value.apiVersion === 'string' && value.apiVersion !== '';

const isKustomization = (value: ValueMap): boolean =>
  value.kind === 'Kustomization' &&
  typeof value.apiVersion === 'string' &&
  groupVersionKind({ apiVersion: value.apiVersion, kind: '' }).group === 'kustomize.config.k8s.io';

function leftOut(reader: DocumentReader, message: string, severity: 'warning' | 'info'): [] {
  reader.report({
    code: 'document-left-out',
    message: phrase`${message}${reader.about()}`,
    path: reader.path,
    severity,
  });
  return [];
}

function noObject(reader: DocumentReader, what: string): [] {
  reader.report({
    code: 'rendered-object',
    message: phrase`it renders to ${what}, which is not an object${reader.about()}`,
    path: reader.path,
  });
  return [];
}
