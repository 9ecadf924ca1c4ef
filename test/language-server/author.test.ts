import { describe, expect, it } from 'vitest';
import descriptions from '../../data/kubernetes-descriptions.json';
import { readDescriptions } from '../../src/kubernetes/schema/index.ts';
import { textAfter } from '../../src/language-server/features/fixes/edits.ts';
import { readSettings } from '../../src/language-server/wire/settings.ts';
import { Language } from './language.ts';
import { cases } from './markers.ts';

const RGD_URI = 'file:///site/platform/web.yaml';
const INSTANCE_URI = 'file:///site/apps/a.yaml';
const ALL = { start: { line: 0, character: 0 }, end: { line: 9999, character: 0 } };

const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: web
spec:
  schema:
    apiVersion: v1alpha1
    kind: Web
    group: example.com
    spec:
      image: string | default="nginx"
      replicas: integer | default=1
      on: boolean | default=true
      names: "[]string"
      opt: string
      req: string | required=true
      tls:
        name: string | required=true
  resources:
    - id: one
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: \${schema.metadata.name}
        spec:
          replicas: \${schema.spec.replicas}
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}}
            spec: {containers: [{name: web, image: web}]}
`;
const INSTANCE = `apiVersion: example.com/v1alpha1
kind: Web
metadata:
  name: a
  namespace: b
spec:
  names: [x]
  opt: a
  req: b
  tls:
    name: c
