import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { composeText, type Report, type Text, withoutConsequences } from '../../../src/core/diagnostics/index.ts';
import { invoke } from '../../cli/invoke.ts';

const rgd =
  '{apiVersion: kro.run/v1alpha1, kind: ResourceGraphDefinition, metadata: {name: s}, spec: {schema: {kind: Site';
const instance = (kind: string): string => `{apiVersion: kro.run/v1alpha1, kind: ${kind}, metadata: {name: a}}\n`;

it('validate reports a file that does not parse, and only those undefined kinds that it does not name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-consequences-'));
  for (const [file, text] of Object.entries({ rgd, site: instance('Site'), shop: instance('Shop') })) {
    writeFileSync(join(folder, `${file}.yaml`), text);
  }
  const { code, stdout } = await invoke(['validate', folder]);
  rmSync(folder, { recursive: true });
  expect(code).toBe(1);
  expect(stdout.match(/(?:error|warning)\[.*?\]/g)?.sort()).toEqual(['error[undefined-kind]', 'error[yaml-syntax]']);
  expect(stdout).toContain('Shop/a');
});

const sourceOf = (file: string, text: string) => ({ file, text, document: 0, path: [] });
const unread = (text?: string): Report => ({
  code: 'yaml-syntax',
  message: composeText`m`,
  path: [],
  ...(text === undefined ? {} : { source: sourceOf('rgd.yaml', text) }),
});
function subjectOf(object: string): Report['subject'] {
  const [kind = '', name = ''] = object.split('/');
  return { kind: kind as Text, name: name as Text };
}

const undefinedKind = (object: string, more: Partial<Report> = {}): Report => ({
  code: 'undefined-kind',
  message: composeText`m`,
  path: ['kind'],
  severity: 'warning',
  object: object as Text,
  subject: subjectOf(object),
  source: sourceOf('site.yaml', `kind: ${object}`),
  ...more,
});
const left = (...reports: Report[]): string[] =>
  withoutConsequences(reports).flatMap(({ code, object }) => (code === 'undefined-kind' ? [String(object)] : []));

it.each<[string, Report[], string[]]>([
  ['a file that names the kind', [unread('kind: Site\nspec: ['), undefinedKind('Site/a')], []],
  ['a file that names another kind', [unread('kind: Shop\nspec: ['), undefinedKind('Site/a')], ['Site/a']],
  ['a part of a name', [unread('kind: SiteMap\nspec: ['), undefinedKind('Site/a')], ['Site/a']],
  ['the file of the object itself', [unread('kind: Site\n---\na: ['), undefinedKind('Site/a')], []],
  ['a file that could not be read at all', [unread(), undefinedKind('Site/a')], []],
  [
    'an error of another stage',
    [{ ...unread('Site'), code: 'identity-collision' }, undefinedKind('Site/a')],
    ['Site/a'],
  ],
  ['no error', [undefinedKind('Site/a')], ['Site/a']],
])('the cause of an undefined kind is reported: %s', (_, reports, expected) => {
  expect(left(...reports)).toEqual(expected);
});
