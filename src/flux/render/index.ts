import { composeText, isError, type Problem, phrase, quote, shown } from '../../core/diagnostics/index.ts';
import { lazily } from '../../core/model/lazily.ts';
import { MAX_ERRORS, MAX_EXECUTIONS } from '../../core/model/limits.ts';
import { entryFault, isNewServiceName, nameFault, namespaceFault } from '../../core/model/names.ts';
import { groupVersionKind, type InputObject, identityOf, type KubeObject } from '../../core/model/object.ts';
import { GROUP } from '../../core/model/resource-set.ts';
import {
  get,
  getAt,
  isMap,
  mapOf,
  type Path,
  setKey,
  textAt,
  type Value,
  type ValueMap,
} from '../../core/model/value.ts';
import { ownerLabels } from '../../kubernetes/label/index.ts';
import { NIL_MAP, toGoMap } from '../../languages/gotemplate/index.ts';
import { functionsFor } from '../functions/index.ts';
import type { InputSet } from '../inputs/combine.ts';
import type { NamespacedName } from '../inputs/providers.ts';
import { secretUse } from '../reads.ts';
import type { ResourceSetSpec, TemplateStep } from '../spec.ts';
import { aboutSet, type SecretUse } from './fault.ts';
import { type Bound, compileSet, compileTemplates, type Execution, execute, type RenderBudget } from './templates.ts';

/** A rendered object of a ResourceSet, with its template. */
export interface SetObject {
  object: ValueMap;
  path: Path;
  /** The step of the ResourceSet; 0 without steps. */
  step: number;
  /** The inputs of the execution; undefined in a ResourceSet without any. */
  inputs: InputSet | undefined;
}

interface RenderedSet {
  objects: readonly SetObject[];
  /** Whether an object was left out because it is disabled. */
  hasDisabled: boolean;
}

const NOTHING: RenderedSet = { objects: [], hasDisabled: false };

/** The objects of a step, by identity. */
type Part = Omit<SetObject, 'step'>[];
type ObjectsByIdentity = Map<string, Part[number]>;

type ReportProblem = (problem: Problem) => void;

/** Renders the templates in the order of the Flux operator; in a ResourceSet with Secrets, anything may be one. */
export function renderSet(
  spec: ResourceSetSpec,
  set: NamespacedName,
  inputs: readonly InputSet[],
  budget: RenderBudget,
  report: ReportProblem,
  { object, source, secret }: Pick<InputObject, 'object' | 'source' | 'secret'>,
): RenderedSet {
  let faults = 0;
  const reportFault: ReportProblem = (problem) => {
    if (isError(problem)) faults++;
    report(problem);
  };
  const count = spec.steps.reduce((sum, { templates }) => sum + templates.length, 0);
  const runs = count * Math.max(1, inputs.length);
  if (runs > MAX_EXECUTIONS) {
    const message = phrase`its templates would be executed ${{ count: runs }} times, more than the limit of ${{ limit: shown(MAX_EXECUTIONS) }}`;
    report({ code: 'budget-exceeded', message, path: ['spec'], hint: phrase`split it, or use fewer inputs` });
    return NOTHING;
  }
  budget.allowRuns(runs);
  // Without inputs templates are executed once, with an empty map that cannot be changed.
  const bound: Iterable<Bound> =
    inputs.length > 0 ? boundTo(inputs, runs) : [{ functions: functionsFor(() => NIL_MAP), set: undefined }];
  const isEnough = (): boolean => faults >= MAX_ERRORS;
  const execution: Execution = {
    placeOf: (template, field) => placeIn(object, template, field),
    budget,
    report: reportFault,
    isEnough,
    disabled: new Set(),
    secret: secret === undefined ? secretsOf(spec, inputs) : () => ALL_SECRET,
  };
  const parts = spec.steps.map((step) => renderPart(step, bound, execution));
  rejectDuplicates(spec.steps, parts, source, reportFault);
  for (const part of parts) checkObjects(part, execution);
  if (faults > 0) return NOTHING;
  const finish = finisher(spec, set);
  const objects = parts.flatMap((part, step) =>
    part.map(({ object, path, inputs }) => ({ object: finish(object), path, inputs, step })),
  );
  return { objects, hasDisabled: execution.disabled.size > 0 };
}

