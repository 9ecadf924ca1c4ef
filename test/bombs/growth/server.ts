/** The requests of the language server, each about all files of a dimension that the server reads. */
import { actionsAt } from '../../../src/language-server/features/actions.ts';
import { completionsAt } from '../../../src/language-server/features/completion.ts';
import { diagnosticsOf } from '../../../src/language-server/features/diagnostics.ts';
import { inlayHintsOf, lensesOf } from '../../../src/language-server/features/hints.ts';
import { hoverAt } from '../../../src/language-server/features/hover.ts';
import { definitionAt, referencesAt, renameAt } from '../../../src/language-server/features/names.ts';
import {
  foldingOf,
  formattingOf,
  linksOf,
  selectionsOf,
  symbolsIn,
  symbolsOf,
} from '../../../src/language-server/features/structure.ts';
import { tokensOf } from '../../../src/language-server/features/tokens.ts';
import { Place } from '../../../src/language-server/place.ts';
import type { Range, SourceFile } from '../../../src/language-server/workspace/file.ts';
import { Workspace } from '../../../src/language-server/workspace/workspace.ts';
import type { Files } from './dimensions.ts';

/** A server that has read the files of a dimension, and has checked all of them. */
export interface Server {
  workspace: Workspace;
  files: readonly SourceFile[];
}

const ROOT = 'file:///w';

/** Opens the files of a dimension in a server, which checks all of them and reports their diagnostics. */
export function openAll(files: Files): Server {
  const workspace = new Workspace();
  workspace.addRoot(ROOT);
  for (const [path, text] of Object.entries(files)) workspace.setFile(`${ROOT}/${path}`, text);
  for (const [path, text] of Object.entries(files)) workspace.open(`${ROOT}/${path}`, text, 1);
  while (workspace.checkNext());
  const opened = [...workspace.files.values()];
  for (const file of opened) diagnosticsOf(file, workspace);
  return { workspace, files: opened };
}

const wholeOf = (file: SourceFile): Range => file.rangeOf(0, file.text.length);

/** Texts that name something: the field of a schema, a kind, nodes, external references and types. */
const NAMES = ['spec.a', 'kind: App', 'n0', 'e0', 'id: c', 'T0', 'f0'];

/** Returns the first place of each name in each of the first files. */
function placesIn({ files, workspace }: Server): Place[] {
  const places: Place[] = [];
  for (const name of NAMES) {
    const file = files.find(({ text }) => text.includes(name));
    if (file !== undefined) places.push(new Place(file, file.text.indexOf(name) + name.length - 1, workspace));
  }
  return places;
}

/** A request, without its answer. */
type Request = () => unknown;

const atPlaces =
  (request: (place: Place) => unknown) =>
  (server: Server): Request[] =>
    placesIn(server).map((place) => () => request(place));

/**
 * What is measured of the server, by the name of its row: requests about all files, or one about each place, of which
 * the longest counts. `open` measures `openAll` itself.
 */
export const requests: Readonly<Record<string, (server: Server) => readonly Request[]>> = {
  'lsp key': ({ workspace, files: [file] }) => {
    if (file === undefined) return [];
    const key = (): unknown => {
      workspace.open(file.uri, `${file.text}# key\n`, 2);
      while (workspace.checkNext());
      return diagnosticsOf(workspace.files.get(file.uri) ?? file, workspace);
    };
    return [key];
  },
  'lsp actions': ({ workspace, files }) => [() => files.map((file) => actionsAt(file, wholeOf(file), workspace))],
  'lsp fix all': ({ workspace, files: [file] }) => [
    () => file && actionsAt(file, wholeOf(file), workspace, ['source.fixAll']),
  ],
  'lsp definition': atPlaces(definitionAt),
  'lsp references': atPlaces((place) => referencesAt(place)),
  'lsp rename': atPlaces((place) => renameAt(place, 'renamed')),
  'lsp hover': atPlaces(hoverAt),
  'lsp completion': atPlaces((place) => completionsAt(place, true)),
  'lsp tokens': ({ workspace, files }) => [() => files.map((file) => tokensOf(file, workspace))],
  'lsp hints': ({ workspace, files }) => [
    () => files.map((file) => [inlayHintsOf(file, wholeOf(file), workspace), lensesOf(file, workspace, true)]),
  ],
  'lsp structure': ({ workspace, files }) => [
    () =>
      files.map((file) => [
        symbolsOf(file),
        foldingOf(file),
        linksOf(file, workspace),
        selectionsOf(file, [wholeOf(file).end]),
      ]),
  ],
  'lsp symbols': ({ workspace }) => [() => symbolsIn(workspace, 'a')],
  'lsp format': ({ files }) => [() => files.map(formattingOf)],
};
