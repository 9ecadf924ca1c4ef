import { type Collector, phrase, reporterFor, shown } from '../../core/diagnostics/index.ts';
import { groupKindOf, type InputObject, type KubeObject, nameOf } from '../../core/model/object.ts';
import { get, getAt, isMap, listAt, textAt, textsIn } from '../../core/model/value.ts';
import { normalPath } from '../../core/text/paths.ts';
import { isRgd } from '../../kro/definition/index.ts';
import { isNotSubstituted, SUBSTITUTE } from '../../kubernetes/kustomization/index.ts';

const KUSTOMIZATIONS: readonly string[] = [
  'Kustomization.kustomize.toolkit.fluxcd.io',
  'Kustomization.kustomize.config.k8s.io',
  'Component.kustomize.config.k8s.io',
];

/** Reports whether a Kustomization of Flux replaces variables in what it applies. */
function substitutes(object: KubeObject): boolean {
  if (groupKindOf(object) !== 'Kustomization.kustomize.toolkit.fluxcd.io') return false;
  const values = getAt(object, ['spec', 'postBuild', 'substitute']);
  const isFilled = isMap(values) && Object.keys(values).length > 0;
  return isFilled || listAt(getAt(object, ['spec', 'postBuild']), 'substituteFrom').length > 0;
}

/** Reports whether a kustomization may add the annotation to what it lists. */
function mayExclude(object: KubeObject): boolean {
  if (!KUSTOMIZATIONS.includes(groupKindOf(object))) return false;
  for (const field of ['commonAnnotations', 'labels', 'patches', 'spec']) {
    const value = get(object, field);
    if (value === undefined) continue;
    for (const { text, path } of textsIn(value))
      if (text.includes(SUBSTITUTE) || path.includes(SUBSTITUTE)) return true;
  }
  return false;
}

function hasExpression(object: KubeObject): boolean {
  for (const { text } of textsIn(object)) if (text.includes('${')) return true;
  return false;
}

/** Warns of RGDs below a Kustomization of Flux that replaces variables: `${...}` is the syntax of both. */
export function reportSubstitution(objects: readonly InputObject[], reports: Collector): void {
  const found = objects.filter(({ object }) => substitutes(object));
  if (found.length === 0 || objects.some(({ object }) => mayExclude(object))) return;
  for (const input of objects) {
    const { object, source } = input;
    if (!isRgd(object) || isNotSubstituted(object) || source === undefined || !hasExpression(object)) continue;
    const kustomization = found.find((one) => isApplied(source.file, one.object));
    if (kustomization === undefined) continue;
    const name = nameOf(kustomization.object);
    const message = phrase`the Kustomization ${{ object: name }} of Flux replaces variables in it, so that Flux reads the expressions of the RGD as variables`;
    const hint = phrase`set the annotation ${shown(SUBSTITUTE)} of the RGD to ${shown('disabled')}`;
    reporterFor(input, reports).report({ code: 'flux-substitution', severity: 'warning', message, hint, path: [] });
  }
}

/** The path of a Kustomization is relative to the root of its repository, which may be above or below the current folder. */
function isApplied(file: string, kustomization: KubeObject): boolean {
  const folder = normalPath(textAt(get(kustomization, 'spec'), 'path'));
  return folder === '' || folder === '.' || `/${normalPath(file)}`.includes(`/${folder}/`);
}
