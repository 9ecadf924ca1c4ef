import { formatPath } from '../../../src/core/model/value.ts';
import { readStream } from '../../../src/yaml/parse/yaml.ts';

/** Returns the problems of a stream with their places. */
export const faults = (text: string): string[] =>
  readStream(text).problems.map(({ code, document, line, column, path }) =>
    `${document} ${line}:${column} ${code} ${formatPath(path)}`.trim(),
  );
