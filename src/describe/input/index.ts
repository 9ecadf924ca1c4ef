import {
  Collector,
  composeText,
  isError,
  type Report,
  type Text,
  told,
  trusted,
} from '../../core/diagnostics/index.ts';
import type { Document } from '../../core/model/object.ts';
import type { RenderInput, Trace } from '../../core/model/render.ts';
import { createLineIndex } from '../../core/text/line-index.ts';
import { mayBecome, templateActionAt } from '../../core/text/template-text.ts';
import { firstOfFile } from '../../flux/index.ts';
import { addTrace } from '../../kro/admit/index.ts';
import { definedKinds, isRgd } from '../../kro/definition/index.ts';
import { isOpenapiDocument } from '../../kubernetes/schema/index.ts';
import type { Settings } from '../../render/options/index.ts';
import { objectsIn, readStreams, type TextStream } from '../../yaml/parse/index.ts';
import { inputSetsIn } from './sets.ts';

/** Reads the input of a command: texts in, rendering input out. */

export type InputSettings = Pick<
  Settings,
  'definitions' | 'observed' | 'openapi' | 'inputsFrom' | 'defaults' | 'strict' | 'all'
>;

export const pathsBeside = (settings: Omit<InputSettings, 'strict' | 'all'>): string[] => {
  const { definitions, observed, openapi, inputsFrom, defaults } = settings;
  return [...definitions, ...observed, openapi, inputsFrom, defaults].filter((path) => path !== '');
};

export interface Reader {
  /** Returns the texts at some paths; a path without files is a warning. */
  read(paths: readonly string[], reports: Collector): readonly FoundText[];
  /** Parses texts; defaults to `readStreams`. */
  parse?: (found: readonly FoundText[], reports: Collector, strict: boolean) => Document[];
}

/** Returns the objects of a package, and the other inputs of a command. */
export function readInput(
  texts: readonly FoundText[],
  settings: InputSettings,
  { read, parse = readStreams }: Reader,
  reports: Collector,
): RenderInput {
  const seen: FoundText[] = [];
  const parseAll = (found: readonly FoundText[]): Document[] => {
    for (const one of found) seen.push(one);
    return parse(found, reports, settings.strict);
  };
  const objects = texts.flatMap((one) => {
    const found = parseAll([one]);
    return one.found === undefined && one.file !== '-' ? firstOfFile(found, reports) : found;
  });
  const beside = readBeside(settings, (paths) => parseAll(read(paths, reports)), reports);
  // The relevant templates are only known after the RGDs.
  return withoutTemplates(seen, { ...beside, objects }, reports, settings.all);
}

/** Returns the inputs of a command besides the package itself. */
export function readAdditionalInputs(
  settings: InputSettings,
  reader: Reader,
  reports: Collector,
): Omit<RenderInput, 'objects'> {
  const { objects: _, ...beside } = readInput([], settings, reader, reports);
  return beside;
}

function readBeside(
  settings: InputSettings,
  read: (paths: readonly string[]) => Document[],
  reports: Collector,
): Omit<RenderInput, 'objects'> {
  const beside = { definitions: read(settings.definitions), observed: read(settings.observed) };
  const sets = settings.inputsFrom === '' ? {} : inputSetsIn(read([settings.inputsFrom]), settings.inputsFrom, reports);
  const defaults = settings.defaults === '' ? {} : { defaults: read([settings.defaults]) };
  const given = { ...beside, ...defaults, ...sets };
  const lacks = (code: Report['code'], path: string, what: Text): void => {
    if (!reports.hasErrors) reports.add({ code, ...told`${{ file: trusted.file(path) }} holds ${what}`, path: [] });
  };
  if (settings.openapi === '') return given;
  const [document] = read([settings.openapi]);
  if (document !== undefined && isOpenapiDocument(document.object)) return { ...given, openapi: document.object };
  lacks('unreadable-file', settings.openapi, composeText`no OpenAPI document`);
  return given;
}

const EXPECTED = ['expected.yaml', 'expected-diagnostics.yaml'];

