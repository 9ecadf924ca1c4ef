import type { Text } from '../../core/diagnostics/index.ts';
import type { KubeObject } from '../../core/model/object.ts';
import { isSecretKind, SECRET, type Secrecy, writtenSecrets } from '../../core/redaction/index.ts';

/** What a comparison may know of an object. */
export interface Review {
  /** The node of an instance that renders it. Objects with the same node are versions of each other. */
  place?: { instance: Text; namespace: Text; node: Text; key: string } | undefined;
  secrecy: Secrecy;
  /** Its name or namespace may be a value of a Secret. */
  nameless: boolean;
  /** Maps of a Secret whose keys were written by hand, so that they may be printed. */
  named: readonly string[];
}

export const NAMED_IN_SECRETS = ['data', 'stringData'];

/** Returns what is known from an object alone. */
export const reviewAlone = (object: KubeObject): Review => ({
  secrecy: isSecretKind(object.kind) ? SECRET : writtenSecrets(object, 'object'),
  nameless: false,
  named: NAMED_IN_SECRETS,
});
