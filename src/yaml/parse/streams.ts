import { type Collector, type Report, toReport } from '../../core/diagnostics/index.ts';
import type { Document, Source } from '../../core/model/object.ts';
import type { Value } from '../../core/model/value.ts';
import { type ReadDocuments, readStream } from './yaml.ts';

/** A text of YAML or JSON documents, and its displayed name. */
export interface TextStream {
  file: string;
  text: string;
}

/**
 * Returns the documents of several texts, in order, and reports syntax errors. The package decides whether each is an
 * object. With `strict` a duplicate key is an error. `read` has the documents of an earlier version.
 */
export function readStreams(
  streams: readonly TextStream[],
  reports: Collector,
  strict = false,
  read?: ReadDocuments,
): Document[] {
  return streams.flatMap(({ file, text }) => {
    const sourceOf = (document: number): Source => ({ file, text, document, path: [] });
    const limit = reports.remainingFor('duplicate-key', 'warning');
    const { documents, problems, moreTwice = 0 } = readStream(text, { limit, read });
    for (const { document, line, column, ...problem } of problems) {
      const report = { ...toReport(problem), source: sourceOf(document), position: { line, column } };
      reports.add(strict ? rejectDuplicateKey(report) : report);
    }
    // With `strict` the reported ones are errors, and there is nothing to count.
    if (moreTwice > 0 && !strict) reports.count('duplicate-key', 'warning', moreTwice);
    return documents.map(({ index, value }) => ({ object: value, source: sourceOf(index) }));
  });
}

/** kro and Argo CD use the last of two equal keys, which is probably not intended. */
export const rejectDuplicateKey = (report: Report): Report =>
  report.code === 'duplicate-key' ? { ...report, severity: 'error' } : report;

type ReadStreams = (streams: readonly TextStream[], reports: Collector, strict?: boolean) => Document[];

/**
 * Returns two readers, for two versions of a package. Unchanged documents have the same values in both, so that nothing
 * is parsed twice, and results that are cached by value apply to both. No value is used for two documents of one
 * version.
 */
export function createSharedReaders(): { first: ReadStreams; second: ReadStreams } {
  const [older, newer] = [new Map<string, Value>(), new Map<string, Value>()];
  return {
    first: (streams, reports, strict) => readStreams(streams, reports, strict, { before: newer, now: older }),
    second: (streams, reports, strict) => readStreams(streams, reports, strict, { before: older, now: newer }),
  };
}
