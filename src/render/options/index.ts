import { type Problem, worded } from '../../core/diagnostics/index.ts';
import type { KubeObject } from '../../core/model/object.ts';
import { get, isMap, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import { didYouMean } from '../../core/text/nearest.ts';
import {
  checkedItems,
  defaultsOf,
  type Option,
  type OptionSet,
  type Parsed,
  type SettingsOf,
  settingFromText,
  settingFromValue,
} from './option.ts';
import { functionOptions } from './shared.ts';

export const FUNCTION_CONFIG = { apiVersion: 'fn.kpt.dev/v1alpha1', kind: 'RenderRGD' } as const;

export const isFunctionConfig = ({ apiVersion, kind }: KubeObject): boolean =>
  apiVersion === FUNCTION_CONFIG.apiVersion && kind === FUNCTION_CONFIG.kind;

/** The settings of a functionConfig. The function always returns all objects. */
type FunctionSettings = SettingsOf<typeof functionOptions> & { all: true };

const OPTIONS: OptionSet = functionOptions;

const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap' } as const;

/** Reads the `spec` of a RenderRGD, or the `data` of a ConfigMap, in which every value is a string. */
export function readFunctionConfig(config: Value | undefined): { settings: FunctionSettings; problems: Problem[] } {
  const problems: Problem[] = [];
  const settings: Record<string, unknown> = { ...defaultsOf(functionOptions), all: true };
  const body = bodyOf(config, problems);
  if (body !== undefined) {
    for (const key of Object.keys(body.fields)) {
      const path = [body.key, key];
      const option = Object.hasOwn(OPTIONS, key) ? OPTIONS[key] : undefined;
      if (option === undefined) {
        problems.push(unknownKey(key, path));
        continue;
      }
      const value = body.fields[key] as Value;
      const parsed = body.key === 'data' ? fromConfigMap(option, value) : settingFromValue(option, value);
      if ('fault' in parsed) problems.push(wrong(`${key}: ${parsed.fault}`, path, parsed.hint));
      else settings[key] = parsed.value;
    }
  }
  return { settings: settings as unknown as FunctionSettings, problems };
}

/** Returns the map that contains the options, and its key. */
function bodyOf(config: Value | undefined, problems: Problem[]): { key: string; fields: ValueMap } | undefined {
  if (config === undefined || config === null) return undefined;
  const is = (of: { apiVersion: string; kind: string }): boolean =>
    get(config, 'apiVersion') === of.apiVersion && get(config, 'kind') === of.kind;
  const key = is(FUNCTION_CONFIG) ? 'spec' : is(CONFIG_MAP) ? 'data' : undefined;
  if (key === undefined) {
    const { apiVersion, kind } = FUNCTION_CONFIG;
    problems.push(wrong(`the functionConfig must be a ${kind} of ${apiVersion}, or a ConfigMap of v1`, []));
    return undefined;
  }
  for (const other of Object.keys(config as ValueMap)) {
    if (!['apiVersion', 'kind', 'metadata', key].includes(other)) {
      problems.push(wrong(`unknown field '${other}'`, [other], `options stand under '${key}'`));
    }
  }
  const fields = get(config, key);
  if (fields === undefined || fields === null) return undefined;
  if (isMap(fields)) return { key, fields };
  problems.push(wrong(`${key} must be a map`, [key]));
  return undefined;
}

/** A ConfigMap contains strings only; the items of a list are on lines or separated by commas. */
function fromConfigMap(option: Option, value: Value): Parsed {
  if (typeof value !== 'string') return { fault: 'must be a string, as every value of a ConfigMap' };
  if (option.type !== 'list') return settingFromText(option, value.trim());
  const items = value.split(/[\n,]/).map((item) => item.trim());
  return checkedItems(
    option,
    items.filter((item) => item !== ''),
  );
}

function unknownKey(key: string, path: Path): Problem {
  return wrong(`unknown option '${key}'`, path, didYouMean(key, Object.keys(OPTIONS), 1));
}

const wrong = (message: string, path: Path, hint?: string): Problem => ({
  code: 'function-config',
  ...worded(message, hint),
  path,
});

export * from './option.ts';
export { settingFromText, settingFromValue } from './option.ts';
export * from './plugin-parameters.ts';
export * from './shared.ts';

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
