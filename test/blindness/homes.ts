import { pluginCommand } from '../../src/cli/plugin/index.ts';
import { readListText, renderResourceList } from '../../src/cli/resourcelist/index.ts';
import { Collector, isError } from '../../src/core/diagnostics/index.ts';
import { type Evidence, faultsInSums, judge, NO_EVIDENCE } from '../../src/core/ledger/index.ts';
import { isKubeObject } from '../../src/core/model/object.ts';
import { getAt } from '../../src/core/model/value.ts';
import { lensesOf } from '../../src/language-server/features/hints.ts';
import { Workspace } from '../../src/language-server/workspace/workspace.ts';
import { defaultRenderOptions } from '../../src/render/options/index.ts';
import { readStream } from '../../src/yaml/parse/yaml.ts';
import { recordingIo } from '../cli/recording.ts';
import { listOf } from '../cli/resourcelist/packages.ts';
import { textsIn } from './ask.ts';
import type { FileContent } from './package.ts';

type FilesByPath = ReadonlyMap<string, FileContent>;

/** Runs the function on the objects of a package, and returns what is counted twice, missing or not said. */
export function faultsOfFunction(files: FilesByPath): string[] {
  const items = textsIn(files).flatMap(({ text }) =>
    readStream(text).documents.flatMap(({ value }) => (isKubeObject(value) ? [toText(value)] : [])),
  );
  const text = listOf(items);
  const list = readListText({ file: '-', text }, new Collector());
  if (list === undefined) return ['the list is not read'];
  const rendered = renderResourceList(list, {}, { ...defaultRenderOptions, allowEmpty: true });
  const { evidence, reports, failed } = rendered;
  const faults = faultsInSums(evidence);
  const expected = list.items.reduce((sum: number, item) => sum + itemsIn(item), 0);
  const found = evidence.given.length + evidence.documents.length;
  if (found !== expected) faults.push(`${found} outcomes of ${expected} items`);
  const problems = { errors: reports.filter(isError).length, warnings: 0 };
  if (judge(evidence, problems, []).isRefused !== failed) faults.push('the verdict differs from the exit code');
  const results = getAt(readStream(rendered.text.join('')).documents[0]?.value ?? null, ['results']);
  const said = toText(results ?? []);
  return [...faults, ...unnamed(evidence, said)];
}

/** Runs the plugin in the current folder, and returns its entries, and what is counted twice or not said. */
export async function accountOfPlugin(): Promise<{ evidence: Evidence; faults: string[] }> {
  const result = { stdout: '', stderr: '' };
  let evidence = NO_EVIDENCE;
  const parameters = JSON.stringify([{ name: 'allowEmpty', string: 'true' }]);
  const code = await pluginCommand(
    ['generate'],
    recordingIo(result),
    { ARGOCD_APP_PARAMETERS: parameters },
    (found) => {
      evidence = found;
    },
  );
  const faults = faultsInSums(evidence);
  const hasFailures = judge(evidence, { errors: 0, warnings: 0 }, []).isRefused;
  if (hasFailures && code === 0) faults.push('something failed, and the exit code is 0');
  return { evidence, faults: [...faults, ...unnamed(evidence, result.stderr)] };
}

/** Opens all files in an editor, and returns what is counted twice, missing or not said. */
export function faultsOfEditor(files: FilesByPath): string[] {
  const workspace = new Workspace();
  workspace.configure({ options: defaultRenderOptions, disable: [], openapi: undefined }, []);
  const uris = textsIn(files).map(({ file, text }) => {
    const uri = `file:///folder/${file}`;
    workspace.open(uri, text, 1);
    return uri;
  });
  return uris.flatMap((uri) => {
    const checked = workspace.current(uri);
    const file = workspace.files.get(uri);
    if (checked === undefined || file === undefined) return [];
    const own = checked.evidence.given.filter((entry) => entry.file === uri);
    const lenses = lensesOf(file, workspace, false).map(({ command }) => command?.title ?? '');
    const unseen = own.filter(({ outcome }) => outcome.is === 'unseen');
    const isSaid = unseen.length === 0 || lenses.some((title) => title.includes('not checked: '));
    return [...faultsInSums(checked.evidence), ...(isSaid ? [] : [`the editor says nothing of ${uri}`])];
  });
}

/** Returns the objects of which nobody knows whether an RGD should render them, and that a text does not name. */
const unnamed = ({ given }: Evidence, text: string): string[] =>
  given.flatMap(({ title, outcome }) => {
    const isUnknown = outcome.is === 'unseen' && outcome.why !== 'not-reached';
    const name = title.split('/').at(-1) ?? title;
    return isUnknown && !text.includes(name) ? [`${title} is not named`] : [];
  });

const toText = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? Number(one) : one));

/** A list of Kubernetes stands for its items. */
export function itemsIn(value: unknown): number {
  const { kind, items } = value as { kind?: unknown; items?: unknown };
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) return 1;
  return items.reduce((sum: number, item) => sum + itemsIn(item), 0);
}
