import { type ExtractReport, extract } from '../../src/api/tools/index.ts';
import type { Extracted, PastedCopy } from './protocol.ts';

/** Finds the RGD of pasted copies, with its instances. The golden test is for a folder, not for the page. */
export function extractCopies(copies: readonly PastedCopy[], kind: string): Extracted {
  const given = copies.map(({ name, text }) => ({ name, objects: [{ file: name, text }] }));
  const { files, report, diagnostics } = extract({ copies: given }, { kind });
  const faults = diagnostics.filter(({ severity }) => severity === 'error');
  const written = Object.entries(files).filter(([path]) => !path.startsWith('tests/'));
  return {
    files: written.map(([name, text]) => ({ name, text, role: 'objects' })),
    fields: (report?.fields ?? []).map(({ name, written: type, values, fills }) => ({ name, type, values, fills })),
    summary: report === undefined ? '' : summaryOf(report),
    faults: faults.map(({ message, hint, file, line }) => ({
      message,
      hint: hint ?? '',
      place: file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}`,
    })),
  };
}

const summaryOf = ({ copies, objects, conditions, collections, lines }: ExtractReport): string =>
  `${objects} of ${objects} objects of ${copies} ${copies === 1 ? 'copy' : 'copies'} are rendered again; ` +
  `conditions: ${conditions.length}, collections: ${collections}, lines: ${lines.before} before, ${lines.after} after`;
