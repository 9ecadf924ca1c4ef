import { type JsonValue, type ObjectSource, validate } from '../../../src/api/index.ts';
import type { Oracle } from '../oracle.ts';

/** A CRD with objects of its kind, as JSON for `tools/judge objects`. */
export interface ObjectsQuestion {
  crd: ObjectSource;
  objects: { object: ObjectSource }[];
}

export interface ObjectsAnswer {
  /** Why the CRD is rejected. */
  error?: string;
  verdicts?: { errors?: string[] }[];
}

export type ObjectOracle = Oracle<ObjectsQuestion, ObjectsAnswer>;

/** An object of the kind with a spec. */
export const objectWith = (spec: JsonValue): ObjectSource => ({
  apiVersion: 'odd.dev/v1',
  kind: 'Vee',
  metadata: { name: 'x', namespace: 'default' },
  spec,
});

const rgd: ObjectSource = {
  apiVersion: 'kro.run/v1alpha1',
  kind: 'ResourceGraphDefinition',
  metadata: { name: 'maker' },
  spec: {
    schema: { apiVersion: 'v1alpha1', kind: 'Maker', spec: { value: 'object' } },
    resources: [
      {
        id: 'made',
        template: {
          apiVersion: 'odd.dev/v1',
          kind: 'Vee',
          metadata: { name: '${schema.metadata.name}' },
          spec: '${dyn(schema.spec.value)}',
        },
      },
    ],
  },
};

/** Returns the errors of `validate` for an RGD that renders an object with this spec. */
export function validated(crd: ObjectSource, spec: JsonValue): string[] {
  const instance = { apiVersion: 'kro.run/v1alpha1', kind: 'Maker', metadata: { name: 'x' }, spec: { value: spec } };
  return validate({ objects: [crd, rgd, instance] }, { disable: ['lint-unread-field'] })
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ code, message }) => `${code}: ${message}`);
}

/** What the API server rejects and `validate` does not check, with the line of docs/validate.md that documents it. */
export const NOT_LOOKED_FOR: readonly { error: RegExp; documented: string }[] = [
  { error: /cost budget|cost limit/, documented: 'the cost of validation rules at run time' },
];

export interface ObjectDisagreement {
  kind: 'false alarm' | 'unseen' | 'not rendered';
  crd: ObjectSource;
  spec: JsonValue;
  here: readonly string[];
  there: readonly string[];
}

export interface ObjectComparison {
  compared: number;
  refused: number;
  /** The number of CRDs that the API server rejects because of a default. */
  defaultsRefused: number;
  /** CRDs that the API server rejects. */
  crdsRefused: Map<string, number>;
  notLookedFor: number;
  disagreements: ObjectDisagreement[];
}

export interface GeneratedObjects {
  crd: ObjectSource;
  specs: JsonValue[];
}

/** Returns the errors of `validate` for the defaults of a CRD. */
function defaultFaults(crd: ObjectSource): string[] {
  const { diagnostics } = validate({ objects: [crd] });
  return diagnostics.flatMap(({ severity, code, message, field = '' }) =>
    severity === 'error' && isDefault(field) ? [`${code} ${field}: ${message}`] : [],
  );
}

/** Reports whether a path has a default, as both sides write it. */
const isDefault = (path: string): boolean => /[.\]]default(?:$|[:.[])/.test(path);

/** What rules say of a value, which `validate` does not ask of a CRD. */
const OF_RULES =
  /: (?:Internal error: )?(?:Invalid value: .*)?(?:failed rule|rule compile|evaluating rule|not like this|not$|cost)/;

/** Reports whether an API server rejects a CRD because of a default. */
const isOfDefault = (error = ''): boolean =>
  error
    .replace(/^\[|\]$/g, '')
    .split(/, (?=spec\.)/)
    .some((one) => isDefault(one.slice(0, one.indexOf(': ') + 1)) && !OF_RULES.test(one));

/** Compares the verdicts of `validate` on objects with those of the API server's library. */
export async function compareObjects(
  oracle: ObjectOracle,
  inputs: readonly GeneratedObjects[],
): Promise<ObjectComparison> {
  const result: ObjectComparison = {
    compared: 0,
    refused: 0,
    defaultsRefused: 0,
    crdsRefused: new Map(),
    notLookedFor: 0,
    disagreements: [],
  };
  const questions = inputs.map(({ crd, specs }) => ({
    crd,
    objects: specs.map((spec) => ({ object: objectWith(spec) })),
  }));
  const answers = await oracle.ask(questions);
  for (const [index, { error, verdicts = [] }] of answers.entries()) {
    const { crd, specs } = inputs[index] as GeneratedObjects;
    const defaults = defaultFaults(crd);
    const isRefused = isOfDefault(error);
    if (isRefused) result.defaultsRefused += 1;
    if (defaults.length > 0 !== isRefused) {
      const kind = defaults.length > 0 ? 'false alarm' : 'unseen';
      result.disagreements.push({ kind, crd, spec: null, here: defaults, there: error === undefined ? [] : [error] });
    }
    if (error !== undefined) {
      const gist = error
        .replace(/"[^"]*"/g, '_')
        .replace(/.*?: (?=[A-Z])/, '')
        .slice(0, 90);
      result.crdsRefused.set(gist, (result.crdsRefused.get(gist) ?? 0) + 1);
    }
    for (const [at, { errors: there = [] }] of verdicts.entries()) {
      const spec = specs[at] as JsonValue;
      const here = validated(crd, spec);
      result.compared += 1;
      if (there.length > 0) result.refused += 1;
      const isRendered = here.every((one) => one.startsWith('rendered-'));
      if (isRendered && here.length > 0 === there.length > 0) continue;
      const isListed = here.length === 0 && there.every((one) => NOT_LOOKED_FOR.some(({ error }) => error.test(one)));
      if (isListed) result.notLookedFor += 1;
      else {
        const kind = !isRendered ? 'not rendered' : here.length > 0 ? 'false alarm' : 'unseen';
        result.disagreements.push({ kind, crd, spec, here, there });
      }
    }
  }
  return result;
}
