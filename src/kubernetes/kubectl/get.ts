import { groupVersionKind } from '../../core/model/object.ts';
import { shellComment, shellWord } from './shell.ts';

/** An object to ask the cluster for. */
export interface Asked {
  apiVersion: string;
  kind: string;
  /** '' for a kind without namespaces, or where the current one will do. */
  namespace: string;
  /** Missing as long as nobody knows it. */
  name?: string | undefined;
  /** It has a name that may be a value of a Secret, and is not reported. */
  secret?: true;
  /** All objects with these labels, in place of the one of a name. */
  selector?: string;
}

/** Flags that are before the operands; `--ignore-not-found` keeps kubectl silent about what is not there. */
const AS_YAML = ['-o', 'yaml', '--ignore-not-found'];

/**
 * The line of a shell script that prints an object as YAML, and nothing while it is not there. A comment takes its
 * place when the name is not known, or when no object can have that kind and name.
 */
export function getLine(asked: Asked): string {
  const type = typeOf(asked);
  if (asked.secret) return shellComment(`a ${type} whose name may be a value of a Secret`);
  if (asked.selector === undefined && asked.name === undefined)
    return shellComment(`a ${type} whose name is not known yet`);
  const which = asked.name ?? asked.selector;
  return getCommand(asked, AS_YAML) ?? shellComment(`kubectl cannot be asked for ${type} ${asked.namespace}/${which}`);
}

/**
 * A command that gets objects, for a shell; undefined when none can have this kind and name. Operands stand
 * behind `--` and the namespace behind `=`, so that none of them is read as a flag.
 */
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

/** Kind, version and group; the core group is the empty text behind the last dot. */
function typeOf(asked: Asked): string {
  const { group, version, kind } = groupVersionKind(asked);
  return `${kind}.${version}.${group}`;
}

/** kubectl reads a comma as several types and a slash as a name. */
const TYPE = /^[A-Za-z][A-Za-z0-9-]*\.[a-z0-9-]+\.[a-z0-9.-]*$/;

/** Wider than what most kinds take, and still no name that a URL, a line or a terminal would read otherwise. */
const isPathSegment = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !/[/%\s\p{Cc}\p{Cf}\p{Cs}]/u.test(name);
