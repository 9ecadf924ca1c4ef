import { groupVersionKind } from '../../core/model/object.ts';
import { visibleOnOneLine } from '../../core/text/visible.ts';
import type { PendingValue } from '../front-end/index.ts';

/** Returns one word of a POSIX shell. Text without special characters is unchanged, everything else is quoted. */
export const shellWord = (text: string): string =>
  /^[\w./-]+$/.test(text) && !text.startsWith('-') ? text : singleQuoted(text);

/** Returns a comment of one line, quoted: an interactive zsh has no comments, and reads it as a command called `#`. */
function shellComment(text: string): string {
  const line = visibleOnOneLine(text);
  return `# ${/^[\w .,:/-]+$/.test(line) ? line : singleQuoted(line)}`;
}

const singleQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** An object to get from the cluster. Without a namespace it is cluster-scoped, or in the current one. */
export type Asked = PendingValue['object'];

/** Flags before the operands; with `--ignore-not-found` kubectl does not report missing objects. */
const AS_YAML = ['-o', 'yaml', '--ignore-not-found'];

/** Returns a line of a shell script that prints an object as YAML if it exists; a comment if it cannot be named. */
export function getLine(asked: Asked): string {
  const type = typeOf(asked);
  if (asked.secret) return shellComment(`a ${type} whose name may be a value of a Secret`);
  if (asked.selector === undefined && asked.name === undefined)
    return shellComment(`a ${type} whose name is not known yet`);
  const which = asked.name ?? asked.selector;
  return getCommand(asked, AS_YAML) ?? shellComment(`kubectl cannot be asked for ${type} ${asked.namespace}/${which}`);
}

/** Returns a shell command that gets objects; no operand is read as a flag. `undefined` if none can have this name. */
export function getCommand(asked: Asked, flags: readonly string[] = []): string | undefined {
  const { name = '', namespace, selector } = asked;
  const type = typeOf(asked);
  const isNamed = selector !== undefined || isPathSegment(name);
  if (!TYPE.test(type) || !isNamed || (namespace !== '' && !isPathSegment(namespace))) return undefined;
  const within = namespace === '' ? [] : [`--namespace=${shellWord(namespace)}`];
  const chosen = selector ? [`--selector=${shellWord(selector)}`] : [];
  const operands = [shellWord(type), ...(selector === undefined ? [shellWord(name)] : [])];
  return ['kubectl', 'get', ...within, ...chosen, ...flags, '--', ...operands].join(' ');
}

function typeOf(asked: Asked): string {
  const { group, version, kind } = groupVersionKind(asked);
  return `${kind}.${version}.${group}`;
}

/** kubectl reads a comma as several types and a slash as a name. */
const TYPE = /^[A-Za-z][A-Za-z0-9-]*\.[a-z0-9-]+\.[a-z0-9.-]*$/;

/** Wider than the names of most kinds, but safe in a URL, a line and a terminal. */
const isPathSegment = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !/[/%\s\p{Cc}\p{Cf}\p{Cs}]/u.test(name);
