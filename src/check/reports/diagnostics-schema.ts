import {
  ARGUMENTS,
  ARGUMENTS_OF_CODES,
  type ArgumentName,
  type Code,
  codes,
  type Diagnostic,
  type Stage,
} from '../../core/diagnostics/index.ts';
import { ownValue, type ValueMap } from '../../core/model/value.ts';
import { REMEDY_KINDS } from '../../core/text/hint.ts';

/** The version of the schema: it changes if a program that reads diagnostics has to change. */
const VERSION = 1;

const text = (description: string): ValueMap => ({ type: 'string', description });

const position = (description: string): ValueMap => ({ type: 'integer', minimum: 1n, description });

const LOCATION = { type: 'object', required: ['file'], properties: placeFields() };

/** The fields of a diagnostic: a new one does not type-check without a description. */
const FIELDS: Readonly<Record<keyof Diagnostic, ValueMap>> = {
  severity: { enum: ['error', 'warning', 'info'] },
  code: { enum: Object.keys(codes), description: 'What is wrong. A code never changes its meaning.' },
  stage: { enum: stages(), description: 'The step or the command that reports the code.' },
  object: text('The object: Kind/name, or the name of an RGD.'),
  namespace: text('The namespace of the object.'),
  node: text('The id of the node.'),
  field: text('The field in the object: spec.ports[0].name.'),
  ...placeFields(),
  message: text('What is wrong, for people. It may change.'),
  hint: text('How to fix it, for people. It may change.'),
  args: { type: 'object', description: 'What the message says. The names of a code are stable.' },
  remedies: { type: 'array', items: { $ref: '#/$defs/remedy' }, description: 'What the hint says.' },
  instance: { ...LOCATION, description: 'The instance, if the problem is located in its RGD.' },
  related: {
    type: 'array',
    items: {
      ...LOCATION,
      required: ['file', 'message'],
      properties: { ...placeFields(), message: text('What is there.') },
    },
    description: 'Related locations, which the message names too.',
  },
  reproduction: text('A file that shows the problem.'),
};

/**
 * Returns the JSON Schema of what `-o json`, `--diagnostics json` and `--report json` print. It accepts fields that a
 * later version adds.
 */
export function diagnosticsSchema(dialect: string): ValueMap {
  return {
    $schema: dialect,
    $id: `https://render-rgd.dev/schemas/diagnostics-${VERSION}.json`,
    title: 'Diagnostics of render-rgd: validate -o json, and --report json',
    type: 'array',
    items: { $ref: '#/$defs/diagnostic' },
    $defs: {
      diagnostic: {
        type: 'object',
        required: ['severity', 'code', 'stage', 'message'],
        properties: FIELDS,
        allOf: Object.keys(codes).map((code) => argumentsRule(code as Code)),
      },
      remedy: { type: 'object', required: ['kind'], oneOf: Object.entries(REMEDY_KINDS).map(remedyRule) },
    },
  };
}

/** Returns the arguments of one code. */
function argumentsRule(code: Code): ValueMap {
  const names = argumentsOf(code);
  const properties = Object.fromEntries(names.map((name: ArgumentName) => [name, text(ARGUMENTS[name])]));
  return {
    if: { properties: { code: { const: code } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { args: { properties, additionalProperties: false } } },
  };
}

const argumentsOf = (code: Code): readonly ArgumentName[] => ownValue(ARGUMENTS_OF_CODES, code) ?? [];

const remedyRule = ([kind, { arguments: names, does }]: [
  string,
  { arguments: readonly string[]; does: string },
]): ValueMap => ({
  description: does,
  required: [...names],
  properties: { kind: { const: kind }, ...Object.fromEntries(names.map((name) => [name, { type: 'string' }])) },
});

function placeFields() {
  return {
    file: text('The file.'),
    line: position('The line, from 1.'),
    column: position('The column in UTF-16 units, from 1.'),
    endColumn: position('One past the last column, if the range ends in the line.'),
  };
}

function stages(): Stage[] {
  return [...new Set(Object.values(codes).map(({ stage }) => stage))];
}