/** Returns the place of a field in a template, as far as it is written there. */
function placeIn(set: KubeObject, template: Path, field: Path): Path {
  let place = template;
  for (const step of field) {
    const next = [...place, step];
    if (getAt(set, next) === undefined) break;
    place = next;
  }
  return place;
}

/** For a ResourceSet that contains values of Secrets. */
const ALL_SECRET: SecretUse = { inputs: true, touches: () => true };

/** Returns what flows into Secrets or comes from one, computed on demand: only errors need it. */
const secretsOf = (spec: ResourceSetSpec, sets: readonly InputSet[]): (() => SecretUse) =>
  lazily(() =>
    secretUse(
      compileSet(spec, () => {}),
      sets,
    ),
  );

/** Returns input sets for templates, which may change them for later ones: kept if there is more than one. */
function boundTo(inputs: readonly InputSet[], runs: number): Iterable<Bound> {
  if (runs > inputs.length) return inputs.map(bind);
  return {
    *[Symbol.iterator]() {
      for (const set of inputs) yield bind(set);
    },
  };
}

function bind(set: InputSet): Bound {
  const values = toGoMap(set.values);
  return { functions: functionsFor(() => values), set };
}

/** Renders the templates of a step, each for every input set. */
function renderPart(step: TemplateStep, bound: Iterable<Bound>, execution: Execution): Part {
  const rendered: ObjectsByIdentity = new Map();
  for (const template of compileTemplates(step, execution.report) ?? []) {
    for (const one of bound) {
      const objects = execute(template, one, execution);
      if (objects === undefined || execution.isEnough()) break;
      for (const object of objects) addObject(rendered, object, template.path, one, execution);
    }
  }
  return [...rendered.values()];
}

/** Adds an object; the first of one identity stays, and disabled ones are ignored. */
function addObject(
  objects: ObjectsByIdentity,
  object: ValueMap,
  path: Path,
  { set }: Bound,
  { report, secret, disabled, placeOf }: Execution,
): void {
  const fault = metadataFault(object);
  if (fault !== undefined) {
    const { message, hint, field } = fault;
    const about = phrase`${message}${aboutSet(set, secret)}`;
    report({ code: 'rendered-metadata', message: about, hint, path: placeOf(path, field) });
    return;
  }
  const identity = identityOf(object);
  const isDisabled = getAt(object, ['metadata', 'annotations', RECONCILE]) === 'disabled';
  if (isDisabled) disabled.add(identity);
  else if (!objects.has(identity)) objects.set(identity, { object, path, inputs: set });
}

/** Objects with this annotation set to `disabled` are not rendered. */
const RECONCILE = `${GROUP}/reconcile`;

const MAPS = ['labels', 'annotations'] as const;

/** Checks that labels and annotations are strings; a null is an empty string where the map is written again. */
function metadataFault(object: ValueMap): (Pick<Problem, 'message' | 'hint'> & { field: Path }) | undefined {
  const metadata = get(object, 'metadata') ?? null;
  if (metadata !== null && !isMap(metadata)) return { message: phrase`metadata must be a map`, field: ['metadata'] };
  for (const field of ['name', 'namespace', ...MAPS]) {
    const given = get(metadata, field) ?? null;
    const isName = field.startsWith('name');
    const place = ['metadata', field];
    if (!isName && given !== null && !isMap(given))
      return { message: phrase`metadata.${{ field: shown(field) }} must be a map`, field: place };
    for (const [key, value] of isName ? [['', given] as const] : Object.entries(mapOf(given))) {
      if (value === null || typeof value === 'string') continue;
      const where = isName ? phrase`` : phrase`: the value of '${{ key }}'`;
      const message = phrase`metadata.${{ field: shown(field) }}${where} must be a string, it is ${{ value: String(value) }}`;
      const hint = phrase`quotes around an action do not reach the object: pipe its value through quote`;
      const at = isName ? place : [...place, key];
      if (typeof value !== 'boolean') return { message, hint, field: at };
      return {
        message,
        field: at,
        hint: phrase`YAML reads y, n, on, off, yes and no as booleans: put them in quotes; ${hint}`,
      };
    }
  }
  return undefined;
}

