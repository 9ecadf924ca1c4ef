import type { App } from '../app.ts';
import { kindsIn } from '../state/story.ts';
import type { MenuItems } from './menu.ts';
import { POLICY, STARTERS } from './starters.ts';

/** The number of kinds whose instances the menu offers. */
const MOST_KINDS = 6;

/** The menu of files to add; `addEmpty` asks for the name of an empty one. */
export function addItems(app: App, addEmpty: () => void): MenuItems {
  const kinds = [...new Set(app.workspace.files.flatMap(({ text }) => kindsIn(text)))].slice(0, MOST_KINDS);
  const [rgd] = STARTERS[0]?.files ?? [];
  const [set] = STARTERS[1]?.files ?? [];
  return [
    { title: 'Empty file', run: addEmpty },
    ...kinds.map((kind) => ({ title: `Instance of ${kind}`, run: () => void addInstance(app, kind) })),
    { title: 'RGD', run: () => put(app, 'web-app.rgd.yaml', rgd?.text ?? '') },
    { title: 'ResourceSet', run: () => put(app, 'teams.yaml', set?.text ?? '') },
    { title: 'Policy', run: () => put(app, 'policy.yaml', POLICY) },
  ];
}

/** Adds a sample of an instance, of the first kind without a name. */
export async function addInstance(app: App, kind?: string): Promise<void> {
  const { engine, workspace, notify } = app;
  const { kinds } = await engine.ask('kinds', workspace.package);
  const wanted = kinds.find((one) => kind === undefined || one.split('.')[0] === kind);
  if (wanted === undefined) return notify('An RGD with errors defines no kind: correct it first.');
  const { sample, kind: name } = await engine.ask('form', workspace.package, wanted);
  put(app, `${name.toLowerCase()}.yaml`, sample);
}

/** Adds a file under a free name, and opens it. */
function put({ workspace, editor, keeper, notify }: App, name: string, text: string): void {
  const stem = name.replace(/(?:\.rgd)?\.yaml$/, '');
  let free = name;
  for (let number = 2; workspace.file(free) !== undefined; number += 1)
    free = `${stem}-${number}${name.slice(stem.length)}`;
  workspace.put({ name: free, text, role: 'objects' });
  editor.view.focus();
  if (keeper.isFolder) notify(`${free} is in this browser only: the page creates no files on disk.`);
}
