import { describe, expect, it } from 'vitest';
import { validatePackage } from '../../../src/check/validate/index.ts';
import { diffPackages } from '../../../src/compare/diff/index.ts';
import { Collector, isError, type Report } from '../../../src/core/diagnostics/index.ts';
import { titleOf } from '../../../src/core/model/object.ts';
import type { RenderInput } from '../../../src/core/model/render.ts';
import { formatPath, getAt } from '../../../src/core/model/value.ts';
import { explainPackage } from '../../../src/describe/explain/index.ts';
import { drawPackage } from '../../../src/describe/graph/index.ts';
import { objectsToPrint } from '../../../src/kubernetes/select/index.ts';
import { defaultCheckSettings } from '../../../src/language-server/workspace/check.ts';
import { FRONT_ENDS } from '../../../src/render/front-ends.ts';
import { defaultRenderOptions as options } from '../../../src/render/options/index.ts';
import { renderPackage, surveyPackage } from '../../../src/render/pipeline.ts';
import { awaitedText, observedObjects } from '../../../src/render/survey/index.ts';
import { flattenObjects, readStreams } from '../../../src/yaml/parse/index.ts';
import { Language } from '../../language-server/language.ts';
import { greetings } from './greetings.ts';

const ALL = [...FRONT_ENDS, greetings];

const read = (text: string): RenderInput => ({ objects: readStreams([{ file: 'all.yaml', text }], new Collector()) });

const greeting = (name: string, objects: string): string =>
  `{apiVersion: greetings.example/v1, kind: Greeting, metadata: {name: hello}, spec: {name: ${name}, objects: [${objects}]}}`;
const configMap = (name: string, data = 'text: Hello $name'): string =>
  `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}, namespace: ns}, data: {${data}}}`;
const rgd = (template: string): string => `
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema: {kind: App, apiVersion: v1alpha1, spec: {who: string}}
  resources:
    - id: made
      template: ${template}
`;
const app = '{apiVersion: kro.run/v1alpha1, kind: App, metadata: {name: a, namespace: ns}, spec: {who: $name}}';
const set = (object: string): string => `
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: s, namespace: ns}
spec: {resources: [${object}]}
`;
const documents = (...all: readonly string[]): RenderInput => read(all.join('\n---\n'));

const told = (reports: readonly Report[]): string[] =>
  reports.map(
    ({ severity = 'error', object, path, message }) => `${severity} ${object} ${formatPath(path)}: ${message}`,
  );
const render = (input: RenderInput): string[] => {
  const output = renderPackage(input, options, ALL);
  expect(told(output.reports.filter(isError))).toEqual([]);
  return objectsToPrint(output, { all: false }).objects.map(
    (one) => `${titleOf(one)} ${String(getAt(one, ['data', 'text']) ?? '')}`,
  );
};

