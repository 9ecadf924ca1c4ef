import type { Collector } from '../../core/diagnostics/index.ts';
import { type Document, identityOf } from '../../core/model/object.ts';

import { isMap, sameValue, type Value } from '../../core/model/value.ts';
import { readStreams, type TextStream } from './streams.ts';

type ReadStreams = typeof readStreams;

/** As many objects of one name as are compared with one of that name. */
const MOST_OF_A_NAME = 4;

/**
 * Two readers, for two versions of a package. What did not change becomes the same values in both, so that nothing is
 * read twice, and whoever knows what became of a value in the one knows it in the other. No value stands for two
 * documents of one version.
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

/** The documents of one text, and whether nothing is to be said of it. */
function readOne(stream: TextStream, reports: Collector, strict: boolean): { documents: Document[]; isClean: boolean } {
  const own = reports.part();
  const documents = readStreams([stream], own, strict);
  return { documents, isClean: own.all.length === 0 };
}

const nameIn = (value: Value): string => (isMap(value) ? identityOf(value) : '');
