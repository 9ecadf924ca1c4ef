import { beforeEach, describe, expect, it } from 'vitest';
import { Language } from './language.ts';

const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
    spec:
      name: string | default=x
      size: string | enum="small,large" default="small"
      on: boolean | default=true
  resources:
    - id: config
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${schema.spec.name}"}}
`;
const INSTANCE = 'apiVersion: kro.run/v1alpha1\nkind: App\nmetadata: {name: one}\nspec: {}\n';

describe('files that are recognized by their names', () => {
  let language: Language;
  beforeEach(() => {
    language = new Language();
    language.workspace.addRoot('file:///w');
    language.workspace.setFile('file:///w/platform/rgd.yaml', RGD);
    language.workspace.setFile('file:///w/apps/one.yaml', INSTANCE);
  });

  /** Opens a text with a cursor, and returns the labels of its completions. */
  const labelsAt = (path: string, marked: string): string[] => {
    const uri = `file:///w/${path}`;
    const at = marked.indexOf('‸');
    language.workspace.open(uri, marked.replace('‸', ''), 1);
    const file = language.workspace.files.get(uri);
    return language.completions(uri, file?.positionAt(at) ?? { line: 0, character: 0 }).map(({ label }) => label);
  };

  it('completes the fields and files of a kustomization', () => {
    const start = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n';
    expect(labelsAt('kustomization.yaml', `${start}resources: [apps/one.yaml]\n‸\n`).slice(0, 3)).toEqual([
      'patches',
      'components',
      'namespace',
    ]);
    const files = ['apps/one.yaml', 'platform/rgd.yaml', 'apps', 'platform'];
    expect(labelsAt('kustomization.yaml', `${start}resources:\n  - ‸\n`)).toEqual(expect.arrayContaining(files));
    expect(labelsAt('kustomization.yaml', `${start}patches:\n  - path: ‸\n`)).toEqual(expect.arrayContaining(files));
    expect(labelsAt('kustomization.yaml', `${start}resources: [apps/one.yaml, ‸]\n`)).toContain('platform/rgd.yaml');
    expect(labelsAt('apps/kustomization.yaml', `${start}resources:\n  - ‸\n`)).toContain('../platform/rgd.yaml');
  });

  it('completes the fields, files and options of a golden test', () => {
    expect(labelsAt('tests/a/test.yaml', 'input: [in.yaml]\n‸\n').slice(0, 3)).toEqual([
      'definitions',
      'observed',
      'policies',
    ]);
    expect(labelsAt('tests/a/test.yaml', 'definitions: [‸]\n')[0]).toBe('../../platform/rgd.yaml');
    expect(labelsAt('tests/a/test.yaml', 'onPending: ‸\n')).toContain('skip');
    expect(labelsAt('tests/a/test.yaml', 'strict: ‸\n')).toEqual(['true', 'false']);
  });

  it('completes the fields, codes and severities of a render-rgd.yaml', () => {
    expect(labelsAt('render-rgd.yaml', '‸\nrules: []\n')).toEqual(['policies', 'applications', 'accepted']);
    expect(labelsAt('render-rgd.yaml', 'rules:\n  - code: lint-un‸\n').slice(0, 2)).toEqual(
      expect.arrayContaining(['lint-unread-field']),
    );
    expect(labelsAt('render-rgd.yaml', 'rules:\n  - severity: ‸\n')).toEqual(['off', 'info', 'warning', 'error']);
  });

  it('completes the options and files of a functionConfig', () => {
    const start = 'apiVersion: fn.kpt.dev/v1alpha1\nkind: RenderRGD\nmetadata: {name: a}\nspec:\n';
    expect(labelsAt('generator.yaml', `${start}  onPending: ‸\n`)).toEqual(expect.arrayContaining(['fail', 'skip']));
    expect(labelsAt('generator.yaml', `${start}  definitions:\n    - ‸\n`)[0]).toBe('platform/rgd.yaml');
  });

  it('describes a field', () => {
    const text = 'rules:\n  - code: lint-unread-field\n    severity: off\n    reason: it is read elsewhere\n';
    const uri = 'file:///w/render-rgd.yaml';
    language.workspace.open(uri, text, 1);
    const hover = JSON.stringify(language.hover(uri, { line: 2, character: 6 }));
    expect(hover).toContain('The severity that they get.');
    expect(hover).toContain('`warning`');
  });

  it('reports files that do not exist, and no addresses of repositories', () => {
    const uri = 'file:///w/kustomization.yaml';
    const text = `kind: Kustomization
resources:
  - apps/one.yaml
  - apps/two.yaml
  - README.yaml
  - https://example.com/x.yaml
  - github.com/org/repo//x.yaml
  - base
patches:
  - path: ./gone.yaml
`;
    language.workspace.exists = (one) => one === 'file:///w/README.yaml';
    language.workspace.open(uri, text, 1);
    const missing = (): unknown[] =>
      language.diagnostics(uri).map(({ code, range }) => [code, range.start.line, range.start.character]);
    expect(missing()).toEqual([
      ['unreadable-file', 3, 4],
      ['unreadable-file', 9, 10],
    ]);
    language.workspace.setFile('file:///w/apps/two.yaml', INSTANCE.replace('one', 'two'));
    expect(missing()).toEqual([['unreadable-file', 9, 10]]);
    expect(language.workspace.reported).toContain(uri);
  });

  it('reports no missing file if the host cannot tell', () => {
    language.workspace.open('file:///w/kustomization.yaml', 'resources: [gone.yaml]\n', 1);
    expect(language.diagnostics('file:///w/kustomization.yaml')).toEqual([]);
  });

  it('completes the values of markers', () => {
    const uri = 'platform/rgd.yaml';
    expect(labelsAt(uri, RGD.replace('boolean | default=true', 'boolean | default=‸'))).toEqual(['true', 'false']);
    expect(labelsAt(uri, RGD.replace('default="small"', 'default="‸"'))).toEqual(['small', 'large']);
  });
});