`;

/** A project of two folders. */
function project(rgd = RGD, instance = INSTANCE): Language {
  const language = new Language();
  language.workspace.addRoot('file:///site');
  language.workspace.open(RGD_URI, rgd, 1);
  language.workspace.open(INSTANCE_URI, instance, 1);
  while (language.checkNext());
  return language;
}

/** Returns the texts that the fixes with a title leave. */
function fixed(language: Language, uri: string, title: string, only?: string[]): string[] {
  const file = language.workspace.files.get(uri);
  return language
    .actions(uri, ALL, only)
    .filter((action) => action.title === title)
    .map(({ edit }) => (file === undefined ? '' : textAfter(edit?.changes?.[uri] ?? [], file)));
}

const NAME = 'name: ${schema.metadata.name}';
const REPLICAS = 'replicas: ${schema.spec.replicas}';
const IMAGE = 'string | default="nginx"';

describe('fixes of hints that contain the text', () => {
  it.each([
    ['quotes around a number', REPLICAS, 'replicas: "3"', 'Remove the quotes', 'replicas: 3'],
    [
      'a string for an integer',
      REPLICAS,
      'replicas: ${schema.spec.image}',
      'Convert it with int()',
      '${int(schema.spec.image)}',
    ],
    [
      'an integer for a string',
      NAME,
      'name: ${schema.spec.replicas}',
      'Convert it with string()',
      '${string(schema.spec.replicas)}',
    ],
    [
      'a sum of a string and a number',
      NAME,
      'name: ${schema.metadata.name + schema.spec.replicas}',
      'Convert with string()',
      '+ string(schema.spec.replicas)}',
    ],
    [
      'typographic quotes',
      NAME,
      'name: "${schema.metadata.name == “a” ? “b” : “c”}"',
      'Use plain quotes',
      "== 'a' ? 'b' : 'c'",
    ],
    ['an assignment', NAME, `name: "\${schema.metadata.name = 'a' ? 'a' : 'b'}"`, 'Replace it with ==', "name == 'a'"],
    [
      'a number as a condition',
      '    - id: one\n',
      '    - id: one\n      includeWhen: ["${schema.spec.replicas}"]\n',
      'schema.spec.replicas > 0',
      '["${schema.spec.replicas > 0}"]',
    ],
    ['a default with a space', IMAGE, 'string | default=my web', 'Quote the value', 'default="my web"'],
    ['spaces around =', IMAGE, 'string | default = nginx', 'Write default=nginx', 'image: string | default=nginx\n'],
    ['a marker without a value', IMAGE, 'string | required', 'Write required=true', 'string | required=true'],
    ['a value without a marker', IMAGE, 'string | nginx', 'Write default=nginx', 'string | default=nginx'],
  ])('fixes %s', (_, from, to, title, wanted) => {
    const texts = fixed(project(RGD.replace(from, () => to)), RGD_URI, title);
    expect(texts.join('\n====\n')).toContain(wanted);
  });

  it.each([
    ['a missing field', '  req: b\n', '', 'Add req', '  req: "example"\n'],
    ['a field of an empty map', '  tls:\n    name: c\n', '  tls: {}\n', 'Add name', 'tls: {name: "example"}'],
    ['a text for a list', 'names: [x]', 'names: x', 'Make it a list', 'names: [x]'],
    ['a number for a text', 'opt: a', 'opt: 5', 'Put it in quotes', 'opt: "5"'],
    ['a boolean for a text', 'opt: a', 'opt: true', 'Put it in quotes', 'opt: "true"'],
    ['a text for a number', 'opt: a', 'replicas: "5"', 'Remove the quotes', 'replicas: 5'],
    ['a word for a boolean', 'opt: a', '"on": "yes"', 'Make it a boolean', '"on": true'],
  ])('fixes %s in an instance', (_, from, to, title, wanted) => {
    const rgd = RGD.replace('      on: boolean', '      "on": boolean');
    const [text] = fixed(
      project(
        rgd,
        INSTANCE.replace(from, () => to),
      ),
      INSTANCE_URI,
      title,
    );
    expect(text).toContain(wanted);
  });

  it.each([
    ['replicas: ${schema.spec.image}', REPLICAS, 'Convert it with int()', undefined],
    ['name: ${schema.spec.replicas}', NAME, 'Convert it with string()', true],
  ])('prefers a conversion only if it cannot fail: %s', (by, from, title, isPreferred) => {
    const actions = project(RGD.replace(from, () => by)).actions(RGD_URI, ALL);
    expect(actions.find((action) => action.title === title)?.isPreferred).toBe(isPreferred);
  });

  it('adds a default to the declaration of a field that may be missing', () => {
    const rgd = RGD.replace(REPLICAS, 'replicas: ${schema.spec.opt.size()}');
    const [text] = fixed(project(rgd, INSTANCE.replace('  opt: a\n', '')), RGD_URI, 'Add a default');
    expect(text).toContain('      opt: string | default=""\n');
  });

  it('applies fixes without an alternative on save, and neither guesses nor removals', () => {
    const rgd = RGD.replace(REPLICAS, 'replicas: "3"').replace(
      NAME,
      'name: ${schema.metadata.name + schema.spec.replicas}',
    );
    const language = project(rgd);
    const [text] = fixed(language, RGD_URI, 'Apply all fixes without an alternative', ['source.fixAll']);
    expect(text).toBe(rgd.replace('"3"', '3').replace('+ schema.spec.replicas', '+ string(schema.spec.replicas)'));
    expect(language.workspace.files.get(RGD_URI)?.text).toBe(rgd);
    expect(project().actions(RGD_URI, ALL, ['source.fixAll'])).toEqual([]);
  });
});

const LISTS = RGD.replace(
  '    - id: one\n',
  `    - id: two
      forEach:
        - item: \${schema.spec.names}
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: \${item + schema.spec.names.map(n, n + item + one.metadata.name).join("")}
    - id: one
