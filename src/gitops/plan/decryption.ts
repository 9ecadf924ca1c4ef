import {
  annotationOf,
  type Document,
  groupKindOf,
  isKubeObject,
  type KubeObject,
  nameOf,
} from '../../core/model/object.ts';
import { rejected } from './repository.ts';

/** An annotation with which kustomize-controller leaves an encrypted Secret as it is. */
const DECRYPT = 'kustomize.toolkit.fluxcd.io/decrypt';

const isEncrypted = (object: KubeObject): boolean =>
  groupKindOf(object) === 'Secret.' && 'sops' in object && annotationOf(object, DECRYPT)?.toLowerCase() !== 'disabled';

/**
 * Rejects what kustomize-controller rejects: an encrypted Secret of a Kustomization without `spec.decryption`
 * (internal/controller/kustomization_controller.go: apply). @throws NotRendered
 */
export function refuseEncrypted(documents: readonly Document[]): void {
  for (const { object } of documents) {
    if (isKubeObject(object) && isEncrypted(object))
      throw rejected(`the Secret ${nameOf(object)} is encrypted with SOPS, and spec.decryption is not set`);
  }
}
