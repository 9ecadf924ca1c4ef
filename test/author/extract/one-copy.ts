import { crds, type KubernetesObject } from '../../../src/api/index.ts';
import type { ExtractResult } from '../../../src/api/tools/index.ts';

/** The conditions of a result that a boolean decides and that hold for one of several copies. */
export interface OneCopyConditions {
  readonly total: number;
  /** Those for which a field is set for exactly that copy, and has no default. */
  readonly withField: readonly string[];
  /** Those of them whose field fills the object that has the condition: it would do. */
  readonly avoidable: readonly string[];
}

type Schema = { readonly type?: string; readonly default?: unknown };

/** Returns the conditions that are true for exactly one copy, and which of them a field could decide. */
export function oneCopyConditions({ rgd, instances, report }: ExtractResult): OneCopyConditions {
  if (rgd === undefined || report === undefined || instances.length < 2)
    return { total: 0, withField: [], avoidable: [] };
  const schemas = fieldSchemas(rgd);
  const specs = instances.map((one) => (one as unknown as { spec?: Record<string, unknown> }).spec ?? {});
  let total = 0;
  const withField: string[] = [];
  const avoidable: string[] = [];
  for (const { by, decides } of report.conditions) {
    const decided = /^(!?)schema\.spec\.(\w+)$/.exec(by);
    if (decided === null) continue;
    const [, negation, name = ''] = decided;
    const expected = negation === '';
    const copies = specs.flatMap((spec, at) => ((spec[name] ?? schemas[name]?.default) === expected ? [at] : []));
    const [only] = copies;
    if (copies.length !== 1 || only === undefined) continue;
    total += 1;
    const deciding = report.fields.filter((field) => {
      const { type, default: standard } = schemas[field.name] ?? {};
      return type !== 'boolean' && isEmpty(standard) && isSetOnlyIn(specs, field.name, only);
    });
    const [first] = deciding;
    if (first === undefined) continue;
    withField.push(`${decides}: ${by}, although only that copy sets ${first.name}`);
    const own = deciding.find(({ fills }) => fills.some((place) => nodeOf(place) === nodeOf(decides)));
    if (own !== undefined) avoidable.push(`${decides}: ${by}, although ${own.name} of the same object would do`);
  }
  return { total, withField, avoidable };
}

const nodeOf = (place: string): string => place.split(/[.[]/, 1)[0] ?? '';

/** Returns the schemas of the fields of the instances, from the CRD that the RGD generates. */
function fieldSchemas(rgd: KubernetesObject): Record<string, Schema> {
  const { objects } = crds({ objects: [rgd] });
  const crd = objects[0] as unknown as
    | { spec: { versions: { schema: { openAPIV3Schema: { properties: Record<string, unknown> } } }[] } }
    | undefined;
  const spec = crd?.spec.versions[0]?.schema.openAPIV3Schema.properties.spec;
  return (spec as { properties?: Record<string, Schema> } | undefined)?.properties ?? {};
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);

function isSetOnlyIn(specs: readonly Record<string, unknown>[], field: string, only: number): boolean {
  return specs.every((spec, at) => Object.hasOwn(spec, field) === (at === only));
}