/** Reports whether a folder is a golden test: it has a test.yaml that is no object, and an expected file. */
export function isGoldenTest(names: readonly string[], readTest: () => string): boolean {
  if (!names.includes('test.yaml') || !EXPECTED.some((name) => names.includes(name))) return false;
  return !/^["']?(apiVersion|kind)["']?\s*:|^[ \t]*\{/m.test(readTest());
}

/**
 * Removes templates, which are not YAML, with one warning, and changes `reports`. Each stays an error if it was named, may
 * become an RGD or an instance, or may have been a manifest: outside of a chart, if everything is printed (`whole`).
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
  const left = (['objects', 'definitions', 'observed'] as const).flatMap((key) => {
    const documents = input[key]?.filter(({ source }) => source === undefined || !isTemplate.has(source.text));
    return documents === undefined ? [] : [[key, documents] as const];
  });
  return { ...input, ...Object.fromEntries(left), templates: passedOver.map(({ file }) => file) };
}

const RENDER = 'helm template CHART | render-rgd render -';

function problem({ file, text, found }: FoundText, mayMatter: boolean): Report {
  const isLost =
    found === undefined ? '' : ', and belongs to no chart, so its objects would be missing from what is printed';
  const why = mayMatter ? ', and may become an RGD or an instance' : isLost;
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
    hint: composeText`${RENDER} --all renders a chart; --exclude leaves files out without this warning`,
  };
}

export interface FoundText extends TextStream {
  /** Set if the file was not named: it was found in a folder, or among the templates of a Helm chart below it. */
  found?: 'folder' | 'chart';
}

/** Texts, and after the last one why there are no more, if some are left. */
export type TextsAround = Iterator<TextStream, string | undefined>;

/**
 * Returns a function that finds RGDs, CRDs and rendered objects of a kind in texts, which its first call reads. Of texts
 * with values that must not be read, `publicText` returns what may be.
 */
export function tracesIn(
  around: () => TextsAround,
  publicText: (text: string) => string = (text) => text,
): NonNullable<RenderInput['traceFor']> {
  let unread: TextStream[] | undefined;
  let left: string | undefined;
  const traces = new Map<string, Trace>();
  return (kind) => {
    if (unread === undefined) {
      unread = [];
      const texts = around();
      let next = texts.next();
      for (; !next.done; next = texts.next()) {
        const { file, text } = next.value;
        // To find the values takes longer than to see that a text is about no RGD.
        const read = SIGNS.test(text) ? publicText(text) : '';
        if (SIGNS.test(read)) unread.push({ file, text: read });
      }
      left = next.value;
    }
    const name = kind.slice(0, kind.indexOf('.'));
    const named = unread.filter(({ text }) => text.includes(name));
    unread = unread.filter((one) => !named.includes(one));
    for (const one of named) {
      for (const object of objectsOf(one)) {
        addTrace(
          object,
          `in ${one.file}`,
          traces,
          isRgd(object) ? `read it with --definitions ${one.file}, or in a functionConfig with definitions` : undefined,
        );
      }
    }
    return traces.get(kind) ?? (left === undefined ? undefined : { message: left, isDoubtful: true });
  };
}

const SIGNS = /ResourceGraphDefinition|kro\.run\/(?:instance-kind|owned|resource-graph-definition)/;

/** Returns the objects of a text; those of a template of helm as far as they do not depend on its actions. */
function objectsOf({ file, text }: TextStream) {
  const plain = withoutActions(text.replace(/^[ \t]*\{\{.*\}\}[ \t]*$/gm, ''));
  return objectsIn(readStreams([{ file, text: plain }], new Collector())).map(({ object }) => object);
}

/** Writes a word for each action that ends on its line. */
const withoutActions = (text: string): string => text.split('\n').map(withoutActionsOfLine).join('\n');

function withoutActionsOfLine(line: string): string {
  let written = '';
  let at = 0;
  for (let open = line.indexOf('{{'); open >= 0; open = line.indexOf('{{', at)) {
    const close = line.indexOf('}}', open + 2);
    if (close < 0) break;
    written += `${line.slice(at, open)}x`;
    at = close + 2;
  }
  return written + line.slice(at);
}