/** Reports what every API server rejects in the names and labels of objects. */
function checkObjects(part: Part, { report, isEnough, secret, placeOf }: Execution): void {
  for (const { object, path, inputs } of part) {
    if (isEnough()) return;
    const fault = (
      code: Problem['code'],
      field: Path,
      [value, hidden]: readonly [value: string, hidden: string],
      reason: string | undefined,
    ): void => {
      if (reason === undefined) return;
      const message = phrase`${quote(value, hidden)}: ${{ reason: shown(reason) }}${aboutSet(inputs, secret)}`;
      report({ code, message, path: [...placeOf(path, ['metadata', ...field])] });
    };
    const metadata = get(object, 'metadata');
    const name = textAt(metadata, 'name');
    const namespace = textAt(metadata, 'namespace');
    const kind = textAt(object, 'kind');
    const of = { group: groupVersionKind({ apiVersion: textAt(object, 'apiVersion'), kind }).group, kind };
    if (name !== '') {
      const code = isNewServiceName(of, name) ? 'service-name' : 'object-name';
      const words = [`'${name}' is not a valid name of a ${kind}`, 'a name is not valid'] as const;
      fault(code, ['name'], words, nameFault(of, name));
    }
    if (namespace !== '') {
      const reason = namespaceFault(namespace);
      const words = [`'${namespace}' is not a valid namespace`, 'a namespace is not valid'] as const;
      fault('object-namespace', ['namespace'], words, reason);
    }
    for (const field of MAPS) {
      for (const [key, value] of Object.entries(mapOf(get(metadata, field)))) {
        const text = value === null ? '' : String(value);
        const entry = field === 'labels' ? `'${key}: ${text}'` : `'${key}'`;
        const words = [entry, `one of its ${field} is not valid`] as const;
        fault('object-label', [field, key], words, entryFault(field, key, text));
      }
    }
  }
}

/** Adds the common metadata and the labels with the ResourceSet to objects. */
function finisher({ labels, annotations }: ResourceSetSpec, set: NamespacedName): (object: ValueMap) => ValueMap {
  const own = Object.entries({ ...labels, ...ownerLabels(set.name, set.namespace) });
  const notes = Object.entries(annotations);
  return (object) => {
    const metadata = get(object, 'metadata');
    const result: ValueMap = { ...mapOf(metadata), labels: merged(get(metadata, 'labels'), own) };
    if (notes.length > 0) result.annotations = merged(get(metadata, 'annotations'), notes);
    return { ...object, metadata: result };
  };
}

function merged(own: Value | undefined, over: readonly [string, Value][]): ValueMap {
  const map: ValueMap = {};
  for (const [key, value] of [...Object.entries(mapOf(own)), ...over]) setKey(map, key, value ?? '');
  return map;
}

/** Reports objects that several steps render: one would be applied over the other. */
function rejectDuplicates(
  all: readonly TemplateStep[],
  parts: readonly Part[],
  source: InputObject['source'],
  report: ReportProblem,
): void {
  if (parts.length < 2) return;
  const steps = new Map<string, { step: string; path: Path }>();
  parts.forEach((objects, index) => {
    const step = all[index]?.name ?? '';
    for (const { object, path } of objects) {
      const identity = identityOf(object);
      const earlier = steps.get(identity);
      if (earlier === undefined) steps.set(identity, { step, path });
      else {
        const title = `${String(object.kind)}/${identity.split('/').at(-1)}`;
        const message = phrase`the steps '${{ other: earlier.step }}' and '${{ step }}' both render ${{ object: title }}`;
        const related = [{ message: composeText`renders it first`, source, path: earlier.path }];
        report({ code: 'identity-collision', message, path, related, hint: phrase`remove it from one of them` });
      }
    }
  });
}
