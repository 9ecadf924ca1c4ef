import type { JsonMap } from '../../differential/types.ts';

/** What template languages, YAML and JavaScript give a meaning to. */
export const TEXTS: readonly string[] = [
  '${schema.spec.x}',
  '${',
  '$${x}',
  '${"$"}{x}',
  '{{ .Values.x }}',
  '{{`{{`}}',
  '$(POD_IP)',
  '$$(POD_IP)',
  '}',
  '"',
  "'",
  '\\',
  '\\u0024{x}',
  '# no comment',
  '- x',
  '---',
  'true',
  '1',
  '~',
  '',
  ' ',
  'line\n  line\n\n',
  '\ttab',
  '\u2028',
  '\u{1F600}',
  '__proto__',
  'a'.repeat(5000),
];

/** Values that contradict a format of their field. */
export const SPECS: readonly JsonMap[] = [
  { small: 3_000_000_000 },
  { small: 3_000_000_000, list: [3_000_000_000] },
  { bytes: '?' },
  { day: 'yesterday' },
  { at: 'noon' },
  { host: '-' },
];

const THING_SPEC: JsonMap = {
  small: { type: 'integer', format: 'int32' },
  list: { type: 'array', items: { type: 'integer', format: 'int32' } },
  bytes: { type: 'string', format: 'byte' },
  day: { type: 'string', format: 'date' },
  at: { type: 'string', format: 'date-time' },
  host: { type: 'string', format: 'hostname' },
};

/** A kind with formats. */
export const THING: JsonMap = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.org' },
  spec: {
    group: 'example.org',
    names: { kind: 'Thing', listKind: 'ThingList', plural: 'things', singular: 'thing' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: THING_SPEC } } },
        },
      },
    ],
  },
};
