import { flag, list, pluginOptions, type SettingsOf } from '../../render/options/index.ts';

/** The settings of an administrator in plugin.yaml: defaults and limits of Applications. */
export const administratorOptions = {
  ...pluginOptions,
  allowDir: list('DIR', 'Allow Applications to read this folder in addition to their repository.'),
  allowRemote: flag('Allow kustomize to fetch URLs; git uses https only.'),
};

/** The plugin always prints all objects. */
export type PluginSettings = SettingsOf<typeof administratorOptions> & { all: true };
