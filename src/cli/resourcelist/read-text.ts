import { type Collector, publicText, type Report, toReport } from '../../core/diagnostics/index.ts';
import type { Source } from '../../core/model/object.ts';
import { readStream, type TextStream } from '../../yaml/parse/index.ts';
import { type ResourceList, readResourceList } from './read.ts';

/** Reads a text with one ResourceList. Returns `undefined`, and reports the error, otherwise. */
export function readListText({ file, text }: TextStream, reports: Collector): ResourceList | undefined {
  const { documents, problems, moreTwice = 0 } = readStream(text, { keep: true });
  if (moreTwice > 0) reports.count('duplicate-key', 'warning', moreTwice);
  const sourceOf = (document: number): Source => ({ file, text, document, path: [] });
  const faults = problems.map(
    ({ document, line, column, ...problem }): Report => ({
      ...toReport(problem),
      source: sourceOf(document),
      position: { line, column },
    }),
  );
  const refuse = (report: Report): undefined => {
    reports.addAll([...faults, report]);
  };
  const [first, second] = documents;
  const source = first && sourceOf(first.index);
  if (faults.some(({ code }) => code === 'yaml-syntax' || code === 'yaml-alias')) {
    reports.addAll(faults);
    return undefined;
  }
  if (first === undefined || source === undefined || second !== undefined) {
    return refuse({ code: 'resource-list', message: publicText`standard input must hold one ResourceList`, path: [] });
  }
  const read = readResourceList(first, source, faults);
  return 'code' in read ? refuse({ ...toReport(read), source }) : read;
}