`,
);

describe('rename', () => {
  const renamed = (at: string, name: string) => {
    const before = LISTS.slice(0, LISTS.indexOf(at) + at.length).split('\n');
    const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    return project(LISTS).rename(RGD_URI, position, name);
  };

  it('refuses to rename a field while an instance of it is not valid YAML, and names the file', () => {
    const language = project(LISTS, `${INSTANCE}\n  broken: [\n`);
    const before = LISTS.slice(0, LISTS.indexOf('      imag') + 8).split('\n');
    const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    const name = INSTANCE_URI.split('/').at(-1);
    expect(language.rename(RGD_URI, position, 'picture')).toEqual({
      fault: `'image' cannot be renamed: ${name} may read it, and is not valid YAML; correct it first`,
    });
  });

  it.each([
    ['a node to another one', 'id: on', 'two', "duplicate id 'two'"],
    ['a node to an iterator', 'id: on', 'item', "is called 'item'"],
    ['a node to a variable of a macro', 'id: on', 'n', "is called 'n'"],
    ['a node to a name in upper case', 'id: on', 'One', "'One'"],
    ['a node to schema', 'id: on', 'schema', "'schema'"],
    ['an iterator to a node', '- ite', 'one', "is called 'one'"],
    ['an iterator to a variable of a macro', '- ite', 'n', "is called 'n'"],
    ['a field to another one', '      imag', 'names', "'image' cannot be renamed to 'names'"],
    ['a field to another one of its type', '      imag', 'opt', "'image' cannot be renamed to 'opt'"],
    ['a kind to a name in lower case', 'kind: We', 'site', "'site' cannot be the name of a kind"],
  ])('refuses to rename %s', (_, at, name, wanted) => {
    expect(renamed(at, name)).toEqual({ fault: expect.stringContaining(wanted) });
  });

  it.each([
    ['a node to one around its graph that is read there', 'id: deep', 'well', undefined],
    ['a node to one that hides it in a nested graph', 'id: well', 'deep', undefined],
    ['an iterator to a node that its template reads', '- r', 'seed', undefined],
    ['a node to one around its graph that is not read there', 'id: deep', 'out', 2],
    ['a node of a Graph to a name in upper case', 'id: well', 'Well', 3],
  ])('looks for the names in reach of %s', (_, at, name, edits) => {
    const text =
      cases()
        .find((one) => one.name === 'graph.yaml')
        ?.texts.get('rgd.yaml') ?? '';
    const before = text.slice(0, text.indexOf(at) + at.length).split('\n');
    const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    const language = new Language();
    language.workspace.open(RGD_URI, text, 1);
    expect(language.rename(RGD_URI, position, name)).toEqual(
      edits === undefined
        ? { fault: expect.stringContaining(`is called '${name}'`) }
        : { changes: { [RGD_URI]: Array(edits).fill({ range: expect.anything(), newText: name }) } },
    );
  });

  it('validates the names of a Graph with the setting experimental', () => {
    const text =
      'apiVersion: kro.run/v1alpha1\nkind: Graph\nmetadata: {name: a}\nspec: {nodes: [{id: a, def: {b: c}}]}\n';
    const position = { line: 3, character: 20 };
    const renamed = (experimental: unknown) => {
      const language = new Language();
      language.workspace.configure(readSettings({ experimental }, []).settings, []);
      language.workspace.open(RGD_URI, text, 1);
      while (language.checkNext());
      return [language.diagnostics(RGD_URI).map(({ code }) => code), language.rename(RGD_URI, position, 'spec')];
    };
    expect(renamed(['graph', 'other'])).toEqual([[], { fault: expect.stringContaining("'spec' is a reserved word") }]);
    expect(renamed(undefined)).toEqual([['graph-kind'], { changes: expect.anything() }]);
  });

  it('checks the kinds of the release of Kubernetes that the setting kubernetes names', () => {
    const claim = '{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: a}, spec: {}}';
    const text = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: a}
spec:
  schema: {apiVersion: v1alpha1, kind: A, spec: {}}
  resources: [{id: a, template: ${claim}}]
`;
    const codesWith = (kubernetes: unknown) => {
      const language = new Language();
      language.workspace.configure(readSettings({ kubernetes }, []).settings, []);
      language.workspace.open(RGD_URI, text, 1);
      while (language.checkNext());
      return language.diagnostics(RGD_URI).map(({ code }) => code);
    };
    expect(codesWith('1.33')).toEqual(['api-not-yet-served']);
    expect(codesWith('1.34')).toEqual([]);
    expect(codesWith(undefined)).toEqual([]);
    expect(codesWith('1.2')).toEqual([]);
  });

  it('renames a kind in all files', () => {
    expect(renamed('kind: We', 'Site')).toEqual({
      changes: {
        [RGD_URI]: [{ range: expect.anything(), newText: 'Site' }],
        [INSTANCE_URI]: [{ range: expect.anything(), newText: 'Site' }],
      },
    });
  });
});

