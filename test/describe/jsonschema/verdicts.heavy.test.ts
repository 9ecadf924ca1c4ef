import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { Collector, format } from '../../../src/core/diagnostics/index.ts';
import type { Value } from '../../../src/core/model/value.ts';
import { DIALECT, instanceJsonSchema, rgdJsonSchema } from '../../../src/describe/jsonschema/index.ts';
import { graphOf } from '../../../src/kro/admit/index.ts';
import { isRgd, readDefinition } from '../../../src/kro/definition/index.ts';
import { functionConfigSchema, readFunctionConfig } from '../../../src/render/options/index.ts';
import { compiledCases } from '../../conformance-rgds.ts';

/** JSON as JavaScript parses it: integers beyond 2^53 lose their last digits. */
const asJson = (value: Value): object =>
  JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? Number(one) : one)));

/** Errors that JSON parsed by JavaScript cannot show: integers beyond int64. */
const BEYOND = /must be of type integer: "number"/;

const newAjv = (): Ajv2020 => new Ajv2020({ strict: false, allErrors: true, logger: false });

describe('the JSON Schema of an instance', () => {
  it('accepts and rejects what the reader does, for every instance of the conformance cases', () => {
    const counts = { valid: 0, invalid: 0, beyond: 0 };
    const wrong: string[] = [];
    const ajv = newAjv();
    for (const { name, objects, graphs } of compiledCases()) {
      for (const { object } of objects) {
        const graph = graphOf(object, graphs);
        if (graph === undefined || object.apiVersion !== `${graph.group}/${graph.version}`) continue;
        const validate = ajv.compile(asJson(instanceJsonSchema(graph)));
        const { problems } = graph.admission.admit(object);
        const isValid = validate(asJson(object));
        // JSON Schema cannot express CEL rules and unique keys of list items.
        const hasRules = /x-kubernetes-(validations|list-type)/.test(JSON.stringify(asJson(graph.schema as Value)));
        const isBeyond = isValid && problems.every(({ message }) => hasRules || BEYOND.test(format(message)));
        if (isBeyond && problems.length > 0) counts.beyond += 1;
        else {
          counts[isValid ? 'valid' : 'invalid'] += 1;
          const said = `${name}: ${JSON.stringify(validate.errors)} ${problems.map(({ message }) => format(message)).join('; ')}`;
          if (isValid !== (problems.length === 0)) wrong.push(said);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(counts.valid).toBeGreaterThan(150);
    expect(counts.invalid).toBeGreaterThan(5);
    expect(counts.beyond).toBeLessThan(10);
  });
});

describe('the JSON Schema of RGDs', () => {
  const validate = newAjv().compile(asJson(rgdJsonSchema));

  it('accepts every RGD of the conformance cases that compiles', () => {
    let accepted = 0;
    for (const { name, objects } of compiledCases()) {
      for (const { object } of objects.filter((one) => isRgd(one.object))) {
        // The reader ignores nulls; editors may report them.
        const withoutNulls = JSON.parse(JSON.stringify(asJson(object), (_, one) => (one === null ? undefined : one)));
        expect(validate(withoutNulls), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true);
        accepted += 1;
      }
    }
    expect(accepted).toBeGreaterThan(150);
  });

  const rgd = (spec: Value): Value => ({
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    metadata: { name: 'a' },
    spec,
  });
  const schema = { kind: 'A', apiVersion: 'v1' };
  it.each([
    ['no schema', rgd({ resources: [] })],
    ['an unknown field', rgd({ schema, resource: [] })],
    ['an unknown field of a node', rgd({ schema, resources: [{ id: 'a', templates: {} }] })],
    ['a list for a map', rgd({ schema: { ...schema, spec: [] } })],
    ['two keys in an iterator', rgd({ schema, resources: [{ id: 'a', forEach: [{ a: 'x', b: 'z' }], template: {} }] })],
  ])('rejects %s, as the reader does', (_, value) => {
    expect(validate(asJson(value))).toBe(false);
    const reports = new Collector();
    readDefinition({ object: value as never }, reports);
    expect(reports.all.length).toBeGreaterThan(0);
  });
});

describe('the JSON Schema of the functionConfig', () => {
  const validate = newAjv().compile(asJson(functionConfigSchema(DIALECT)));
  const config = (spec: Value): Value => ({
    apiVersion: 'fn.kpt.dev/v1alpha1',
    kind: 'RenderRGD',
    metadata: { name: 'render' },
    spec,
  });

  it.each([
    ['nothing', {}, true],
    ['null', null, true],
    ['options', { strict: true, namespace: 'a', observed: ['x'], maxCollectionSize: 5n, onPending: 'skip' }, true],
    ['a text for a boolean', { strict: 'yes' }, false],
    ['an unknown option', { strickt: true }, false],
    ['a choice of the command line', { onPending: 'placeholder' }, false],
    ['a number that is too small', { maxCollectionSize: 0n }, false],
    ['a text for a list', { observed: 'x' }, false],
    ['an empty item', { observed: [''] }, false],
    ['an item of the wrong form', { clusterScoped: ['zone'] }, false],
  ] as [string, Value, boolean][])('has the same result as the reader for %s', (_, spec, isValid) => {
    expect(validate(asJson(config(spec)))).toBe(isValid);
    expect(readFunctionConfig(config(spec)).problems.length === 0).toBe(isValid);
  });
});
