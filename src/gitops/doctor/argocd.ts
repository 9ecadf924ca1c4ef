import { type Collector, type Problem, phrase, reporterFor, shown } from '../../core/diagnostics/index.ts';
import { groupVersionKind, type InputObject } from '../../core/model/object.ts';
import { get, getAt, isMap, listAt, type Path, textAt, type Value } from '../../core/model/value.ts';
import { isRenderRgd } from '../../kubernetes/kustomization/index.ts';
import { joined } from './layers.ts';

const GENERATE_PATHS = 'argocd.argoproj.io/manifest-generate-paths';

/** Warns of what makes plugins of Argo CD slow: no name, a whole repository that is sent, discovery. */
export function reportArgoCd(objects: readonly InputObject[], reports: Collector): void {
  for (const input of objects) {
    const { group, kind } = groupVersionKind(input.object);
    if (group !== 'argoproj.io') continue;
    if (kind === 'Application') reportApplication(input, [], reports);
    if (kind === 'ApplicationSet') reportApplication(input, ['spec', 'template'], reports);
    if (kind === 'ConfigManagementPlugin' && isMap(getAt(input.object, ['spec', 'discover']))) {
      const message = phrase`discovery runs for every Application that names no tool, and sends the repository once more`;
      const hint = phrase`leave it out, and set ${shown('plugin.name')} in the Applications`;
      warn(input, ['spec', 'discover'], { message, hint }, reports);
    }
  }
}

function reportApplication(input: InputObject, at: Path, reports: Collector): void {
  const application = getAt(input.object, at) ?? null;
  const spec = get(application, 'spec') ?? null;
  const sources: [Path, Value][] = [
    [['source'], get(spec, 'source') ?? null],
    [['sourceHydrator', 'drySource'], getAt(spec, ['sourceHydrator', 'drySource']) ?? null],
    ...listAt(spec, 'sources').map((source, index): [Path, Value] => [['sources', index], source]),
  ];
  for (const [path, source] of sources) {
    const plugin = get(source, 'plugin');
    if (!isMap(plugin)) continue;
    const name = textAt(plugin, 'name');
    if (name !== '' && !isRenderRgd(name)) continue;
    const place = [...at, 'spec', ...path];
    if (name === '') {
      const message = phrase`has no name, so Argo CD asks every plugin, and sends the repository once more`;
      warn(input, [...place, 'plugin'], { message, hint: phrase`set ${shown('name: render-rgd')}` }, reports);
    }
    const annotation = ['metadata', 'annotations', GENERATE_PATHS];
    const paths = getAt(application, annotation);
    const shared = typeof paths === 'string' ? commonFolder(paths, textAt(source, 'path')) : '';
    if (shared !== '') continue;
    const message =
      paths === undefined
        ? phrase`Argo CD sends the whole repository to the plugin: there is no annotation ${{ annotation: shown(GENERATE_PATHS) }}`
        : phrase`Argo CD sends the whole repository to the plugin: the paths in ${{ annotation: shown(GENERATE_PATHS) }} have no folder in common`;
    const hint = phrase`name the folders that it reads; for RGDs elsewhere, mount them into the sidecar (--allow-dir)`;
    warn(input, paths === undefined ? place : [...at, ...annotation], { message, hint }, reports);
  }
}

/** Returns the folder that Argo CD sends: what all paths and that of the source have in common; '' for the root. */
function commonFolder(paths: string, base: string): string {
  const own = joined('.', base);
  const others = paths
    .split(';')
    .map((path) => path.trim())
    .filter((path) => path !== '')
    .map((path) => joined(path.startsWith('/') ? '.' : own, path.replace(/^\//, '')).split('/'));
  const first = others.length === 0 ? [] : own.split('/');
  const differs = first.findIndex((part, index) => others.some((other) => other[index] !== part));
  return first.slice(0, differs < 0 ? first.length : differs).join('/');
}

function warn(input: InputObject, path: Path, what: Pick<Problem, 'message' | 'hint'>, reports: Collector): void {
  reporterFor(input, reports).report({ code: 'plugin-load', severity: 'warning', path, ...what });
}