describe('a third front end', () => {
  it('renders its own objects', () => {
    expect(render(documents(greeting('World', `${configMap('a')}, ${configMap('b')}`)))).toEqual([
      'ConfigMap/a Hello World',
      'ConfigMap/b Hello World',
    ]);
  });

  it('is unknown unless it is passed', () => {
    const output = renderPackage(documents(greeting('World', configMap('a'))), options);
    expect(objectsToPrint(output, { all: false }).objects).toEqual([]);
  });

  it('receives objects that an RGD and a ResourceSet render', () => {
    const text = greeting('World', configMap('a'));
    expect(render(documents(set(text)))).toEqual(['ConfigMap/a Hello World']);
    const made = greeting("'${schema.spec.who}'", configMap('a')).replace(
      '{name: hello}',
      '{name: hello, namespace: ns}',
    );
    const input = documents(rgd(made), app.replace('$name', 'Moon'));
    expect(render(input)).toEqual(['ConfigMap/a Hello Moon']);
  });

  it('renders instances of RGDs, ResourceSets, and objects that they refer to', () => {
    expect(render(documents(greeting('World', app), rgd(configMap('a', "text: '${schema.spec.who}'"))))).toEqual([
      'ConfigMap/a World',
    ]);
    expect(
      render(
        documents(
          greeting(
            'World',
            set(configMap('a', 'text: $name'))
              .trim()
              .replace(/[\s\S]*/, () =>
                JSON.stringify({
                  apiVersion: 'fluxcd.controlplane.io/v1',
                  kind: 'ResourceSet',
                  metadata: { name: 's', namespace: 'ns' },
                  spec: {
                    resources: [
                      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { text: '$name' } },
                    ],
                  },
                }),
              ),
          ),
        ),
      ),
    ).toEqual(['ConfigMap/a World']);
  });

  it('stops if front ends render for one another without end', () => {
    const inner =
      "{apiVersion: greetings.example/v1, kind: Greeting, metadata: {name: '${schema.spec.who}x', namespace: ns}, spec: {name: '${schema.spec.who}x', objects: [{apiVersion: kro.run/v1alpha1, kind: App, metadata: {name: $name, namespace: ns}, spec: {who: $name}}]}}";
    const output = renderPackage(documents(rgd(inner), app.replace('$name', 'a')), options, ALL);
    expect(output.reports.map(({ code }) => code)).toContain('nesting-too-deep');
    expect(output.entries).toEqual([]);
  });

  it('cannot render an object that another one renders', () => {
    const output = renderPackage(documents(set(configMap('a')), greeting('World', configMap('a'))), options, ALL);
    expect(told(output.reports)).toEqual([
      'error Greeting/hello spec.objects[0]: ResourceSet/s also renders ConfigMap/a',
    ]);
    expect(output.entries).toEqual([]);
  });

  it('validates its objects', () => {
    const { reports } = validatePackage(documents(greeting('1', configMap('a')), app), options, ALL);
    expect(told(reports)).toContain('error Greeting/hello spec.name: a Greeting greets somebody');
    expect(validatePackage(documents(greeting('World', configMap('a'))), options, ALL).reports).toEqual([]);
  });

  it('has pending values, which observe takes from live objects', () => {
    const input = documents(greeting('x, nameFrom: who', configMap('a')));
    const { survey = [] } = surveyPackage(input, options, ALL);
    const pending = survey.flatMap((one) => one.pending());
    expect(awaitedText(pending)).toBe('ConfigMap who\n  data.name\n    Greeting hello node nameFrom spec.nameFrom\n');
    const { objects: live } = documents(configMap('who', 'name: Mars, other: x'));
    const seen = { live: flattenObjects(live, new Collector()), earlier: [] };
    const observed = observedObjects(survey, seen, false, new Collector());
    expect(observed.map((one) => getAt(one, ['data']))).toEqual([{ name: 'Mars' }]);
    expect(render({ ...input, observed: observed.map((object) => ({ object })) })).toEqual(['ConfigMap/a Hello Mars']);
  });

  it('diffs renamed objects of the same template', () => {
    const version = (name: string): RenderInput => documents(greeting(name, configMap('$name')));
    const { comparison, reports } = diffPackages(version('one'), version('two'), { ...options, all: false }, {}, ALL);
    expect(reports).toEqual([]);
    expect(comparison.changes.map(({ change }) => change)).toEqual(['replaced']);
  });

  it('draws its objects, and an instance', () => {
    const input = documents(greeting('World', `${configMap('a')}, ${configMap('b')}`), rgd(configMap('c', 'a: x')));
    const made = (subject: string): unknown => {
      const { pictures, fault } = drawPackage(input, options, { rgds: [], instance: subject }, ALL);
      expect(fault).toBeUndefined();
      return pictures.map(({ name, title, nodes }) => [name, title, nodes.map(({ id, object }) => [id, object])]);
    };
    const nodes = [
      ['objects[0]', 'ConfigMap'],
      ['objects[1]', 'ConfigMap'],
    ];
    expect(made('')).toEqual([
      ['hello', 'Greeting', nodes],
      ['app', 'App', [['made', 'ConfigMap']]],
    ]);
    expect(made('Greeting/hello')).toEqual([['hello', 'Greeting', nodes]]);
  });

  it('has diagnostics in an editor', () => {
    const language = new Language();
    language.workspace.configure({ ...defaultCheckSettings, frontEnds: ALL }, []);
    const text = greeting('1', configMap('a'));
    language.workspace.open('file:///greeting.yaml', text, 1);
    while (language.checkNext());
    const line = text.indexOf('1, objects');
    expect(language.diagnostics('file:///greeting.yaml')).toMatchObject([
      {
        message: expect.stringContaining('a Greeting greets somebody'),
        range: { start: { line: 0, character: line } },
      },
    ]);
  });

  it('explains an instance and a field', () => {
    const input = documents(greeting('World', configMap('a')));
    const whole = explainPackage(input, { object: 'Greeting/hello' }, options, ALL);
    expect(whole.explanation).toMatchObject({
      about: 'set',
      details: { set: 'Greeting/hello', verdict: 'included', templates: [{ objects: [{ object: 'ConfigMap/ns/a' }] }] },
    });
    const field = explainPackage(input, { object: 'ConfigMap/a', field: ['data', 'text'] }, options, ALL);
    expect(field.explanation).toMatchObject({
      about: 'field',
      details: {
        value: 'Hello World',
        origin: { from: 'template', what: 'Greeting/hello', place: { file: 'all.yaml', line: 1 } },
      },
    });
    expect(explainPackage(input, { object: 'ConfigMap/a', field: ['data', 'x'] }, options, ALL).fault).toBeDefined();
    expect(explainPackage(input, { object: 'Greeting/hello', node: 'x' }, options, ALL).fault).toBeDefined();
  });
});
