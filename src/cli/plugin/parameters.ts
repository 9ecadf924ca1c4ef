import { titleOf } from '../../core/model/object.ts';
import { groupKind } from '../../kro/definition/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import type { Output } from '../output.ts';
import { foundAnnouncements } from './announcements.ts';
import type { Given } from './given.ts';
import { findIn, readLeniently } from './package.ts';

/**
 * Returns a JSON array of parameter announcements with the found objects. It precedes the static ones of plugin.yaml.
 */
export function announceFound(given: Given): Output {
  const { definitions, instances } = findIn(
    readLeniently(['.'], given),
    readLeniently(given.settings.definitions, given),
  );
  const defined = definitions.map((definition) => `${definition.name}: ${groupKind(definition)}`);
  const found = foundAnnouncements(
    defined,
    instances.map(({ object }) => titleOf(object)),
  );
  return [toJsonText(found), '\n'];
}
