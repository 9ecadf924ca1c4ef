import type { GroupVersionKind } from '../../core/model/object.ts';
import type { Path } from '../../core/model/value.ts';

/** Returns the description of a field of a kind of Kubernetes; '' if there is none. */
export type Describe = (gvk: GroupVersionKind, path: Path) => string;

interface Field {
  /** The type of its value, or of its items. */
  type: string;
  description: string;
}

/** Reads the text of `data/kubernetes-descriptions.json`: types with their kinds, and fields below them. */
export function readDescriptions(text: string): Describe {
  const types = new Map<string, Map<string, Field>>();
  const kinds = new Map<string, string>();
  let fields = new Map<string, Field>();
  for (const line of text.split('\n')) {
    const [, name, type = '', description = ''] = line.split('\t');
    if (name !== undefined) {
      fields.set(name, { type, description });
      continue;
    }
    const [own = '', ...defined] = line.split(' ');
    fields = new Map();
    types.set(own, fields);
    for (const kind of defined) kinds.set(kind, own);
  }
  return ({ group, version, kind }, path) => {
    let type = kinds.get(`${group === '' ? version : `${group}/${version}`}/${kind}`) ?? '';
    let found: Field | undefined;
    for (const step of path) {
      if (typeof step === 'number') continue;
      found = types.get(type)?.get(step);
      type = found?.type ?? '';
      if (found === undefined) break;
    }
    return found?.description ?? '';
  };
}

/** The start of an example or an explanation, at the end of what a split at full stops left. */
const CUT = /\b(?:e\.g|i\.e)\.$/i;
const BEFORE_CUT = ' ,;:(';

/** Returns the first sentence of a description, in one line; an example in it is left out. */
export function firstSentence(description: string): string {
  const [first = ''] = description
    .replace(/\s+/g, ' ')
    .trim()
    .split(/(?<=\.) /);
  const cut = CUT.exec(first)?.index;
  if (cut === undefined) return first;
  let end = cut;
  while (end > 0 && BEFORE_CUT.includes(first.charAt(end - 1))) end -= 1;
  return `${first.slice(0, end)}.`;
}
