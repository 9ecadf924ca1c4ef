import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { namesIn } from '../../src/language-server/cel/names.ts';
import { unwrapped } from '../../src/language-server/cel/types.ts';
import { modelOf } from '../../src/language-server/expressions.ts';
import { Language } from './language.ts';

/** A reference of an RGD: a name in an expression. */
export interface Reference {
  uri: string;
  start: number;
  end: number;
  name: string;
}

/** The files below a folder that may hold RGDs, each in a workspace with those of its folder. */
export function workspacesBelow(folder: string): Map<string, Language> {
  const languages = new Map<string, Language>();
  const files = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => /\.(ya?ml|json)$/.test(name));
  for (const name of files.sort()) {
    const path = join(folder, name);
    const text = readFileSync(path, 'utf8');
    const language = languages.get(dirname(path)) ?? new Language();
    languages.set(dirname(path), language);
    language.workspace.setFile(`file://${path}`, text);
  }
  return languages;
}

/** The names of fields, nodes and iterators whose type is known. */
export function referencesOf(language: Language): Reference[] {
  const { workspace } = language;
  return [...workspace.files.values()].flatMap((file) => {
    if (!file.facts.isOurs) return [];
    return file.trees.flatMap((tree) => {
      const model = modelOf(file, tree, workspace);
      return (model?.expressions ?? []).flatMap((expression) => {
        const inspected = expression.inspected();
        if (inspected === undefined) return [];
        return namesIn(inspected).flatMap(({ role, operand, name, offset, end }): Reference[] => {
          const known =
            operand === undefined
              ? true
              : unwrapped(inspected.types.get(operand.id) ?? { kind: 'dyn' }).kind === 'object';
          if ((role !== 'field' && role !== 'variable') || !known) return [];
          return [{ uri: file.uri, start: expression.textOffset(offset), end: expression.textOffset(end), name }];
        });
      });
    });
  });
}

/** Returns the rank of a name in the completions after its first letters; -1 if it is missing. */
export function rankOf(language: Language, { uri, start, end, name }: Reference, letters: number): number {
  const { workspace } = language;
  const file = workspace.files.get(uri);
  if (file === undefined) return -1;
  const cut = Math.min(start + letters, end);
  workspace.open(uri, file.text.slice(0, cut) + file.text.slice(end), 2);
  const masked = workspace.files.get(uri);
  const labels = language
    .completions(uri, masked?.positionAt(cut) ?? { line: 0, character: 0 })
    .map(({ label }) => label);
  workspace.open(uri, file.text, 1);
  return labels.indexOf(name);
}
