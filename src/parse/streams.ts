import type { Report } from '../diagnostics/diagnostic.ts';
import type { InputObject, KubeObject, Source } from '../model/object.ts';
import { readStream } from './yaml.ts';

/** A text of YAML or JSON documents, and the name that people know it by. */
export interface TextStream {
  file: string;
  text: string;
}

/**
 * The documents of several texts, in order. Whether each is an object at all is for the package to say; here only the
 * syntax is checked.
 */
export function readStreams(streams: readonly TextStream[], reports: Report[]): InputObject[] {
  return streams.flatMap(({ file, text }) => {
    const sourceOf = (document: number): Source => ({ file, text, document, path: [] });
    const { documents, problems } = readStream(text);
    for (const { document, line, column, ...problem } of problems) {
      reports.push({ ...problem, source: sourceOf(document), position: { line, column } });
    }
    return documents.map(({ index, value }) => ({ object: value as KubeObject, source: sourceOf(index) }));
  });
}
