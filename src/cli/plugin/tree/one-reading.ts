import { format } from '../../../core/diagnostics/index.ts';
import { readStream, type StreamDocument } from '../../../yaml/parse/index.ts';
import { visitScalars, type YamlNode } from '../../../yaml/tree/index.ts';

/**
 * Returns the documents of a text on which all YAML readers agree, or an error. kustomize uses several readers, which
 * differ in merge keys, tags, and characters that some treat as line breaks.
 */
export function readInOneWay(text: string): StreamDocument[] | { fault: string } {
  if (ODD_CHARACTERS.test(text)) return { fault: 'it has control characters or line breaks of other scripts' };
  const { documents, problems } = readStream(text, { keep: true });
  const [problem] = problems;
  if (problem !== undefined) return { fault: format(problem.message) };
  const trees = documents.flatMap(({ written }) => written?.tree() ?? []);
  if (trees.some(({ hasTags }) => hasTags)) return { fault: 'it has YAML tags' };
  if (trees.some(({ root }) => hasMergeKey(root, text))) return { fault: "it has merge keys ('<<')" };
  return documents;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const ODD_CHARACTERS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]|(?!^)\ufeff/;

function hasMergeKey(root: YamlNode, text: string): boolean {
  let found = false;
  visitScalars(root, ({ innerStart, innerEnd }) => {
    found ||= innerEnd - innerStart === 2 && text.startsWith('<<', innerStart);
  });
  return found;
}
