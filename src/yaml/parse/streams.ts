import { type Collector, type Report, toReport } from '../../core/diagnostics/index.ts';
import { type Document, identityOf, type Source } from '../../core/model/object.ts';
import { isMap, sameValue, type Value } from '../../core/model/value.ts';
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
    const {
      documents,
      problems,
      moreTwice = 0,
    } = readStream(text, { limit: reports.remainingFor('duplicate-key', 'warning'), read });
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

type ReadStreams = typeof readStreams;

/** The maximum number of objects that are compared with one of the same name. */
const MOST_OF_A_NAME = 4;

/**
 * Returns two readers, for two versions of a package. Unchanged documents have the same values in both, so that nothing
 * is parsed twice, and results that are cached by value apply to both. No value is used for two documents of one
 * version.
 */
export function createSharedReaders(): { first: ReadStreams; second: ReadStreams } {
  const texts = new Map<string, Document[][]>();
  const values = new Map<string, Value[]>();
  const taken = new Set<Value>();
  const take = (value: Value): Value => {
    taken.add(value);
    return value;
  };

  const first: ReadStreams = (streams, reports, strict = false) =>
    streams.flatMap((stream) => {
      const { documents, isClean } = readOne(stream, reports, strict);
      if (isClean) texts.set(stream.text, [...(texts.get(stream.text) ?? []), documents]);
      for (const { object } of documents) {
        const name = nameIn(object);
        const known = values.get(name) ?? [];
        if (isMap(object) && known.length < MOST_OF_A_NAME) values.set(name, [...known, object]);
      }
      return documents;
    });

  const sharedOf = (value: Value): Value => {
    const known = values.get(nameIn(value))?.find((one) => !taken.has(one) && sameValue(one, value));
    return known === undefined ? value : take(known);
  };

  const second: ReadStreams = (streams, reports, strict = false) =>
    streams.flatMap((stream) => {
      const known = texts.get(stream.text)?.pop();
      if (known?.every(({ object }) => !isMap(object) || !taken.has(object))) {
        return known.map(({ object, source }) => ({
          object: take(object),
          source: source && { ...source, file: stream.file },
        }));
      }
      return readOne(stream, reports, strict).documents.map((one) => ({ ...one, object: sharedOf(one.object) }));
    });
  return { first, second };
}

/** The documents of one text, and whether they had no reports. */
function readOne(stream: TextStream, reports: Collector, strict: boolean): { documents: Document[]; isClean: boolean } {
  const own = reports.part();
  const documents = readStreams([stream], own, strict);
  return { documents, isClean: own.all.length === 0 };
}

const nameIn = (value: Value): string => (isMap(value) ? identityOf(value) : '');
