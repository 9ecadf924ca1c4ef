import { type Problem, worded } from '../../core/diagnostics/index.ts';
import { attempt } from '../../core/model/attempt.ts';
import type { KubeObject } from '../../core/model/object.ts';
import { get, isMap, ownValue, type Path, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
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
import { functionOptions, pluginOptions } from './shared.ts';

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
        problems.push(wrong(`unknown option '${key}'`, path, didYouMean(key, Object.keys(OPTIONS), 1)));
        continue;
      }
      const value = body.fields[key] as Value;
      const parsed = body.key === 'data' ? fromConfigMap(option, value) : settingFromValue(option, value);
      if ('fault' in parsed) problems.push(wrong(`${key}: ${parsed.fault}`, path, parsed.hint));
      else setKey(settings, key, parsed.value);
    }
  }
  return { settings: settings as unknown as FunctionSettings, problems };
}

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

const wrong = (message: string, path: Path, hint?: string): Problem => ({
  code: 'function-config',
  ...worded(message, hint),
  path,
});

export * from './option.ts';
export { settingFromText, settingFromValue } from './option.ts';
export * from './shared.ts';

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

const PARAMETERS: OptionSet = pluginOptions;

/** Announced to show the found objects; Argo CD sends them back, and they set nothing. */
export const FOUND_DEFINITIONS = 'foundDefinitions';
export const FOUND_INSTANCES = 'foundInstances';
const FOUND: readonly string[] = [FOUND_DEFINITIONS, FOUND_INSTANCES];

export type Variables = Readonly<Record<string, string | undefined>>;

/** A parameter of an Application: every scalar is a string. */
type Given = { string: string } | { array: readonly string[] } | { fault: string };

/**
 * Reads the parameters of an Application, which override settings of an administrator: ARGOCD_APP_PARAMETERS, a JSON
 * array or `null`, and without it the variables PARAM_NAME and PARAM_NAME_0 that Argo CD derives from them.
 */
export function readPluginParameters<Base extends SettingsOf<typeof pluginOptions>>(
  variables: Variables,
  base: Base,
): { settings: Base; problems: Problem[] } {
  const settings: Record<string, unknown> = { ...base };
  const problems: Problem[] = [];
  const text = (variables.ARGOCD_APP_PARAMETERS ?? '').trim();
  const given = text === '' || text === 'null' ? fromVariables(variables, problems) : fromJson(text, problems);
  for (const [name, value] of given) {
    const option = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined;
    if (option === undefined) {
      const hint = didYouMean(name, Object.keys(PARAMETERS), 1);
      if (!FOUND.includes(name)) problems.push(refused('there is no such parameter', name, hint));
      continue;
    }
    const parsed = parse(option, value);
    if ('fault' in parsed) problems.push(refused(parsed.fault, name, parsed.hint));
    else setKey(settings, name, parsed.value);
  }
  return { settings: settings as unknown as Base, problems: [...problems, ...mistakenFor(variables)] };
}

/** Argo CD passes the variables in `plugin.env` of an Application with this prefix. */
const ENV = 'ARGOCD_ENV_';

/** Warns of variables in `plugin.env` that are named like parameters, and set nothing. */
function mistakenFor(variables: Variables): Problem[] {
  const spelled = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '');
  const names = new Map(Object.keys(PARAMETERS).map((name) => [spelled(name), name]));
  return Object.keys(variables).flatMap((key) => {
    const own = key.startsWith(ENV) ? key.slice(ENV.length) : '';
    const name = names.get(spelled(own.replace(/^PARAM_/, '').replace(/_\d+$/, '')));
    if (name === undefined || variables[key] === undefined) return [];
    const hint = `set the parameter ${name} in plugin.parameters instead`;
    return { ...refused(`${own} in plugin.env sets no parameter`, undefined, hint), severity: 'warning' };
  });
}

const parametersIn = (variables: Variables): string[] =>
  Object.keys(variables).filter((key) => key.startsWith('PARAM_') && variables[key] !== undefined);

export function hasParameters(variables: Variables): boolean {
  const text = (variables.ARGOCD_APP_PARAMETERS ?? '').trim();
  if (text !== '' && text !== 'null' && text !== '[]') return true;
  return parametersIn(variables).length > 0;
}

function parse(option: Option, value: Given): Parsed {
  if ('fault' in value) return value;
  if (option.type === 'list') {
    return 'array' in value
      ? checkedItems(option, value.array)
      : { fault: 'must be an array', hint: `array: [${value.string}]` };
  }
  return 'string' in value
    ? settingFromText(option, value.string.trim())
    : { fault: 'must be a string', hint: 'numbers and booleans are strings here: string: "true"' };
}

function fromJson(text: string, problems: Problem[]): Map<string, Given> {
  const given = new Map<string, Given>();
  const entries = parseJson(text);
  if (!Array.isArray(entries)) {
    problems.push(refused('ARGOCD_APP_PARAMETERS must hold a JSON array of parameters'));
    return given;
  }
  entries.forEach((entry: unknown, index) => {
    const name = isMap(entry) ? entry.name : undefined;
    if (!isMap(entry) || typeof name !== 'string') problems.push(refused(`parameter ${index} has no name`));
    else if (given.has(name)) problems.push(refused('the parameter is given twice', name));
    else given.set(name, givenBy(entry));
  });
  return given;
}

function givenBy(entry: Readonly<Record<string, unknown>>): Given {
  const keys = ['string', 'array', 'map'].filter((key) => (ownValue(entry, key) ?? null) !== null);
  const [key, second] = keys;
  if (key === undefined) return { fault: 'has no value: set string or array' };
  if (second !== undefined) return { fault: `has both ${key} and ${second}` };
  const value = ownValue(entry, key);
  if (key === 'map') return { fault: 'may not be a map' };
  if (key === 'string') return typeof value === 'string' ? { string: value } : { fault: 'string must be a string' };
  const isTexts = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return isTexts ? { array: value } : { fault: 'array must be a list of strings' };
}

/** Every PARAM_ variable must belong to an option, so that misspelled parameters are reported. */
function fromVariables(variables: Variables, problems: Problem[]): Map<string, Given> {
  const given = new Map<string, Given>();
  const left = new Set(parametersIn(variables));
  for (const [name, option] of Object.entries(PARAMETERS)) {
    const key = variableOf(name);
    if (option.type === 'list') {
      const items: string[] = [];
      for (let at = `${key}_0`; left.delete(at); at = `${key}_${items.length}`)
        items.push(ownValue(variables, at) as string);
      if (items.length > 0) given.set(name, { array: items });
    } else if (left.delete(key)) given.set(name, { string: ownValue(variables, key) as string });
  }
  const announced = FOUND.map((name) => new RegExp(`^${variableOf(name)}(_\\d+)?$`));
  for (const key of left) {
    if (!announced.some((pattern) => pattern.test(key))) problems.push(refused(`${key} belongs to no parameter`));
  }
  return given;
}

/** The variable of a parameter in Argo CD. */
const variableOf = (name: string): string => `PARAM_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;

const parseJson = (text: string): unknown => attempt<unknown>(() => JSON.parse(text), SyntaxError);

const refused = (message: string, name?: string, hint?: string): Problem => ({
  code: 'plugin-parameter',
  ...worded(message, hint),
  path: name === undefined ? [] : [name],
});
