import { type Collector, composeText, isError, type Report, trusted } from '../../core/diagnostics/index.ts';
import type { Document } from '../../core/model/object.ts';
import type { RenderInput } from '../../core/model/render.ts';
import { createLineIndex } from '../../core/text/line-index.ts';
import { mayBecome, templateActionAt } from '../../core/text/template-text.ts';
import { definedKinds } from '../../kro/definition/index.ts';
import type { TextStream } from '../../yaml/parse/index.ts';

/**
 * Removes files that are not YAML because they are templates, with one warning for all of them. No object is lost,
 * because a template was never applied. If everything is printed (`whole`), only the templates of a chart are removed,
 * because any other file may have been a manifest. A template that was named, or that may become an RGD or an instance,
 * stays an error, one for each file. Changes `reports`.
 */
export function withoutTemplates<Input extends Partial<RenderInput>>(
  texts: readonly FoundText[],
  input: Input,
  reports: Collector,
  whole: boolean,
): Input {
  const broken = new Set(reports.all.filter(isError).map(({ source }) => source?.text));
  const templates = texts.filter(({ text }) => broken.has(text) && templateActionAt(text) >= 0);
  if (templates.length === 0) return input;
  const kinds = definedKinds([...(input.objects ?? []), ...(input.definitions ?? [])]);
  const isLeftOut = ({ text, found }: FoundText): boolean =>
    found !== undefined && (found === 'chart' || !whole) && !mayBecome(text, kinds);
  const passedOver = templates.filter(isLeftOut);
  const refused = templates.filter((one) => !isLeftOut(one));
  const isTemplate = new Set(templates.map(({ text }) => text));
  const others = reports.all.filter(({ source }) => source === undefined || !isTemplate.has(source.text));
  reports.replaceAll([...others, ...refused.map((one) => problem(one, mayBecome(one.text, kinds)))]);
  if (passedOver.length > 0) reports.add(summary(passedOver));
  const withoutThem = (list: readonly Document[] = []): Document[] =>
    list.filter(({ source }) => source === undefined || !isTemplate.has(source.text));
  const { objects, definitions, observed } = input;
  return {
    ...input,
    ...(objects && { objects: withoutThem(objects) }),
    ...(definitions && { definitions: withoutThem(definitions) }),
    ...(observed && { observed: withoutThem(observed) }),
  };
}

const RENDER = 'helm template CHART | render-rgd render -';

function problem({ file, text, found }: FoundText, mayMatter: boolean): Report {
  const why = !mayMatter
    ? found === undefined
      ? ''
      : ', and belongs to no chart, so its objects would be missing from what is printed'
    : ', and may become an RGD or an instance';
  return {
    code: 'template-file',
    message: composeText`the file is a Helm template or a similar template, not YAML${why}`,
    path: [],
    source: { file, text, document: 0, path: [] },
    position: createLineIndex(text).position(templateActionAt(text)),
    hint: composeText`render it first: ${RENDER} --all; or leave the file out with --exclude`,
  };
}

const SHOWN = 3;

function summary(files: readonly FoundText[]): Report {
  const names = files.slice(0, SHOWN).map(({ file }) => file);
  const more = files.length > SHOWN ? composeText` and ${files.length - SHOWN} more` : '';
  const what =
    files.length === 1 ? composeText`1 file is a Helm template` : composeText`${files.length} files are Helm templates`;
  return {
    code: 'template-file',
    message: composeText`${what} or similar templates, not YAML, and skipped: ${trusted.file(names.join(', '))}${more}`,
    path: [],
    severity: 'warning',
    hint: composeText`${RENDER} renders a chart; --exclude leaves files out without this warning`,
  };
}

/** A text with its origin. */
export interface FoundText extends TextStream {
  /** Set if the file was not named: it was found in a folder, or among the templates of a Helm chart below it. */
  found?: 'folder' | 'chart';
}
