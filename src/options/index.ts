export { foundAnnouncements, optionAnnouncements } from './announcements.ts';
export { argumentName, parseArguments } from './arguments.ts';
export { functionConfigSchema } from './config-schema.ts';
export { FUNCTION_CONFIG, readFunctionConfig } from './function-config.ts';
export { entry, optionHelp } from './help.ts';
export { hasParameters, readPluginParameters, type Variables } from './plugin-parameters.ts';
export { choicesOf, defaultSettings, type Option, options, optionsOf, type Settings, type Where } from './table.ts';
export { settingFromValue } from './value.ts';
