import file from '../../../data/controller-kinds.json';
import { lazily, onceFor } from '../../core/model/lazily.ts';
import type { GroupVersionKind } from '../../core/model/object.ts';
import { getAt, listAt, textAt, type Value } from '../../core/model/value.ts';
import { readStream } from '../../yaml/parse/index.ts';
import { objectMetaSchema } from './builtin.ts';
import { toSchema } from './convert.ts';
import type { KindInfo, KindRegistry, Schema } from './schema.ts';

/** The table of kinds. Its text is parsed only when a kind is asked for (tools/controller-crds/README.md). */
const table = lazily((): Value => readStream(file.table).documents[0]?.value ?? null);

const writtenKinds = lazily(
  () => new Map(listAt(table(), 'kinds').map((written) => [textAt(written, 'name'), written] as const)),
);

const sharedSchema = onceFor((index: string): Schema => schemaFrom(getAt(table(), ['shared', Number(index)]) ?? null));

const schemaFrom = (written: Value): Schema => toSchema(written, { resolve: sharedSchema });

const STRING: Schema = { type: 'string' };

const kindInfo = onceFor((name: string): KindInfo | undefined => {
  const written = writtenKinds().get(name);
  const schema = getAt(written, ['schema']);
  if (schema === undefined) return undefined;
  const spec = schemaFrom(schema);
  const properties = { ...spec.properties, apiVersion: STRING, kind: STRING, metadata: objectMetaSchema };
  return { schema: { ...spec, properties }, namespaced: getAt(written, ['namespaced']) === true };
});

/** The table is read only for a group of these controllers. */
const isControllerGroup = (group: string): boolean =>
  group === 'argoproj.io' || group === 'fluxcd.controlplane.io' || group.endsWith('.fluxcd.io');

/**
 * The kinds of Argo CD, Flux and the Flux operator that people write, without their status. A cluster may have another
 * release of them, so that a CRD of the package comes first, and an unknown field is no error.
 */
export const controllerKinds: KindRegistry = {
  find: ({ group, version, kind }) => (isControllerGroup(group) ? kindInfo(`${kind}.${version}.${group}`) : undefined),
  names: () => writtenKinds().keys(),
};

/** Reports whether a kind is in the table. */
export const isControllerKind = (gvk: GroupVersionKind): boolean => controllerKinds.find(gvk) !== undefined;
