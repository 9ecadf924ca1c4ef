import { SYNC_OPTIONS } from '../../core/model/keys.ts';
import { annotationOf, type KubeObject } from '../../core/model/object.ts';

/** Returns the value of a sync option of an object, such as `false` of `Prune=false`. */
export function syncOption(object: KubeObject, name: string): string | undefined {
  return optionIn(
    (annotationOf(object, SYNC_OPTIONS) ?? '').split(',').map((option) => option.trim()),
    name,
  );
}

/** Returns the value of the first sync option with a name. */
export function optionIn(options: readonly string[], name: string): string | undefined {
  return options.find((option) => option.startsWith(`${name}=`))?.slice(name.length + 1);
}
