import type { KubeObject } from '../../core/model/object.ts';
import { isSecretKind, SECRET, type Secrecy, writtenSecrets } from '../../core/redaction/index.ts';

/** What a comparison may know of an object. */
export interface Review {
  /** Its place: the node of an instance that renders it. Objects with the same place are versions of each other. */
  place?: { instance: string; namespace: string; node: string; key: string } | undefined;
  secrecy: Secrecy;
  /** Its name or namespace may be a value of a Secret. */
  nameless: boolean;
  /** Maps of a Secret whose keys were written by hand, so that they may be shown. */
  named: readonly string[];
}

export const NAMED_IN_SECRETS = ['data', 'stringData'];

/** What is known of an object by itself. */
export const reviewAlone = (object: KubeObject): Review => ({
  secrecy: isSecretKind(object.kind) ? SECRET : writtenSecrets(object, 'object'),
  nameless: false,
  named: NAMED_IN_SECRETS,
});