describe('an empty file', () => {
  const items = (name: string, text = '') => {
    const language = project();
    language.workspace.open(`file:///site/${name}`, text, 1);
    while (language.checkNext());
    const lines = text.split('\n');
    const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
    return language.completions(`file:///site/${name}`, position, true);
  };

  it('offers whole documents', () => {
    const labels = items('apps/new.yaml').map(({ label }) => label);
    expect(labels).toEqual(
      expect.arrayContaining([
        'Web',
        'ResourceGraphDefinition',
        'ResourceSet',
        'functionConfig',
        'render-rgd.yaml',
        'golden test',
      ]),
    );
    expect(items('apps/new.yaml', '# a comment\n---\nRes').map(({ label }) => label)[0]).toBe(
      'ResourceGraphDefinition',
    );
    expect(items('tests/new/test.yaml')[0]?.label).toBe('golden test');
    expect(items('apps/other.yaml', 'a: b\n').map(({ label }) => label)).not.toContain('golden test');
  });

  it('offers documents without errors', () => {
    for (const { label, textEdit } of items('apps/new.yaml')) {
      if (['render-rgd.yaml', 'golden test', 'functionConfig'].includes(label)) continue;
      const language = project();
      const text = String((textEdit as { newText: string }).newText)
        .replace(/\$\{\d:(.*?)\}/g, '$1')
        .replace(/\\(.)/g, '$1');
      language.workspace.open('file:///site/apps/new.yaml', text.replace('example', 'other'), 1);
      while (language.checkNext());
      expect([label, language.diagnostics('file:///site/apps/new.yaml').map(({ message }) => message)]).toEqual([
        label,
        [],
      ]);
    }
  });

  it('completes the kind after the apiVersion, and the other way round', () => {
    const language = project();
    language.workspace.open('file:///site/apps/n.yaml', 'apiVersion: example.com/v1alpha1\nkind: \n', 1);
    expect(
      language.completions('file:///site/apps/n.yaml', { line: 1, character: 6 }).map(({ label }) => label),
    ).toEqual(['Web']);
    language.workspace.open('file:///site/apps/n.yaml', 'apiVersion: \nkind: Web\n', 1);
    const [first] = language.completions('file:///site/apps/n.yaml', { line: 0, character: 12 });
    expect(first?.label).toBe('example.com/v1alpha1');
  });
});

