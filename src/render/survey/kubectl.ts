import type { PendingValue } from '../../kubernetes/front-end/index.ts';
import { getLine } from '../../kubernetes/kubectl/index.ts';

/**
 * Returns shell commands that print every pending object as a stream of YAML documents. An object that does not exist
 * prints nothing; one without a known name is only mentioned.
 */
export function kubectlCommands(values: readonly PendingValue[]): string {
  const lines = values.map(({ object }) => `${getLine(object)}\n`);
  return [...new Set(lines)].join('echo ---\n');
}
