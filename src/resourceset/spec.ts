import type { Problem } from '../diagnostics/index.ts';
import type { KubeObject } from '../model/object.ts';
import { get, isMap, type Path, type Value, type ValueMap } from '../model/value.ts';
import { didYouMean } from '../text/nearest.ts';

/** Templates of a ResourceSet, or of a step of it. */
export interface TemplateSpec {
  /** The name of the step; none outside of steps. */
  step?: string;
  /** Where they stand. */
  path: Path;
  resources: readonly Value[];
  resourcesTemplate: string;
}

export interface InputReference {
  name?: string;
  selector?: Value;
}

/** A ResourceSet, decoded. */
export interface ResourceSetSpec {
  inputs: readonly ValueMap[];
  inputsFrom: readonly InputReference[];
  strategy: 'Flatten' | 'Permute';
  includeEmptyProviders: boolean;
  templates: readonly TemplateSpec[];
  labels: ValueMap;
  annotations: ValueMap;
}

const FIELDS = [
  'commonMetadata',
  'dependsOn',
  'inputStrategy',
  'inputs',
  'inputsFrom',
  'resources',
  'resourcesTemplate',
  'serviceAccountName',
  'steps',
  'wait',
];

type Report = (problem: Problem) => void;

/** Decodes the spec of a ResourceSet; `undefined` when something is wrong, which was reported. */
export function readSpec(object: KubeObject, report: Report): ResourceSetSpec | undefined {
  const reader = new Reader(report);
  const spec = reader.map(object, ['spec']);
  for (const key of Object.keys(spec)) {
    if (FIELDS.includes(key)) continue;
    const hint = didYouMean(key, FIELDS, 2);
    const message = `a ResourceSet has no field spec.${key}, and it is ignored`;
    const problem: Problem = { code: 'resourceset-field', message, path: ['spec', key], severity: 'warning' };
    report(hint === undefined ? problem : { ...problem, hint });
  }
  const strategy = reader.strategy(object);
  const read: ResourceSetSpec = {
    inputs: reader.maps(object, ['spec', 'inputs']),
    inputsFrom: reader.maps(object, ['spec', 'inputsFrom']).map((one) => referenceOf(one)),
    strategy,
    includeEmptyProviders: get(get(spec, 'inputStrategy'), 'includeEmptyProviders') === true,
    templates: reader.templates(object, spec),
    labels: reader.strings(object, ['spec', 'commonMetadata', 'labels']),
    annotations: reader.strings(object, ['spec', 'commonMetadata', 'annotations']),
  };
  return reader.failed ? undefined : read;
}

function referenceOf(one: ValueMap): InputReference {
  const { name, selector } = one;
  const hasName = typeof name === 'string' && name !== '';
  return { ...(hasName && { name }), ...(selector !== undefined && selector !== null && { selector }) };
}

/** Go's time.ParseDuration, as a step's timeout is read. */
const DURATION = /^[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:ns|us|\u00B5s|\u03BCs|ms|s|m|h))+$|^0$/;

class Reader {
  failed = false;
  constructor(private readonly report: Report) {}

  private fault(message: string, path: Path, hint?: string): void {
    this.failed = true;
    this.report({ code: 'resourceset-shape', message, path, ...(hint !== undefined && { hint }) });
  }

  private at(object: ValueMap, path: Path): Value {
    let value: Value = object;
    for (const step of path) value = get(value, String(step)) ?? null;
    return value;
  }

  map(object: ValueMap, path: Path): ValueMap {
    const value = this.at(object, path);
    if (isMap(value)) return value;
    if (value !== null) this.fault(`${path.join('.')} must be a map`, path);
    return {};
  }

  list(object: ValueMap, path: Path): readonly Value[] {
    const value = this.at(object, path);
    if (Array.isArray(value)) return value;
    if (value !== null) this.fault(`${path.join('.')} must be a list`, path, 'write a list, with - before each item');
    return [];
  }

  maps(object: ValueMap, path: Path): ValueMap[] {
    return this.list(object, path).flatMap((item, index) => {
      if (isMap(item)) return [item];
      this.fault(`each item of ${path.join('.')} must be a map`, [...path, index], 'write it as key: value');
      return [];
    });
  }

  strategy(object: ValueMap): 'Flatten' | 'Permute' {
    const path = ['spec', 'inputStrategy'];
    const name = get(this.map(object, path), 'name') ?? '';
    if (name === 'Permute') return 'Permute';
    if (name !== '' && name !== 'Flatten') {
      this.fault(`there is no input strategy '${String(name)}'`, [...path, 'name'], 'write Flatten or Permute');
    }
    return 'Flatten';
  }

  /** Values of metadata are strings; numbers and booleans become them. */
  strings(object: ValueMap, path: Path): ValueMap {
    const map = this.map(object, path);
    const strings: ValueMap = {};
    for (const [key, value] of Object.entries(map)) {
      if (typeof value === 'object' && value !== null) {
        this.fault(`the value of '${key}' must be a string`, [...path, key]);
      } else strings[key] = value === null ? '' : String(value);
    }
    return strings;
  }

  templates(object: ValueMap, spec: ValueMap): TemplateSpec[] {
    const own = this.template(object, ['spec']);
    const steps = this.maps(object, ['spec', 'steps']);
    const hasOwn = own.resources.length > 0 || own.resourcesTemplate !== '';
    if (steps.length === 0) return [own];
    if (hasOwn) {
      this.fault(
        'spec.steps excludes spec.resources and spec.resourcesTemplate',
        ['spec', 'steps'],
        'move them into a step',
      );
    }
    const names = new Set<string>();
    return steps.map((step, index) => this.step(step, ['spec', 'steps', index], names, spec));
  }

  private step(step: ValueMap, path: Path, names: Set<string>, _spec: ValueMap): TemplateSpec {
    const name = typeof step.name === 'string' ? step.name : '';
    if (name === '') this.fault('a step needs a name', path);
    if (names.has(name)) this.fault(`there are two steps of the name '${name}'`, [...path, 'name']);
    names.add(name);
    const template = this.templateIn(step, path);
    if (template.resources.length === 0 && template.resourcesTemplate === '') {
      this.fault(`the step '${name}' has neither resources nor resourcesTemplate`, path);
    }
    const { timeout } = step;
    if (timeout !== undefined && timeout !== null && !(typeof timeout === 'string' && DURATION.test(timeout))) {
      this.fault(`'${String(timeout)}' is no duration`, [...path, 'timeout'], 'write it like 5m or 1h30m');
    }
    return { ...template, step: name };
  }

  private template(object: ValueMap, path: Path): TemplateSpec {
    return this.templateIn(this.map(object, path), path);
  }

  private templateIn(holder: ValueMap, path: Path): TemplateSpec {
    const { resources, resourcesTemplate } = holder;
    const given = resources ?? [];
    if (!Array.isArray(given)) this.fault('resources must be a list', [...path, 'resources']);
    const text = resourcesTemplate ?? '';
    if (typeof text !== 'string')
      this.fault('resourcesTemplate must be a text', [...path, 'resourcesTemplate'], 'write | behind the key');
    const list = Array.isArray(given) ? given : [];
    list.forEach((item, index) => {
      if (!isMap(item)) this.fault('each item of resources must be an object', [...path, 'resources', index]);
    });
    return { path, resources: list, resourcesTemplate: typeof text === 'string' ? text : '' };
  }
}
