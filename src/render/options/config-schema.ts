import type { ValueMap } from '../../core/model/value.ts';
import { FUNCTION_CONFIG } from './function-config.ts';
import type { Option } from './option.ts';
import { functionOptions } from './shared.ts';

/** The JSON Schema of the functionConfig, from the table of options. */
export function functionConfigSchema(dialect: string): ValueMap {
  const fields: ValueMap = Object.fromEntries(
    Object.entries(functionOptions).map(([name, option]) => [
      name,
      { description: option.description, ...typeOf(option) },
    ]),
  );
  return {
    $schema: dialect,
    title: FUNCTION_CONFIG.kind,
    description: 'How the KRM function of render-rgd renders.',
    type: 'object',
    additionalProperties: false,
    required: ['apiVersion', 'kind'],
    properties: {
      apiVersion: { const: FUNCTION_CONFIG.apiVersion },
      kind: { const: FUNCTION_CONFIG.kind },
      metadata: { type: ['object', 'null'] },
      spec: { type: ['object', 'null'], additionalProperties: false, properties: fields },
    },
  };
}

function typeOf(option: Option): ValueMap {
  switch (option.type) {
    case 'boolean':
      return { type: 'boolean', default: option.default };
    case 'integer':
      return { type: 'integer', minimum: BigInt(option.minimum), default: BigInt(option.default) };
    case 'string':
      return { type: 'string', default: option.default, ...patternOf(option.form) };
    case 'choice':
      return { enum: [...option.choices], default: option.default };
    case 'list': {
      return { type: 'array', items: { type: 'string', minLength: 1n, ...patternOf(option.each) } };
    }
  }
}

const patternOf = (form: { pattern: RegExp } | undefined): ValueMap =>
  form === undefined ? {} : { pattern: form.pattern.source };
