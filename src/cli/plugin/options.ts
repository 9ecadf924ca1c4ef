import { flag, list, pluginOptions, type SettingsOf } from '../../render/options/index.ts';

/** What an administrator sets in plugin.yaml: what Applications start from, and what they may do. */
export const administratorOptions = {
  ...pluginOptions,
  allowDir: list('DIR', 'Allow Applications to read this folder in addition to their repository.'),
  allowRemote: flag('Allow kustomize to fetch URLs; git uses https only.'),
};

/** The plugin prints everything. */
export type PluginSettings = SettingsOf<typeof administratorOptions> & { all: true };
