import { Collector, isError } from '../../core/diagnostics/index.ts';
import { annotationOf, type Document, isKubeObject } from '../../core/model/object.ts';
import { getAt } from '../../core/model/value.ts';
import { byteLength } from '../../core/text/utf8.ts';
import { documentWriter } from '../../yaml/emit/index.ts';
import { NotRendered, rejected } from './not-rendered.ts';
import type { Repository } from './repository.ts';

/** The variables of a Kustomization of Flux. */
export interface Variables {
  values: Readonly<Record<string, string>>;
  /** The objects with further ones, which are not read: an unknown variable stays as it is written, and is not empty. */
  unread: readonly string[];
}

const SUBSTITUTE = 'kustomize.toolkit.fluxcd.io/substitute';

/**
 * Substitutes variables in the text of each object, as kustomize-controller does after the build: a value may change
 * the type of a field (https://fluxcd.io/flux/components/kustomize/kustomizations/#post-build-variable-substitution).
 * @throws NotRendered for a text that Flux rejects, and for an operator that is not supported
 */
export function substituteVariables(
  documents: readonly Document[],
  variables: Variables,
  parse: Repository['parse'],
): readonly Document[] {
  const names = Object.keys(variables.values);
  if (variables.unread.length === 0 && names.length === 0) return documents;
  const wrong = names.find((name) => !/^[_A-Za-z]\w*$/.test(name));
  const write = documentWriter();
  return documents.map((document): Document => {
    const { object } = document;
    if (!isKubeObject(object)) return document;
    const marks = [annotationOf(object, SUBSTITUTE), getAt(object, ['metadata', 'labels', SUBSTITUTE])];
    if (marks.includes('disabled')) return document;
    if (wrong !== undefined) throw rejected(`'${wrong}' is not a valid name of a variable`);
    const text = write(object);
    if (!text.includes('$')) return document;
    const reports = new Collector();
    const [made] = parse([{ file: 'substituted', text: substituted(text, variables) }], reports, false);
    const fault = reports.all.find(isError);
    if (fault !== undefined || made === undefined)
      throw rejected(`a value of spec.postBuild breaks ${object.kind}: ${fault?.message ?? 'it is empty'}`);
    return { ...document, object: made.object };
  });
}

function substituted(text: string, variables: Variables): string {
  let out = '';
  let from = 0;
  for (let at = text.indexOf('$'); at >= 0; at = text.indexOf('$', from)) {
    out += text.slice(from, at);
    if (text[at + 1] === '{') {
      const { value, end } = expression(text, at + 2, variables);
      out += value;
      from = end;
    } else {
      out += '$';
      from = text[at + 1] === '$' ? at + 2 : at + 1;
    }
  }
  return out + text.slice(from);
}

interface Evaluated {
  value: string;
  /** The position behind the closing brace. */
  end: number;
}

const NAME = /[\p{L}\p{Nd}_]+/uy;
const OPERATOR = /}|:[-=?+]|[=:]|\^\^?|,,?|\/[/#%]?|##?|%%?/y;

/** Evaluates the rest of an expression behind `${`. */
function expression(text: string, start: number, variables: Variables): Evaluated {
  const bad = (): NotRendered => rejected(`bad substitution: \${${text.slice(start, start + 30)}`);
  const isLength = text[start] === '#';
  NAME.lastIndex = isLength ? start + 1 : start;
  const [name] = NAME.exec(text) ?? [];
  if (name === undefined) throw bad();
  const { values, unread } = variables;
  const isKnown = unread.length === 0 || Object.hasOwn(values, name);
  const value = values[name] ?? '';
  OPERATOR.lastIndex = start + name.length + (isLength ? 1 : 0);
  const [operator] = OPERATOR.exec(text) ?? [];
  if (operator === undefined || (isLength && operator !== '}')) throw bad();
  let end = OPERATOR.lastIndex;
  const words: string[] = [''];
  if (operator !== '}') {
    const separator = operator === ':' ? ':' : operator.startsWith('/') ? '/' : '';
    for (; text[end] !== '}'; ) {
      if (end >= text.length) throw bad();
      if (text.startsWith('${', end)) {
        const inner = expression(text, end + 2, variables);
        words.push(`${words.pop()}${inner.value}`);
        end = inner.end;
      } else if (text[end] === separator && words.length === 1) {
        words.push('');
        end += 1;
      } else {
        words.push(`${words.pop()}${text[end]}`);
        end += 1;
      }
    }
    end += 1;
  }
  if (operator.startsWith('/') && words.length < 2) throw bad();
  if (!isKnown) return { value: `\${${text.slice(start, end)}`, end };
  if (isLength) return { value: String(byteLength(value)), end };
  return { value: applied(operator, value, words), end };
}

function applied(operator: string, value: string, [word = '', other]: readonly string[]): string {
  const first = (change: (text: string) => string): string => change(value.slice(0, 1)) + value.slice(1);
  switch (operator) {
    case '}':
      return value;
    case '^':
      return first((text) => text.toUpperCase());
    case '^^':
      return value.toUpperCase();
    case ',':
      return first((text) => text.toLowerCase());
    case ',,':
      return value.toLowerCase();
    case '/':
      return value.replace(word, () => other ?? '');
    case '//':
      return word === '' ? value : value.replaceAll(word, () => other ?? '');
    case '/#':
      return value.startsWith(word) ? value.replace(word, () => other ?? '') : value;
    case '/%':
      return value.endsWith(word) ? value.slice(0, value.length - word.length) + (other ?? '') : value;
    case ':':
      return substring(value, word, other);
    case '=':
    case ':=':
    case ':-':
    case ':?':
    case ':+':
      return value === '' ? word : value;
    default:
      throw new NotRendered(`the operator ${operator} of a variable in spec.postBuild is not supported`);
  }
}

function substring(value: string, position: string, length: string | undefined): string {
  const [from, count] = [position, length ?? '0'].map((text) => (/^[-+]?\d+$/.test(text) ? Number(text) : undefined));
  // Flux counts bytes.
  if (/[\u0080-\uffff]/.test(value)) throw new NotRendered('a part of a variable that is not ASCII is not supported');
  if (from === undefined || count === undefined) return value;
  const start = from < 0 ? Math.max(0, value.length + from) : from;
  if (length === undefined) return value.slice(start);
  return count < 0 ? value.slice(start, Math.max(start, value.length + count)) : value.slice(start, start + count);
}
