import { type KubeObject, namespaceOf, titleOf } from '../../../core/model/object.ts';
import { getAt, isMap, type Path, type Value } from '../../../core/model/value.ts';
import { toJsonText, toYaml } from '../../../yaml/emit/index.ts';
import { maskedAlone } from '../../diff/mask.ts';
import { drawPackage, mermaidText, svgText } from '../../graph/index.ts';
import { renderVersion, type Version } from '../../review/index.ts';
import type { Checked, CheckSettings } from '../workspace/check.ts';

const known = new WeakMap<Checked, Version>();

/** Renders a package; pending nodes are omitted. */
function versionOf(checked: Checked, { options, openapi }: CheckSettings): Version {
  const before = known.get(checked);
  if (before !== undefined) return before;
  const { objects, definitions } = checked.plan;
  const input = { objects, definitions, ...(openapi === undefined ? {} : { openapi }) };
  const version = renderVersion(input, { ...options, onPending: 'skip', all: false });
  known.set(checked, version);
  return version;
}

/** Returns the objects of an instance as YAML. Values of Secrets are hidden. */
export function previewOf(instance: KubeObject, checked: Checked, settings: CheckSettings): string {
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

/** Returns the graphs of the RGDs of a package. */
export function graphOf(checked: Checked, { options, openapi }: CheckSettings, format: 'mermaid' | 'svg'): string {
  const { objects, definitions } = checked.plan;
  const input = { objects, definitions, ...(openapi === undefined ? {} : { openapi }) };
  const { pictures } = drawPackage(input, options, { rgds: [], instance: '' });
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
