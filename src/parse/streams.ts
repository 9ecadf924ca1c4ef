import type { Collector, Report } from '../diagnostics/index.ts';
import type { Document, Source } from '../model/object.ts';
import { readStream } from './yaml.ts';

/** A text of YAML or JSON documents, and the name that people know it by. */
export interface TextStream {
  file: string;
  text: string;
}

/**
 * The documents of several texts, in order. Whether each is an object at all is for the package to say; here only the
 * syntax is checked. With `strict` a key that stands twice is an error.
 */
export function readStreams(streams: readonly TextStream[], reports: Collector, strict = false): Document[] {
  return streams.flatMap(({ file, text }) => {
    const sourceOf = (document: number): Source => ({ file, text, document, path: [] });
    const { documents, problems } = readStream(text);
    for (const { document, line, column, ...problem } of problems) {
      const report = { ...problem, source: sourceOf(document), position: { line, column } };
      reports.add(strict ? refusedIfTwice(report) : report);
    }
    return documents.map(({ index, value }) => ({ object: value, source: sourceOf(index) }));
  });
}

/** kro and Argo CD take the last of two equal keys, which is hardly what their author meant. */
export const refusedIfTwice = (report: Report): Report =>
  report.code === 'duplicate-key' ? { ...report, severity: 'error' } : report;
