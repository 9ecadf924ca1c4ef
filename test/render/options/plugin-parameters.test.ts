import { describe, expect, it } from 'vitest';
import { administratorOptions, type PluginSettings } from '../../../src/cli/plugin/build.ts';
import { foundAnnouncements, optionAnnouncements } from '../../../src/cli/plugin/index.ts';
import { defaultsOf, pluginOptions, readPluginParameters, type Variables } from '../../../src/render/options/index.ts';
import { asReports } from '../../messages.ts';

const defaultSettings: PluginSettings = { ...defaultsOf(administratorOptions), all: true };

const read = (variables: Variables) => readPluginParameters(variables, defaultSettings);
const json = (...parameters: unknown[]): Variables => ({ ARGOCD_APP_PARAMETERS: JSON.stringify(parameters) });

describe('plugin parameters', () => {
  it.each([
    [{}],
    [{ ARGOCD_APP_PARAMETERS: undefined }],
    [{ ARGOCD_APP_PARAMETERS: '' }],
    [{ ARGOCD_APP_PARAMETERS: 'null' }],
    [{ ARGOCD_APP_PARAMETERS: '[]' }],
    [{ PARAMETER: 'x', OTHER_PARAM_X: 'y' }],
  ])('%j sets nothing', (variables) => {
    expect(read(variables)).toEqual({ settings: defaultSettings, problems: [] });
  });

  it('accept strings and arrays', () => {
    const { settings, problems } = read(
      json(
        { name: 'strict', string: 'true' },
        { name: 'definitions', array: ['a', 'b'] },
        { name: 'maxCollectionSize', string: '5' },
        { name: 'order', string: 'argocd' },
        { name: 'exclude', array: [], string: null },
      ),
    );
    const expected = { strict: true, definitions: ['a', 'b'], maxCollectionSize: 5, order: 'argocd', exclude: [] };
    expect({ settings, problems }).toEqual({ settings: { ...defaultSettings, ...expected }, problems: [] });
  });

  it('accept the variables that Argo CD derives, if nothing else is set', () => {
    const variables = {
      PARAM_STRICT: 'true',
      PARAM_DEFINITIONS_0: 'a',
      PARAM_DEFINITIONS_1: 'b',
      PARAM_ONPENDING: 'skip',
    };
    const expected = { strict: true, definitions: ['a', 'b'], onPending: 'skip' };
    expect(read(variables)).toEqual({ settings: { ...defaultSettings, ...expected }, problems: [] });
    const both = { ...variables, ...json({ name: 'order', string: 'kpt' }) };
    expect(read(both).settings).toEqual({ ...defaultSettings, order: 'kpt' });
  });

  it.each<[Variables, string]>([
    [{ ARGOCD_APP_PARAMETERS: '{' }, ': ARGOCD_APP_PARAMETERS must hold a JSON array of parameters'],
    [{ ARGOCD_APP_PARAMETERS: '{"name":"strict"}' }, ': ARGOCD_APP_PARAMETERS must hold a JSON array of parameters'],
    [json('strict'), ': parameter 0 has no name'],
    [json({ string: 'x' }), ': parameter 0 has no name'],
    [json({ name: 'strct', string: 'true' }), "strct: there is no such parameter (did you mean 'strict'?)"],
    [json({ name: 'all', string: 'true' }), 'all: there is no such parameter'],
    [json({ name: 'allowDir', array: ['/'] }), 'allowDir: there is no such parameter'],
    [json({ name: 'constructor', string: 'x' }), 'constructor: there is no such parameter'],
    [json({ name: 'strict' }), 'strict: has no value: set string or array'],
    [json({ name: 'strict', string: 'yes' }), "strict: 'yes' is neither true nor false"],
    [json({ name: 'strict', string: true }), 'strict: string must be a string'],
    [
      json({ name: 'strict', array: ['true'] }),
      'strict: must be a string (numbers and booleans are strings here: string: "true")',
    ],
    [json({ name: 'strict', string: 'true', array: [] }), 'strict: has both string and array'],
    [json({ name: 'definitions', string: 'a' }), 'definitions: must be an array (array: [a])'],
    [json({ name: 'definitions', array: [1] }), 'definitions: array must be a list of strings'],
    [json({ name: 'definitions', array: [''] }), 'definitions: an item is empty'],
    [json({ name: 'definitions', map: { a: 'b' } }), 'definitions: may not be a map'],
    [
      json({ name: 'strict', string: 'true' }, { name: 'strict', string: 'true' }),
      'strict: the parameter is given twice',
    ],
    [
      json({ name: 'onPending', string: 'placeholder' }),
      "onPending: 'placeholder' is not one of fail, skip, passthrough",
    ],
    [{ PARAM_STRCT: 'true' }, ': PARAM_STRCT belongs to no parameter'],
    [{ PARAM_DEFINITIONS_1: 'a' }, ': PARAM_DEFINITIONS_1 belongs to no parameter'],
  ])('%j is rejected', (variables, expected) => {
    const { settings, problems } = read(variables);
    const told = asReports(problems).map(
      ({ path, message, hint }) => `${path.join('.')}: ${message}${hint ? ` (${hint})` : ''}`,
    );
    expect(told).toEqual([expected]);
    expect({ ...settings, strict: false }).toEqual(defaultSettings);
  });
});

describe('announced parameters', () => {
  // Argo CD decodes them into a struct and ignores every other key.
  const KEYS = ['name', 'title', 'tooltip', 'required', 'itemType', 'collectionType', 'string', 'array', 'map'];

  it('have the keys that Argo CD knows', () => {
    for (const announcement of [...optionAnnouncements(), ...foundAnnouncements([], [])]) {
      expect(KEYS).toEqual(expect.arrayContaining(Object.keys(announcement)));
    }
  });

  it('name every option of the plugin, and their defaults set the defaults', () => {
    const announced = optionAnnouncements();
    expect(announced.map(({ name }) => name)).toEqual(Object.keys(pluginOptions));
    const given = announced.map(({ name, string, array }) => ({ name, string, array }));
    expect(read(json(...given))).toEqual({ settings: defaultSettings, problems: [] });
  });

  it('are accepted as parameters if the application repeats them', () => {
    const found = foundAnnouncements(['a: A.kro.run'], ['A/b']).map(({ name, array }) => ({ name, array }));
    expect(read(json(...found)).problems).toEqual([]);
    expect(read({ PARAM_FOUNDDEFINITIONS_0: 'a' }).problems).toEqual([]);
  });
});
