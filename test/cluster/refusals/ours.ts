import { format } from '../../../src/core/diagnostics/index.ts';
import { isNewServiceName, nameFault } from '../../../src/core/model/names.ts';
import { groupVersionKind, type KubeObject, nameOf } from '../../../src/core/model/object.ts';
import { formatPath } from '../../../src/core/model/value.ts';
import { builtinKinds } from '../../../src/kubernetes/schema/index.ts';
import { conformityOf } from '../../../src/kubernetes/validation/index.ts';

/** An error of `validate`, and its field. */
export interface OwnFault {
  field: string;
  text: string;
}

/** Returns the errors of `validate` for an object of one of Kubernetes' own kinds, as text. */
export const faultsOf = (object: KubeObject): string[] => ownFaults(object).map(({ text }) => text);

/** Returns the errors of `validate` for an object of one of Kubernetes' own kinds. */
export function ownFaults(object: KubeObject): OwnFault[] {
  const kind = groupVersionKind(object);
  const schema = builtinKinds.find(kind)?.schema;
  if (schema === undefined) return [];
  const { status: _, ...applied } = object;
  const { faults } = conformityOf(schema, applied, false);
  const isNamed = nameOf(object) !== '' && !isNewServiceName(kind, nameOf(object));
  const name = isNamed ? nameFault(kind, nameOf(object)) : undefined;
  return [
    ...faults.map(({ path, message }): OwnFault => {
      const field = formatPath(path);
      return { field, text: `${field} ${format(message)}` };
    }),
    ...(name === undefined ? [] : [{ field: 'metadata.name', text: name }]),
  ];
}
