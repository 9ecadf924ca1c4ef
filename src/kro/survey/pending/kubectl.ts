import { getLine } from '../../../kubernetes/kubectl/index.ts';
import type { Awaited } from '../reads/index.ts';

/**
 * Shell commands that print every awaited object, one each, as a stream of YAML documents. An object that is not there
 * yet prints nothing; one whose name is not known yet is only mentioned.
 */
export function kubectlCommands(values: readonly Awaited[]): string {
  const lines = values.map(({ object }) => `${getLine(object)}\n`);
  return [...new Set(lines)].join('echo ---\n');
}
