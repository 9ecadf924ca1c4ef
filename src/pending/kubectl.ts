import { groupVersionKind } from '../model/object.ts';
import type { Awaited } from './index.ts';

/**
 * Shell commands that print every awaited object, one each, as a stream of YAML documents. An object that is not there
 * yet prints nothing; one whose name is not known yet is only mentioned.
 */
export function kubectlCommands(values: readonly Awaited[]): string {
  const commands = values.map(({ object }) => {
    const { group, version, kind } = groupVersionKind(object);
    // The core group is the empty text behind the last dot.
    const type = `${kind}.${version}.${group}`;
    if (object.name === undefined) return `# a ${type} whose name is not known yet\n`;
    const namespace = object.namespace === '' ? '' : ` -n ${quoted(object.namespace)}`;
    return `kubectl get${namespace} ${quoted(type)} ${quoted(object.name)} -o yaml --ignore-not-found\n`;
  });
  return [...new Set(commands)].join('echo ---\n');
}

/** As a shell takes it: names come from expressions, and nobody has checked those of objects that wait. */
const quoted = (text: string): string =>
  /^[\w.-]+$/.test(text) && !text.startsWith('-') ? text : `'${text.replaceAll("'", "'\\''")}'`;
