import { crds, toYaml } from '../../src/api/index.ts';
import { sample } from '../../src/api/tools/index.ts';
import { inputOf, optionsOf } from './package.ts';
import type { Form, FormSchema, Kinds, Package } from './protocol.ts';

/** Returns the kinds that the RGDs define, with their CRDs. */
export function kindsOf(pack: Package): Kinds {
  const { objects, diagnostics } = crds(inputOf(pack), optionsOf(pack));
  const kinds = objects.map(({ spec }) => {
    const { group, names } = spec as unknown as { group: string; names: { kind: string } };
    return `${names.kind}.${group}`;
  });
  return {
    kinds,
    crds: objects.map((object) => ({ name: object.metadata.name ?? '', yaml: toYaml([object]) })),
    diagnostics,
  };
}

interface Crd {
  readonly group: string;
  readonly names: { readonly kind: string };
  readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: FormSchema } }[];
}

/** Returns the data of a form for an instance of a kind. @throws Error if no RGD defines the kind */
export function formOf(pack: Package, kind: string): Form {
  const input = inputOf(pack);
  const { objects, diagnostics } = crds(input, optionsOf(pack));
  const found = objects
    .map(({ spec }) => spec as unknown as Crd)
    .find(({ group, names }) => `${names.kind}.${group}` === kind);
  const version = found?.versions[0];
  if (found === undefined || version === undefined)
    throw new Error(diagnostics[0]?.message ?? `no RGD defines ${kind}`);
  return {
    apiVersion: `${found.group}/${version.name}`,
    kind: found.names.kind,
    schema: version.schema.openAPIV3Schema.properties?.spec ?? {},
    sample: sample(input, kind, optionsOf(pack)).text ?? '',
  };
}
