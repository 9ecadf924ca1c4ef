import { formatText, patchText } from '../authoring/format/index.ts';
import { Collector, composeText, trusted, unplaced } from '../core/diagnostics/index.ts';
import { visible } from '../core/text/visible.ts';
import { definitionOptions, flag, reportingOptions } from '../render/options/index.ts';
import { readStreams } from '../yaml/parse/index.ts';
import { defineCommand, type Invocation } from './command.ts';
import { concludePartly } from './conclude.ts';
import { readFiles } from './files.ts';
import { decode, readRegularFile } from './regular-file.ts';
import { replaceFile } from './write/index.ts';

const own = {
  check: flag('Report files that are not formatted as errors, and change none.'),
  diff: flag('Print what would change, as a patch, and change nothing.'),
};

export const fmt = defineCommand({
  group: 'Author',
  usage: 'PATH... [options]',
  summary: 'Format the RGDs and ResourceSets of files; - formats standard input and prints it.',
  examples: [
    ['fmt platform/', 'Formats the files of a folder, and prints the names of those that changed.'],
    ['fmt platform/ --check', 'Fails if a file is not formatted, as for CI.'],
    ['fmt - <website.yaml', 'Prints standard input in its canonical form.'],
  ],
  own,
  shared: { exclude: definitionOptions.exclude, ...reportingOptions },
  needs: [1, 'a PATH; - formats standard input'],
  run: format,
});

async function format(invocation: Invocation<typeof own>): Promise<number> {
  const { settings, paths, io } = invocation;
  const { exclude, check, diff } = settings;
  const reports = new Collector();
  const stdin = paths.includes('-') ? await io.stdin() : undefined;
  const texts = readFiles(paths, { exclude, stdin, missing: 'error' }, reports);
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
    } else if (isChanged && !isPipe && !diff) replace(file, text, formatted.text, reports);
    if (diff) return isChanged ? [visible(patchText(file, text, formatted.text))] : [];
    if (check) return [];
    return isPipe ? [formatted.text] : isChanged ? [visible(`${file}\n`)] : [];
  });
  return concludePartly(invocation, reports.all, () => output);
}

/** Writes a file, if it still has the text that was read. A byte order mark stays. */
function replace(file: string, before: string, after: string, reports: Collector): void {
  const mark = readRegularFile(file).toString('utf8').startsWith('\uFEFF') ? '\uFEFF' : '';
  const expects = (content?: Uint8Array): boolean => content !== undefined && decode(content) === before;
  reports.addAll(replaceFile(file, [mark, after], { expects }));
}
