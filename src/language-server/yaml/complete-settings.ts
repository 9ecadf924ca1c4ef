import { isKustomizationFile } from '../../core/model/kustomization.ts';
import { isKubeObject } from '../../core/model/object.ts';
import type { Path, Value } from '../../core/model/value.ts';
import { parentOf } from '../../core/text/paths.ts';
import { isFunctionConfig } from '../../render/options/index.ts';
import { yamlScalar } from '../../yaml/emit/index.ts';
import { treeValue } from '../../yaml/tree/index.ts';
import { type Proposal, type Proposals, proposal } from '../cel/complete.ts';
import type { SourceFile } from '../workspace/file.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WritingContext } from './context.ts';
import { type SettingsField, settingsFieldAt, settingsKind } from './settings-files.ts';

/** Completes a kustomization, a golden test, a render-rgd.yaml or the spec of a functionConfig; undefined elsewhere. */
export function completeSettings(context: WritingContext, uri: string, workspace: Workspace): Proposals | undefined {
  const { isKey, isItem, path, start, end } = context;
  const field = fieldOf(uri, path, treeValue(context.text, context.root));
  if (field === undefined) return undefined;
  const name = path.findLast((step) => typeof step === 'string');
  const values = (): Proposal[] => [
    ...valuesOf(field),
    ...(field.isPath ? pathsFrom(uri, workspace, String(name)) : []),
  ];
  if (!isKey) return { start, end, proposals: values() };
  return { start, end, proposals: [...keysOf(field, context), ...(isItem ? values() : [])] };
}

/** Returns the field of a path in a file that is recognized by its name, or in the spec of a functionConfig. */
export function fieldOf(uri: string, path: Path, root: Value): SettingsField | undefined {
  const kind = settingsKind(uri);
  // A Kustomization of Flux, or another object, may have the same name.
  const isOther = kind !== undefined && kind !== 'kustomization' && isKubeObject(root);
  if (kind !== undefined && !isOther) return settingsFieldAt(kind, path);
  const isConfig = isKubeObject(root) && isFunctionConfig(root) && path[0] === 'spec';
  return isConfig ? settingsFieldAt('config', path.slice(1)) : undefined;
}

function keysOf({ fields = {} }: SettingsField, { siblings, hasColon }: WritingContext): Proposal[] {
  return Object.entries(fields).flatMap(([name, field], index) => {
    if (siblings.includes(name)) return [];
    const isNested = field.fields !== undefined || field.isList === true;
    const text = hasColon ? name : isNested ? `${name}:` : `${name}: `;
    const use = index / Object.keys(fields).length;
    return [proposal('field', name, field.about ?? '', 1, { text, use })];
  });
}

const valuesOf = ({ values = [] }: SettingsField): Proposal[] =>
  values.map(({ value, about }, index) =>
    // In YAML 1.1 a plain `off` is false; the files that have it read both.
    proposal('value', value, about, 0, {
      text: value === 'off' ? value : yamlScalar(value),
      use: index / values.length,
    }),
  );

/**
 * Returns the files of the workspace, and their folders, from the folder of a file: the nearest ones first, for
 * definitions those with RGDs and CRDs, and for components their folders.
 */
function pathsFrom(uri: string, { files }: Workspace, name: string): Proposal[] {
  const from = parentOf(uri);
  const found = new Map<string, { detail: string; rank: number }>();
  for (const file of files.values()) {
    if (file.uri === uri) continue;
    const path = relativePath(from, file.uri);
    const isFirst = name === 'definitions' && file.facts.defines.size > 0;
    found.set(path, { detail: 'file', rank: isFirst ? 0 : 1 });
    if (name === 'components' && isComponent(file)) found.set(parentOf(path), { detail: 'component', rank: 0 });
    if (path.includes('/') && !found.has(parentOf(path))) found.set(parentOf(path), { detail: 'folder', rank: 1 });
  }
  return [...found].map(([path, { detail, rank }]) => {
    const steps = path.split('/');
    const distance = steps.length + steps.filter((step) => step === '..').length;
    return proposal('value', decodeURIComponent(path), detail, rank, { use: distance / (distance + 1) });
  });
}

/** Reports whether a file is the kustomization of a component, which only its folder names. */
const isComponent = ({ uri, read }: SourceFile): boolean =>
  isKustomizationFile(uri) && read.documents.some(({ object }) => isKubeObject(object) && object.kind === 'Component');

function relativePath(from: string, to: string): string {
  const own = from.split('/');
  const other = to.split('/');
  const differs = own.findIndex((step, index) => step !== other[index]);
  const shared = differs < 0 ? own.length : differs;
  return [...own.slice(shared).map(() => '..'), ...other.slice(shared)].join('/');
}
