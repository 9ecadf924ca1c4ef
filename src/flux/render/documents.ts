import { format, isError, type Problem, phrase, quote, shown, UNSAID } from '../../core/diagnostics/index.ts';
import { groupVersionKind } from '../../core/model/object.ts';
import { get, getAt, isMap, textAt, type Value, type ValueMap } from '../../core/model/value.ts';
import { readStream } from '../../yaml/parse/index.ts';

/** The rendered text of a template. */
export interface RenderedText {
  text: string;
  /** Reports a problem of the text, with its input set. */
  fault: (code: Problem['code'], message: Problem['message'], more?: Pick<Problem, 'hint' | 'severity'>) => [];
  /** Reports whether a line of the text may be printed: it may be a line of a Secret. */
  isShown: () => boolean;
  /** Reports whether the limit of errors is reached. */
  isEnough: () => boolean;
  /** Counts objects before they are read. */
  spendObjects: (count: number) => void;
}

const QUOTE = phrase`pipe texts through quote, and values of several lines through toYaml | nindent`;

/** Returns the documents of a text; a broken one is reported with its line, which is not in the file. */
function documentsOf({ text, isShown, isEnough, fault }: RenderedText): Value[] | undefined {
  const { documents, problems } = readStream(text);
  let lines: string[] | undefined;
  for (const { line, column, code, message, hint, severity } of problems) {
    if (isEnough()) break;
    lines ??= text.split('\n');
    const reason = phrase`${quote(format(message), UNSAID)}${quote(`: ${(lines[line - 1] ?? '').trim()}`, '')}`;
    const place = phrase`line ${{ line: shown(line) }}, column ${{ column: shown(column) }}`;
    const whole = phrase`the rendered text is not valid YAML in ${place}: ${{ reason }}`;
    const isFault = isError({ severity });
    const more = { hint: isFault ? (hint ?? QUOTE) : hint, severity };
    fault(isFault ? 'rendered-yaml' : code, isShown() ? whole : whole.hide(), more);
  }
  return problems.some(isError) ? undefined : documents.map(({ value }) => value);
}

/** Returns the object of an entry of `resources`: one document, which need not have a name. */
export function readEntry(text: RenderedText): ValueMap[] {
  const values = documentsOf(text);
  if (values === undefined) return [];
  const [first, ...others] = values;
  if (others.length > 0) {
    const message = phrase`an entry of resources must render one object, got ${{ count: values.length }}`;
    return text.fault('rendered-object', message, { hint: phrase`use resourcesTemplate, or quote the input` });
  }
  return first === undefined ? noObject(text, 'nothing') : flatten(first, text, false);
}

/** Returns the objects of a text: documents without a name or an apiVersion are omitted, lists are flattened. */
export const readDocuments = (text: RenderedText): ValueMap[] =>
  (documentsOf(text) ?? []).flatMap((value) => (text.isEnough() ? [] : flatten(value, text, true)));

function flatten(value: Value, text: RenderedText, strict: boolean): ValueMap[] {
  if (!isMap(value)) {
    const scalar = text.isShown() ? `'${String(value).slice(0, 40)}'` : 'a text';
    return noObject(text, Array.isArray(value) ? 'a list' : scalar);
  }
  const kind = textAt(value, 'kind');
  if (kind === '') return text.fault('rendered-object', phrase`an object has no kind`);
  const items = get(value, 'items');
  if (kind.endsWith('List') && Array.isArray(items)) {
    text.spendObjects(items.length);
    return items.flatMap((item) => flatten(item, text, strict));
  }
  if (!strict) return [value];
  const apiVersion = textAt(value, 'apiVersion');
  if (kind === 'Kustomization' && groupVersionKind({ apiVersion, kind }).group === 'kustomize.config.k8s.io') {
    const message = phrase`a Kustomization of kustomize is not an object of a cluster`;
    return text.fault('document-left-out', message, { severity: 'info' });
  }
  const missing = textAt(getAt(value, ['metadata']), 'name') === '' ? 'metadata.name' : 'apiVersion';
  if (missing === 'apiVersion' && apiVersion !== '') return [value];
  const message = `a document of kind ${kind} has no ${missing}, and is omitted as the Flux operator does`;
  return text.fault('document-left-out', phrase`${message}`, { severity: 'warning' });
}

const noObject = (text: RenderedText, what: string): [] =>
  text.fault('rendered-object', phrase`it renders to ${{ got: what }}, which is not an object`);
