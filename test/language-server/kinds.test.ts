import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Position } from '../../src/language-server/workspace/file.ts';
import { Language } from './language.ts';

const page = readFileSync(new URL('../../docs/editors.md', import.meta.url), 'utf8');

/** Files of a workspace. `‸` marks a name, and `¦` a place to write at. Both are removed. */
const FILES: Readonly<Record<string, { path: string; text: string }>> = {
  RGD: {
    path: 'rgd.yaml',
    text: `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: shop}
spec:
  schema:
    apiVersion: v1alpha1
    kind: Shop
    spec: {na‸me: string, unread: string, third: 'string | default="x"'}
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "\${schema.spec.name.replace(§'a', 'b')}"}
        ¦
`,
  },
  instance: {
    path: 'shop.yaml',
    text: 'apiVersion: kro.run/v1alpha1\nkind: Shop\nmetadata: {name: one, namespace: a}\nspec:\n  na‸me: x\n  ¦\n  unread: w\n---\napiVersion: kro.run/v1alpha1\nkind: Shop\nmetadata: {name: two, namespace: a}\nspec: {name: z, unred: w}\n',
  },
  ResourceSet: {
    path: 'set.yaml',
    text: `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: set, namespace: a}
spec:
  inputs:
    - team: set
      unread: w
  resources:
    - apiVersion: v1
      kind: ConfigMap
      metadata: {name: << inputs.te‸am >>, namespace: a}
      data: {a: << inputs.unred >>}
      ¦
`,
  },
  Graph: {
    path: 'graph.yaml',
    text: `apiVersion: kro.run/v1alpha1
kind: Graph
metadata: {name: graph, namespace: a}
spec:
  nodes:
    - id: one
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: one}}
    - id: two
      ¦
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${on‸e.metadata.nme.replace(§'a', 'b')}-two"}}
`,
  },
  policy: {
    path: 'policy.yaml',
    text: `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: policy}
spec:
  ¦
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]}
  validations: [{expression: ob‸ject.spec.nothing > size(§object.metadata.name)}]
`,
  },
  kustomization: {
    path: 'kustomization.yaml',
    text: 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n¦\nresou‸rces:\n  - shop.yaml\n  - gone.yaml\n',
  },
  test: { path: 'tests/one/test.yaml', text: 'inp‸ut:\n  - ../../shop.yaml\n  - gone.yaml\n¦\n' },
  configuration: {
    path: 'render-rgd.yaml',
    text: 'rules:\n  - co‸de: lint-nothing\n    severity: off\n    reason: because\n    ¦\npolicies: [policy.yaml, gone.yaml]\n',
  },
};

const WHOLE = { start: { line: 0, character: 0 }, end: { line: 1000, character: 0 } };

interface Asked {
  /** The same workspace without mistakes. */
  sound: Language;
  /** Inside the parentheses of a call, where expressions have some. */
  call: Position | undefined;
  language: Language;
  uri: string;
  name: Position;
  writing: Position;
}

/** The rows of the table, each with the request that it stands for. */
const FEATURES: Readonly<Record<string, (asked: Asked) => unknown>> = {
  diagnostics: ({ language, uri }) => language.diagnostics(uri),
  completion: ({ language, uri, writing }) => language.completions(uri, writing),
  hover: ({ language, uri, name }) => language.hover(uri, name)?.contents,
  'definition, references': ({ language, uri, name }) => language.definition(uri, name),
  rename: ({ language, uri, name }) => language.renameRange(uri, name),
  'document symbols': ({ language, uri }) => language.symbols(uri),
  'document links': ({ language, uri }) => language.links(uri),
  'code lens': ({ sound, uri }) => sound.lenses(uri, true),
  formatting: ({ language, uri }) => language.formatting(uri),
  folding: ({ language, uri }) => language.folding(uri),
  'selection ranges': ({ language, uri, name }) => language.selections(uri, [name]),
  'workspace symbols': ({ language, uri }) =>
    language.workspaceSymbols('').filter(({ location }) => location.uri === uri),
  'semantic tokens': ({ language, uri }) => language.tokens(uri).data,
  'inlay hints': ({ sound, uri }) => sound.inlayHints(uri, WHOLE),
  'signature help': ({ language, uri, call }) =>
    call === undefined ? [] : (language.signature(uri, call)?.signatures ?? []),
  'fixes and refactorings': ({ language, uri }) => language.actions(uri, WHOLE),
};

/** The mistakes of the files, and what is right: expressions have values only in a package without errors. */
const MISTAKES: readonly [wrong: string, right: string][] = [
  ['unred: w', 'unread: w'],
  ['inputs.unred', 'inputs.unread'],
  ['metadata.nme', 'metadata.name'],
  ['spec.nothing', 'spec.replicas'],
  ['  - gone.yaml\n', ''],
];

function workspaceOf(isSound: boolean): Language {
  const language = new Language();
  const { workspace } = language;
  workspace.configure(
    { ...workspace.settings, options: { ...workspace.settings.options, experimental: ['graph'] } },
    [],
  );
  workspace.addRoot('file:///w');
  workspace.exists = () => false;
  workspace.setFile('file:///w/tests/one/expected.yaml', '');
  for (const { path, text: marked } of Object.values(FILES)) {
    const text = MISTAKES.reduce((one, [wrong, right]) => (isSound ? one.replace(wrong, right) : one), marked);
    // Formatting has something to do everywhere.
    workspace.open(`file:///w/${path}`, `${text.replace(/[‸¦§]/g, '')}\n\n`, 1);
  }
  while (workspace.checkNext());
  return language;
}

function askedOf(kind: string, language: Language, sound: Language): Asked {
  const { path, text } = FILES[kind] as { path: string; text: string };
  const uri = `file:///w/${path}`;
  const isMarked = text.includes('§');
  const positionOf = (mark: string): Position => {
    const before = text.slice(0, text.indexOf(mark)).replace(/[‸¦§]/g, '').split('\n');
    return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  };
  return {
    language,
    sound,
    uri,
    name: positionOf('‸'),
    writing: positionOf('¦'),
    call: isMarked ? positionOf('§') : undefined,
  };
}

const isThere = (result: unknown): boolean =>
  Array.isArray(result) ? result.length > 0 : result !== undefined && result !== null;

/** Returns the rows of the table in the page, without its head. */
function rowsOfPage(): { kinds: string[]; rows: Map<string, string[]> } {
  const [, after = ''] = page.split('## By kind of file\n');
  const [part = ''] = after.split('\n## ');
  const lines = part.split('\n').filter((line) => line.startsWith('|'));
  const cells = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const [head = [], , ...body] = cells;
  return { kinds: head.slice(1, -1), rows: new Map(body.map(([name = '', ...rest]) => [name, rest])) };
}

describe('the table of features by kind of file', () => {
  const { kinds, rows } = rowsOfPage();
  const language = workspaceOf(false);
  const sound = workspaceOf(true);

  it('has a row for each feature, and a column for each kind', () => {
    expect(kinds).toEqual(Object.keys(FILES));
    expect([...rows.keys()]).toEqual(Object.keys(FEATURES));
  });

  it.each(Object.keys(FEATURES))('says where there is %s', (feature) => {
    const found = Object.keys(FILES).map((kind) => {
      const ask = FEATURES[feature];
      return isThere(ask?.(askedOf(kind, language, sound))) ? 'yes' : '-';
    });
    const cells = rows.get(feature) ?? [];
    expect(cells.slice(0, -1)).toEqual(found);
    // What is missing has a reason.
    expect(cells.at(-1) !== '').toBe(found.includes('-'));
  });
});
