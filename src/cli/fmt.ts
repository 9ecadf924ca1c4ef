import { resolve } from 'node:path';
import { formatText, patchText } from '../author/format/index.ts';
import { Collector, composeText, type Report, trusted, unplaced } from '../core/diagnostics/index.ts';
import { visible } from '../core/text/visible.ts';
import type { FoundText } from '../describe/input/index.ts';
import { definitionOptions, flag, reportingOptions } from '../render/options/index.ts';
import { readStreams } from '../yaml/parse/index.ts';
import { defineCommand, type Invocation } from './command.ts';
import { decode, isInside, readRegularFile, unreadable } from './file-system.ts';
import { readFiles } from './files.ts';
import { concludePartly } from './output.ts';
import { removeLeftovers, replaceFile } from './write/index.ts';

const fmtOptions = {
  check: flag('Report files that are not formatted as errors, and change none.'),
  diff: flag('Print what would change, as a patch, and change nothing.'),
};

export const fmt = defineCommand({
  own: fmtOptions,
  shared: { exclude: definitionOptions.exclude, ...reportingOptions },
  needs: [1, 'a PATH; - formats standard input'],
  run: format,
});

async function format(invocation: Invocation<typeof fmtOptions>): Promise<number> {
  const { settings, paths, io } = invocation;
  const { exclude, check, diff } = settings;
  const reports = new Collector();
  const stdin = paths.includes('-') ? await io.stdin() : undefined;
  const texts = readFiles(paths, { exclude, stdin, missing: 'error' }, reports);
  /** Returns the folder of the command line in which a file was found. */
  const folderOf = (file: string, place: FoundText['found']): string | undefined =>
    place === undefined ? undefined : paths.find((path) => isInside(resolve(file), resolve(path)));
  const output = texts.flatMap(({ file, text, found: place }) => {
    const isPipe = file === '-';
    const formatted = place === 'chart' ? { text, invalid: [] } : formatText(text);
    // The errors of documents that are not formatted.
    const found = new Collector();
    if (formatted.invalid.length > 0) readStreams([{ file, text }], found);
    reports.addAll(found.all.filter(({ source }) => source && formatted.invalid.includes(source.document)));
    const isChanged = formatted.text !== text;
    if (isChanged && check) {
      const message = composeText`${isPipe ? 'standard input' : trusted.file(file)} is not formatted`;
      reports.add(unplaced('not-formatted', message, composeText`render-rgd fmt ${trusted.file(file)}`));
    }
    if (diff) return isChanged ? [visible(patchText(file, text, formatted.text))] : [];
    if (check) return [];
    if (isPipe) return [formatted.text];
    if (!isChanged) return [];
    const faults = replace({ file, before: text, after: formatted.text, within: folderOf(file, place) });
    reports.addAll(faults);
    return faults.length > 0 ? [] : [visible(`${file}\n`)];
  });
  const written = check || diff ? [] : texts.filter(({ file }) => file !== '-');
  removeLeftovers(written.map(({ file, found: place }) => ({ file, within: folderOf(file, place) })));
  return concludePartly(invocation, reports.all, () => output);
}

interface Formatted {
  file: string;
  before: string;
  after: string;
  /** The folder in which the file was found. */
  within: string | undefined;
}

/** Writes a file, if it still has the text that was read. A byte order mark stays. Returns the error. */
function replace({ file, before, after, within }: Formatted): Report[] {
  let mark: string;
  try {
    mark = readRegularFile(file).toString('utf8').startsWith('\uFEFF') ? '\uFEFF' : '';
  } catch (error) {
    return [unreadable(file, error)];
  }
  const expects = (content?: Uint8Array): boolean => content !== undefined && decode(content) === before;
  return replaceFile(file, [mark, after], { expects, within });
}
