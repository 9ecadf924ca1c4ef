import { annotationOf, type KubeObject } from '../../core/model/object.ts';
import { getAt } from '../../core/model/value.ts';

/** The annotation, or the label, with which an object excludes itself from the variables of kustomize-controller. */
export const SUBSTITUTE = fluxKey('substitute');

/** Returns the key of an annotation or label of kustomize-controller. */
export function fluxKey(name: string): string {
  return `kustomize.toolkit.fluxcd.io/${name}`;
}

/** Returns the values of an annotation and of a label of kustomize-controller, which reads both. */
export function fluxMarks(object: KubeObject, name: string): string[] {
  const key = fluxKey(name);
  const marks = [annotationOf(object, key), getAt(object, ['metadata', 'labels', key])];
  return marks.filter((mark) => typeof mark === 'string');
}

/** Reports whether kustomize-controller replaces no variables in an object. */
export const isNotSubstituted = (object: KubeObject): boolean => fluxMarks(object, 'substitute').includes('disabled');
