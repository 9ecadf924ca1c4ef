export { functionConfigSchema } from './config-schema.ts';
export { FUNCTION_CONFIG, readFunctionConfig } from './function-config.ts';
export {
  choice,
  defaultsOf,
  flag,
  flagOf,
  integer,
  list,
  type Option,
  type OptionSet,
  type SettingsOf,
  text,
} from './option.ts';
export {
  FOUND_DEFINITIONS,
  FOUND_INSTANCES,
  hasParameters,
  readPluginParameters,
  type Variables,
} from './plugin-parameters.ts';
export {
  allowSecrets,
  defaultSettings,
  definitionOptions,
  functionOptions,
  instanceOptions,
  libraryOptions,
  pluginOptions,
  renderingOptions,
  reportingOptions,
  type Settings,
  sharedOptions,
} from './shared.ts';
export { settingFromText, settingFromValue } from './value.ts';
