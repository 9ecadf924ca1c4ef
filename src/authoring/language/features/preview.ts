import { getOrCompute } from '../../../core/model/lazily.ts';
import { isKubeObject, type KubeObject, namespaceOf, titleOf } from '../../../core/model/object.ts';
import type { RenderInput } from '../../../core/model/render.ts';
import { getAt, isMap, type Path, type Value } from '../../../core/model/value.ts';
import { toJsonText, toYaml } from '../../../yaml/emit/index.ts';
import { maskedAlone } from '../../diff/mask.ts';
import { drawPackage, mermaidText, svgText } from '../../graph/index.ts';
import { renderVersion, type Version } from '../../review/index.ts';
import type { Checked, CheckSettings } from '../workspace/check.ts';
import type { SourceFile } from '../workspace/file.ts';
import type { Workspace } from '../workspace/workspace.ts';

const known = new WeakMap<Checked, Version>();

/** Renders a package; pending nodes are omitted. */
const versionOf = (checked: Checked, settings: CheckSettings): Version =>
  getOrCompute(known, checked, () =>
    renderVersion(inputOf(checked, settings), { ...settings.options, onPending: 'skip', all: false }),
  );

const inputOf = ({ plan: { objects, definitions } }: Checked, { openapi }: CheckSettings): RenderInput => ({
  objects,
  definitions,
  ...(openapi !== undefined && { openapi }),
});

/** Returns the objects of an instance, `Kind/name`, or of the first one of a file, as YAML. Values of Secrets are hidden. */
export function previewOf(file: SourceFile, title: string | undefined, workspace: Workspace): string | undefined {
  const checked = workspace.current(file.uri);
  const found = file.read.documents
    .map(({ object }) => object)
    .filter(isKubeObject)
    .find((object) => (title === undefined ? checked?.rendered.has(object) : titleOf(object) === title));
  return checked && found && objectsOf(found, checked, workspace.settings);
}

function objectsOf(instance: KubeObject, checked: Checked, settings: CheckSettings): string {
  const title = titleOf(instance);
  const own = versionOf(checked, settings).objects.filter(
    ({ place }) => place?.instance === title || place?.key.includes(title) === true,
  );
  const inNamespace = own.filter(
    ({ place }) => place?.namespace === (namespaceOf(instance) || settings.options.namespace),
  );
  const shown = inNamespace.length > 0 ? inNamespace : own;
  if (shown.length === 0) return `# ${title} renders to nothing, or there is an error in its package.\n`;
  return toYaml(shown.map((one) => maskedAlone(one) as KubeObject));
}

const NO_GRAPH = '%% There is nothing to draw: the folder has no RGD, or there is an error in one.\n';

/** Returns the graphs of the RGDs of the package of a file. */
export function graphOf(file: SourceFile, format: 'mermaid' | 'svg', workspace: Workspace): string | undefined {
  const checked = workspace.current(file.uri);
  if (checked === undefined) return undefined;
  const { settings } = workspace;
  const { pictures } = drawPackage(inputOf(checked, settings), settings.options, { rgds: [], instance: '' });
  if (pictures.length === 0) return format === 'svg' ? '' : NO_GRAPH;
  return format === 'svg' ? svgText(pictures) : mermaidText(pictures);
}

/** Returns the value of a field of a node in its first object of the first instance, shortened. */
export function firstValue(
  node: string,
  kind: string,
  path: Path,
  checked: Checked,
  settings: CheckSettings,
): string | undefined {
  const one = versionOf(checked, settings).objects.find(
    ({ place }) => place?.node === node && place.instance.startsWith(`${kind}/`),
  );
  const value = one && getAt(maskedAlone(one), path);
  return value === undefined || isMap(value) || Array.isArray(value) ? undefined : shortText(value);
}

const MAX_SHOWN = 40;

function shortText(value: Value): string {
  const text = toJsonText(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
