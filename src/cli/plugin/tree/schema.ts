import { type Collector, publicText, type Report } from '../../../core/diagnostics/index.ts';
import { attempt } from '../../../core/model/attempt.ts';
import { ifPossible } from '../../file-system.ts';
import { decode } from '../../regular-file.ts';

/** The keywords whose reference helm resolves: in the schema itself for a fragment, else by a request or a file. */
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];

/** The dialects that helm contains. */
const DIALECT = /^https?:\/\/json-schema\.org\/(schema|draft-0[467]\/schema|draft\/(2019-09|2020-12)\/schema)#?$/;

/**
 * Reports a reference of a JSON schema to another document: helm fetches it, or reads a file outside of the chart.
 * Checks every string of these keywords, also where a value is no schema: a reference may lead to it.
 */
export function checkSchema(file: string, bytes: Uint8Array, reports: Collector): void {
  const problem = problemOf(file, bytes);
  if (problem !== undefined) reports.add({ code: 'build-refused', path: [], ...problem });
}

function problemOf(file: string, bytes: Uint8Array): Pick<Report, 'message' | 'hint'> | undefined {
  const schema = readJson(bytes);
  if (schema === undefined) {
    const message = publicText`${file} cannot be checked before helm reads it: it is not JSON in UTF-8`;
    return { message, hint: publicText`correct or remove it` };
  }
  const open = [schema];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (typeof at !== 'object' || at === null) continue;
    for (const [key, value] of Object.entries(at)) {
      if (typeof value === 'object') open.push(value);
      if (typeof value !== 'string') continue;
      const isDialect = key === '$schema' && !DIALECT.test(value);
      if (!isDialect && (!REFERENCES.includes(key) || value.startsWith('#'))) continue;
      const message = publicText`${key} of ${file} is '${value}', which helm would fetch or read outside of the chart`;
      const hint = isDialect
        ? publicText`name a dialect such as http://json-schema.org/draft-07/schema#`
        : publicText`copy it into the schema, and refer to it as '#/definitions/NAME'`;
      return { message, hint };
    }
  }
  return undefined;
}

function readJson(bytes: Uint8Array): unknown {
  const text = ifPossible(() => decode(bytes));
  return text && attempt<unknown>(() => JSON.parse(text), SyntaxError);
}
