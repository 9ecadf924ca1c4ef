import { toJsonText } from '../../emit/index.ts';
import { titleOf } from '../../model/object.ts';
import { foundAnnouncements } from '../../options/index.ts';
import { groupKind } from '../../rgd/definition/index.ts';
import type { Output } from '../output.ts';
import type { Given } from './given.ts';
import { findIn, readLeniently } from './package.ts';

/** A JSON array of parameter announcements that tell what was found. It goes before the static ones of plugin.yaml. */
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
