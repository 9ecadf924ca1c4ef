import { Collector, isError, type Report, trusted } from '../../core/diagnostics/index.ts';
import type { Entry, Outcome } from '../../core/ledger/index.ts';
import { type Document, type InputObject, isKubeObject } from '../../core/model/object.ts';
import { get, isMap, type Value } from '../../core/model/value.ts';
import { flattenObjects } from '../../yaml/parse/index.ts';
import { unreadReports } from '../reports/index.ts';

/** The objects of documents, and the outcomes of the documents, and items of lists, that are none. */
export interface ReadDocuments {
  objects: readonly InputObject[];
  others: readonly Entry[];
}

/** Reads documents, which another reader reports. Each is one object or a list of them, or has an outcome of its own. */
export function readDocuments(documents: readonly Document[]): ReadDocuments {
  const objects: InputObject[] = [];
  const others: Entry[] = [];
  for (const document of documents) {
    const lost = new Collector();
    const found = flattenObjects([document], lost);
    for (const one of found) objects.push(one);
    for (const report of lost) {
      const file = report.source?.file ?? document.source?.file;
      const title = trusted.file(file ?? 'input');
      others.push({
        unit: 'document',
        file,
        document: report.source?.document ?? document.source?.document,
        title,
        kind: title,
        outcome: outcomeOf(document.object, isError(report)),
      });
    }
  }
  return { objects, others };
}

/**
 * Reports the documents that nobody can read, such as encrypted ones: their objects are missing in what is rendered.
 */
export function opaqueReports(documents: readonly Document[], isStrict: boolean): Report[] {
  const others = documents.filter(({ object }) => !isKubeObject(object));
  return others.length === 0 ? [] : unreadReports(readDocuments(others).others, isStrict);
}

function outcomeOf(value: Value, hasError: boolean): Outcome {
  if (hasError) return { is: 'failed' };
  if (isEncrypted(value)) return { is: 'unseen', why: 'encrypted' };
  if (isPointer(value)) return { is: 'unseen', why: 'not-checked-out' };
  return { is: 'irrelevant', why: 'no-object' };
}

/** Reports whether all values of a document are encrypted, so that its kind is unknown. SOPS adds a checksum. */
function isEncrypted(value: Value): boolean {
  if (typeof value === 'string') return value.startsWith('$ANSIBLE_VAULT;');
  return isMap(value) && !isKubeObject(value) && get(get(value, 'sops'), 'mac') !== undefined;
}

/** Reports whether a document is a pointer of Git LFS, which has the file elsewhere (git-lfs: docs/spec.md). */
const isPointer = (value: Value): boolean =>
  typeof value === 'string' && value.startsWith('version https://git-lfs.github.com/spec/');
