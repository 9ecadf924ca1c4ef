import type { CodeLens, InlayHint } from 'vscode-languageserver';
import { UNSEEN } from '../../check/reports/index.ts';
import { maskedAlone } from '../../compare/diff/index.ts';
import { renderVersion, type Version } from '../../compare/review/index.ts';
import { counted } from '../../core/diagnostics/index.ts';
import { leftOut, tallyOf } from '../../core/ledger/index.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import {
  groupKindOf,
  isKubeObject,
  type KubeObject,
  namespaceOf,
  type Source,
  titleOf,
} from '../../core/model/object.ts';
import type { RenderInput } from '../../core/model/render.ts';
import { getAt, isMap, type Path, type Value } from '../../core/model/value.ts';
import { drawPackage, mermaidText, svgText } from '../../describe/graph/index.ts';
import { toJsonText, toYaml } from '../../yaml/emit/index.ts';
import { entryOf, nodeAt } from '../../yaml/tree/index.ts';
import { typeText } from '../cel/types.ts';
import { type Model, modelOf } from '../expressions.ts';
import type { Checked, CheckSettings } from '../workspace/check.ts';
import type { Range, SourceFile } from '../workspace/file.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { isTest } from './structure.ts';

/** Returns the types of iterators, and the values of expressions in the first instance. */
export function inlayHintsOf(file: SourceFile, range: Range, workspace: Workspace): InlayHint[] {
  const checked = workspace.known(file.uri);
  if (checked === undefined) return [];
  const from = file.offsetAt(range.start);
  const to = file.offsetAt(range.end);
  return file.trees.flatMap((tree) => {
    const model = tree.end < from || tree.start > to ? undefined : modelOf(file, tree, workspace);
    if (model === undefined) return [];
    const values = model.expressions.flatMap(({ written }): InlayHint[] => {
      const { place, standalone, closed, path, scalar } = written;
      const { id = '', template, path: own = [] } = model.definition.nodes[written.node ?? -1] ?? {};
      const isWhole = place === 'template' && standalone && closed && from <= scalar.start && scalar.end <= to;
      // A node of a nested graph may have the id of another node.
      if (!isWhole || template === undefined || own.length !== 3) return [];
      const value = firstValue(id, model.definition.kind, path.slice(4), checked, workspace.settings);
      const position = file.positionAt(scalar.end);
      return value === undefined ? [] : [{ position, label: `= ${value}`, paddingLeft: true }];
    });
    return [...iteratorHints(model, file), ...values];
  });
}

function iteratorHints({ definition, scopes, tree }: Model, file: SourceFile): InlayHint[] {
  return definition.nodes.flatMap(({ forEach }, index) =>
    forEach.flatMap(({ name, path }): InlayHint[] => {
      const key = entryOf(nodeAt(tree.root, path.slice(0, -1)), name)?.key;
      const type = scopes.iterators(index).get(name);
      if (key === undefined || type === undefined) return [];
      return [{ position: file.positionAt(key.end), label: `: ${typeText(type)}`, kind: 1 }];
    }),
  );
}

/** Returns lenses that preview instances, and draw RGDs; of a golden test, those that run it if the host can. */
export function lensesOf(file: SourceFile, workspace: Workspace, runsTests: boolean): CodeLens[] {
  const lens = (range: Range, title: string, command: string, ...more: string[]): CodeLens => ({
    range,
    command: { title, command: `render-rgd.${command}`, arguments: [file.uri, ...more] },
  });
  if (isTest(file)) {
    const top = file.rangeOf(0, 0);
    return runsTests ? [lens(top, 'run test', 'test'), lens(top, 'update test', 'updateTest')] : [];
  }
  const checked = workspace.known(file.uri);
  if (checked === undefined) return [];
  return file.read.documents.flatMap(({ object, source }): CodeLens[] => {
    const tree = source && file.trees[source.document];
    const kind = tree && entryOf(tree.root, 'kind');
    if (!isKubeObject(object) || kind === undefined) return [];
    const range = file.rangeOf(kind.key.start, kind.value.end);
    const own = file.facts.rgds.find(({ document }) => document === source?.document);
    if (own !== undefined) {
      const instances = [...checked.rendered.keys()].filter((one) => groupKindOf(one) === own.kind).length;
      return [lens(range, `graph (${counted(instances, 'instance')} here)`, 'graph')];
    }
    const unseen = unseenTitle(checked, source);
    const notes = unseen === undefined ? [] : [{ range, command: { title: unseen, command: '' } }];
    const count = checked.rendered.get(object);
    if (count === undefined) return notes;
    return [lens(range, `renders ${counted(count, 'object')}: show`, 'show', titleOf(object)), ...notes];
  });
}

/** Returns what a lens says of the objects of a document that nobody looked at. */
function unseenTitle({ evidence: { given } }: Checked, source: Source | undefined): string | undefined {
  const own = given.filter(({ file, document }) => file === source?.file && document === source?.document);
  const reasons = new Set(own.flatMap(({ outcome }) => (outcome.is === 'unseen' ? [UNSEEN[outcome.why]] : [])));
  const { unseen } = tallyOf(own);
  if (unseen > 0)
    return `${own.length === 1 ? '' : `${counted(unseen, 'object')} `}not checked: ${[...reasons].join(', ')}`;
  return leftOut(own).length > 0 ? 'left to a controller' : undefined;
}

const known = new WeakMap<Checked, Version>();

const versionOf = (checked: Checked, settings: CheckSettings): Version =>
  getOrCompute(known, checked, () =>
    renderVersion(inputOf(checked, settings), { ...settings.options, onPending: 'skip', all: false }),
  );

const inputOf = ({ plan: { objects, definitions } }: Checked, { openapi }: CheckSettings): RenderInput => {
  return { objects, definitions, ...(openapi !== undefined && { openapi }) };
};

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
  const namespace = namespaceOf(instance) || settings.options.namespace;
  const all = versionOf(checked, settings).objects;
  const own = all.filter(({ place }) => place?.instance === title || place?.key.includes(title));
  const inNamespace = own.filter(({ place }) => place?.namespace === namespace);
  const shown = inNamespace.length > 0 ? inNamespace : own;
  if (shown.length === 0) return `# ${title} renders to nothing, or there is an error in its package.\n`;
  return toYaml(shown.map((one) => maskedAlone(one) as KubeObject));
}

const NO_GRAPH = '%% There is nothing to draw: the folder has no RGD, or there is an error in one.\n';

export function graphOf(file: SourceFile, format: 'mermaid' | 'svg', workspace: Workspace): string | undefined {
  const checked = workspace.current(file.uri);
  if (checked === undefined) return undefined;
  const { settings } = workspace;
  const { pictures } = drawPackage(inputOf(checked, settings), settings.options, { rgds: [], instance: '' });
  if (pictures.length === 0) return format === 'svg' ? '' : NO_GRAPH;
  return format === 'svg' ? svgText(pictures) : mermaidText(pictures);
}

function firstValue(node: string, kind: string, path: Path, checked: Checked, settings: CheckSettings) {
  const one = versionOf(checked, settings).objects.find(
    // sentence: compares the kind in the title of an instance, which is shown even if its name is not
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
