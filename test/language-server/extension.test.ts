import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../src/language-server/wire/settings.ts';
import { Language } from './language.ts';

const folder = new URL('../../editors/vscode/', import.meta.url);
const { contributes } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'));
const packaged = readFileSync(new URL('.vscodeignore', folder), 'utf8');

describe('the manifest of the extension', () => {
  it('offers each command in YAML and JSON only, in the category of the project', () => {
    const names = contributes.commands.map(({ command }: { command: string }) => command);
    const menu = contributes.menus.commandPalette;
    expect(menu.map(({ command }: { command: string }) => command)).toEqual(names);
    for (const { when } of menu) expect(when).toBe('editorLangId == yaml || editorLangId == json');
    for (const { category } of contributes.commands) expect(category).toBe('render-rgd');
  });
  it('packages the pages of its walkthrough', () => {
    const pages = contributes.walkthroughs.flatMap(({ steps }: { steps: { media: { markdown: string } }[] }) =>
      steps.map(({ media }) => media.markdown),
    );
    expect(pages).toHaveLength(3);
    for (const page of pages) expect(existsSync(new URL(page, folder)), page).toBe(true);
    expect(packaged).toContain('!walkthrough/**');
  });
});

describe('the setting syntax', () => {
  const uri = 'file:///w/rgd.yaml';
  const codes = (raw: Parameters<typeof readSettings>[0]): unknown[] => {
    const language = new Language();
    language.workspace.configure(readSettings(raw, []).settings, []);
    language.workspace.open(uri, 'apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nspec: {a: [}\n', 1);
    language.workspace.current(uri);
    return language.diagnostics(uri).map(({ code }) => code);
  };
  it('hides errors of the syntax of YAML if it is false', () => {
    expect(codes({})).toContain('yaml-syntax');
    expect(codes({ syntax: false })).not.toContain('yaml-syntax');
  });
});
