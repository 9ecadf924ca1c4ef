import type { Collector } from '../../core/diagnostics/index.ts';
import { type Document, identityOf } from '../../core/model/object.ts';

import { isMap, sameValue, type Value } from '../../core/model/value.ts';
import { readStreams, type TextStream } from './streams.ts';

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
          ...(source && { source: { ...source, file: stream.file } }),
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