describe('names and files of the workspace', () => {
  it('finds objects, nodes and fields', () => {
    const found = project(LISTS)
      .workspaceSymbols('TW')
      .map(({ name, containerName }) => [name, containerName]);
    expect(found).toEqual([['two', 'ResourceGraphDefinition web']]);
    const all = project()
      .workspaceSymbols('')
      .map(({ name }) => name);
    expect(all).toEqual(expect.arrayContaining(['Web a', 'ResourceGraphDefinition web', 'one', 'image']));
  });

  it('links what kustomizations, tests and functionConfigs name', () => {
    const links = (name: string, text: string) => {
      const language = project();
      const uri = `file:///site/${name}`;
      language.workspace.open(uri, text, 1);
      return language.links(uri).map(({ target, range }) => [target, range.start.line]);
    };
    expect(
      links('kustomization.yaml', 'resources:\n  - apps/a.yaml\n  - https://example.com/b.yaml\n  - platform\n'),
    ).toEqual([
      [INSTANCE_URI, 1],
      [RGD_URI, 3],
    ]);
    expect(links('tests/a/test.yaml', 'input: [../../apps/a.yaml]\ndefinitions: [../../platform]\n')).toEqual([
      [INSTANCE_URI, 0],
      [RGD_URI, 1],
    ]);
    expect(links('apps/render.yaml', 'kind: RenderRGD\nspec:\n  definitions: [../platform/web.yaml]\n')).toEqual([
      [RGD_URI, 2],
    ]);
    expect(links('values.yaml', 'resources: [apps/a.yaml]\n')).toEqual([]);
  });

  it('selects an expression, its value, its entry, and what contains it', () => {
    const at = RGD.indexOf('schema.metadata.name');
    const lines = RGD.slice(0, at).split('\n');
    const [selection] = project().selections(RGD_URI, [
      { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 },
    ]);
    const texts: string[] = [];
    for (let one = selection; one !== undefined; one = one.parent) {
      const file = project().workspace.files.get(RGD_URI);
      texts.push(RGD.slice(file?.offsetAt(one.range.start), file?.offsetAt(one.range.end)));
    }
    expect(texts.slice(0, 2)).toEqual(['schema.metadata.name', '${schema.metadata.name}']);
    expect(texts).toContain('name: ${schema.metadata.name}');
    expect(texts.at(-1)).toBe(RGD);
    expect(texts.every((text, index) => text.length <= (texts[index + 1]?.length ?? Infinity))).toBe(true);
  });

  it('offers to run and to update a golden test where the host can', () => {
    const language = project();
    language.workspace.open('file:///site/tests/a/test.yaml', '', 1);
    const commands = language.lenses('file:///site/tests/a/test.yaml', true).map(({ command }) => command?.command);
    expect(commands).toEqual(['render-rgd.test', 'render-rgd.updateTest']);
    expect(language.lenses('file:///site/tests/a/test.yaml')).toEqual([]);
  });
});

describe('hover on declarations, types, markers and kinds', () => {
  it.each([
    ['a declaration', RGD_URI, '      repl', ['replicas: integer', 'Default: `1`', 'Read by']],
    ['a marker', RGD_URI, 'integer | defa', ['value for instances that leave the field out']],
    ['a type', RGD_URI, 'replicas: inte', ['whole number of 64 bits']],
    ['the kind of a template', RGD_URI, 'kind: Depl', ['apiVersion: apps/v1', 'Namespaced.', 'replicas: integer']],
    ['the kind of an instance', INSTANCE_URI, 'kind: We', ['ResourceGraphDefinition `web`', 'names: list of string']],
  ])('describes %s', (_, uri, at, wanted) => {
    const text = uri === RGD_URI ? RGD : INSTANCE;
    expect(text).toContain(at);
    const before = text.slice(0, text.indexOf(at) + at.length).split('\n');
    const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    const hover = JSON.stringify(project().hover(uri, position)?.contents);
    for (const part of wanted) expect(hover).toContain(part);
  });
});

it('describes the fields of Kubernetes, once the descriptions are loaded', () => {
  const hover = (uri: string, text: string, at: string): string => {
    const language = project();
    language.workspace.describe = readDescriptions(descriptions.text);
    language.workspace.open(uri, text, 2);
    const before = text.slice(0, text.indexOf(at) + at.length).split('\n');
    const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    return JSON.stringify(language.hover(uri, position)?.contents);
  };
  expect(hover(RGD_URI, RGD, 'selec')).toContain('Label selector for pods.');
  expect(hover(RGD_URI, RGD, 'spec: {contain')).toContain('List of containers belonging to the pod.');
  expect(hover(RGD_URI, RGD, '      repl')).not.toContain('pods');
  expect(hover(INSTANCE_URI, INSTANCE, '  na')).not.toContain('undefined');
});
