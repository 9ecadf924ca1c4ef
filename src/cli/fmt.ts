import { formatText, patchText } from '../author/format/index.ts';
import { Collector, composeText, trusted, unplaced } from '../core/diagnostics/index.ts';
import { visible } from '../core/text/visible.ts';
import { definitionOptions, flag, reportingOptions } from '../render/options/index.ts';
import { readStreams } from '../yaml/parse/index.ts';
import { defineCommand, type Invocation } from './command.ts';
import { readFiles } from './files.ts';
import { concludePartly } from './output.ts';
import { folderOf, rewriteFile } from './rewrite.ts';
import { removeLeftovers } from './write/index.ts';

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
  const output = texts.flatMap((one) => {
    const { file, text, found: place } = one;
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
    const faults = rewriteFile({ file, before: text, after: formatted.text, within: folderOf(one, paths) });
    reports.addAll(faults);
    return faults.length > 0 ? [] : [visible(`${file}\n`)];
  });
  const written = check || diff ? [] : texts.filter(({ file }) => file !== '-');
  removeLeftovers(written.map((one) => ({ file: one.file, within: folderOf(one, paths) })));
  return concludePartly(invocation, reports.all, () => output);
}
