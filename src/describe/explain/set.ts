import {
  addressText,
  composeText,
  HIDDEN,
  hiddenTitleOf,
  hiddenTitleOfRendered,
  joinTexts,
  type Text,
  trusted,
} from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { onceFor } from '../../core/model/lazily.ts';
import { isKubeObject, nameOf } from '../../core/model/object.ts';
import { leadsTo } from '../../core/model/read.ts';
import type { Rendered } from '../../core/model/render.ts';
import { SET } from '../../core/model/resource-set.ts';
import { formatPath, getAt, isMap, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import { anyOf, isSecret, type Secrecy, within, withoutSecrets, writtenSecrets } from '../../core/redaction/index.ts';
import type { Location } from '../../core/text/line-index.ts';
import { type ExpandedSet, type InputUse, inputUseOf, templatePlaces } from '../../flux/index.ts';
import { addressOf } from '../address/index.ts';
import type { Origin } from './field.ts';
import type { Verdict } from './node.ts';
import { type Located, type Other, placed } from './package.ts';

/** A ResourceSet: its inputs, and the objects of each template. */
export interface ExplainedSet {
  set: Text;
  verdict: Verdict;
  /** The input sets, in the order of the executions; empty without inputs. */
  inputs: readonly { title: Text; values: ValueMap; place?: Location }[];
  /** The ResourceSetInputProviders that it reads, with their states. */
  providers: readonly { provider: Text; verdict: Verdict; place?: Location }[];
  templates: readonly {
    /** `spec.resources[0]`, `spec.resourcesTemplate`, or the same in a step. */
    field: Text;
    step?: Text;
    place?: Location;
    /** Each with the title of its inputs; '' without inputs. */
    objects: readonly { object: Text; inputs: Text }[];
  }[];
}

type SetObject = ExpandedSet['rendered'][number];

/** Explains an object of a front end without further details in the same shape. */
export function explainOther(
  { object, outcome: { input, rendered, passedThrough } }: Other,
  located: Located,
): ExplainedSet {
  const templates = groupBy(rendered, ({ node }) => node);
  return {
    set: addressOf(object),
    verdict: passedThrough ? 'skipped' : 'included',
    inputs: [],
    providers: [],
    templates: [...templates].map(([field, template]) => ({
      field: trusted.definition(field),
      ...placed(input, template[0]?.template?.path ?? [], located),
      objects: template.map((one) => ({
        object: addressText(one.object, hiddenTitleOfRendered(input)),
        inputs: composeText``,
      })),
    })),
  };
}

/** Returns the origin of a field: the template, as far as it can be traced. */
export function originInOther(
  { object, outcome }: Other,
  { template }: Rendered,
  path: Path,
  located: Located,
): Origin {
  const { input, path: root } = template ?? { input: outcome.input, path: [] };
  const written = [...root, ...path];
  const place = placed(input, getAt(input.object, written) === undefined ? root : written, located);
  return { from: 'template', what: addressText(object, hiddenTitleOfRendered(outcome.input)), ...place, behind: [] };
}

export function explainSet(set: ExpandedSet, located: Located): ExplainedSet {
  const { input, place, inputs, used, missing, passedThrough } = set;
  const names = new Set(missing.map(({ name }) => name));
  const byTemplate = renderedByTemplate(set);
  const secret = inputsOfSecrets(set, inputUseOf(input.object));
  return {
    set: trusted.definition([SET, place.namespace, place.name].join('/')),
    verdict: names.size > 0 ? 'pending' : passedThrough ? 'skipped' : 'included',
    inputs: inputs.map((one) => ({
      title: trusted.definition(one.title),
      values: ownValues(one.values, secret),
      ...at(set, one, located),
    })),
    providers: used.map((one) => ({
      provider: addressText(one.object, hiddenTitleOf(one.secret)),
      verdict: names.has(nameOf(one.object)) ? 'pending' : 'included',
      ...placed(one, [], located),
    })),
    templates: templatePlaces(input.object).map(({ path, step }) => ({
      field: trusted.field(path),
      ...(step === undefined ? {} : { step: trusted.definition(step) }),
      ...placed(input, path, located),
      objects: (byTemplate.get(formatPath(path)) ?? []).flatMap(({ object, inputs }) => {
        if (!isKubeObject(object)) return [];
        const title = trusted.definition(inputs?.title ?? '');
        return { object: addressText(object, hiddenTitleOfRendered(input)), inputs: title };
      }),
    })),
  };
}

/** Returns the written values, without those of the operator, and without those that flow into Secrets. */
function ownValues({ provider: _, ...values }: ValueMap, secret: Secrecy): ValueMap {
  const shown = withoutSecrets(values, secret, HIDDEN);
  return isMap(shown) ? shown : Object.fromEntries(Object.keys(values).map((name) => [name, HIDDEN]));
}

function renderedByTemplate({ rendered }: ExpandedSet): ReadonlyMap<string, readonly SetObject[]> {
  // The objects of one template share its path, so its text is computed once.
  const textOf = onceFor((path: Path) => formatPath(path));
  return groupBy(rendered, ({ path }) => textOf(path));
}

/** Returns the parts of inputs that flow into Secrets. */
function inputsOfSecrets(set: ExpandedSet, use: InputUse | undefined): Secrecy {
  if (set.input.secret !== undefined) return true;
  if (use === undefined) return false;
  const byTemplate = renderedByTemplate(set);
  return use.secretIn(set.inputs, (template) => {
    const rendered = byTemplate.get(formatPath(template));
    return rendered && anyOf(rendered.map(({ object }) => writtenSecrets(object, 'object')));
  });
}

/** Returns the locations of inputs in the ResourceSet, or the providers of inputs. */
function at(
  { input, used }: ExpandedSet,
  { index, provider }: ExpandedSet['inputs'][number],
  located: Located,
  name: Path = [],
): { place?: Location } {
  if (index === undefined) return {};
  if (provider !== undefined) {
    const found = used.find(({ object }) => nameOf(object) === provider);
    return found === undefined ? {} : placed(found, [], located);
  }
  const path = ['spec', 'inputs', index, ...name];
  return getAt(input.object, path) === undefined ? {} : placed(input, path, located);
}

/** Returns the origin of a field of an object of a ResourceSet: the template, and its inputs. */
export const originInSet = (set: ExpandedSet, rendered: SetObject, path: Path, located: Located): Origin =>
  commonOrigin(set, path, located) ?? templateOrigin(set, rendered, path, located);

/** Returns the origin of labels and annotations that every object of a ResourceSet gets. */
function commonOrigin(set: ExpandedSet, path: Path, located: Located): Origin | undefined {
  const [metadata, field, key] = path;
  if (metadata !== 'metadata' || typeof key !== 'string') return undefined;
  const title = composeText`${SET}/${trusted.definition(set.place.name)}`;
  if (field === 'labels' && /^resourceset\.fluxcd\.controlplane\.io\/name(?:space)?$/.test(key)) {
    return { from: 'renderer', what: composeText`an object of ${title}`, behind: [] };
  }
  const common: Path = ['spec', 'commonMetadata', field as string, key];
  if (getAt(set.input.object, common) === undefined) return undefined;
  const what = composeText`${title}, ${trusted.field(common)}`;
  return { from: 'literal', what, ...placed(set.input, common, located), behind: [] };
}

function templateOrigin(set: ExpandedSet, rendered: SetObject, path: Path, located: Located): Origin {
  const { input, place } = set;
  const { path: template, inputs } = rendered;
  const isHidden = isSecret(writtenSecrets(rendered.object, 'object'), path);
  let length = path.length;
  while (length > 0 && getAt(input.object, [...template, ...path.slice(0, length)]) === undefined) length -= 1;
  const field = [...template, ...path.slice(0, length)];
  const written = getAt(input.object, field);
  const of = inputs === undefined ? '' : composeText`, of ${trusted.definition(inputs.title)}`;
  const what = composeText`${SET}/${trusted.definition(place.name)}, ${trusted.field(field)}${of}`;
  const here = { what, ...placed(input, field, located) };
  // The text of documents is too long to print; a map comes from several texts.
  const isText = typeof written === 'string' && field.at(-1) !== 'resourcesTemplate';
  if (isText && !written.includes('<<')) return { from: 'literal', ...here, behind: [] };
  const source = isText && (isHidden ? HIDDEN : trusted.definition(written));
  const expression = source !== false && { field: trusted.field(field), hidden: isHidden, source, parts: [] };
  const behind = inputs === undefined ? [] : inputsBehind(set, inputs, template, path, isHidden, located);
  const from = behind.length === 0 && !isText && !holdsAction(written) ? 'literal' : 'template';
  return { from, ...here, ...(expression && { expression }), behind };
}

const holdsAction = (value: Value | undefined): boolean =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).some(([key, one]) => key.includes('<<') || holdsAction(one))
    : String(value).includes('<<');

/** Returns the origins of the inputs that are read for a field, or for a parent of it. */
function inputsBehind(
  set: ExpandedSet,
  inputs: ExpandedSet['inputs'][number],
  template: Path,
  path: Path,
  isHidden: boolean,
  located: Located,
): Origin[] {
  const use = inputUseOf(set.input.object);
  const secret = isHidden || inputsOfSecrets(set, use);
  const isOnWay = (field: Path): boolean => leadsTo(field.slice(0, path.length), path);
  const found = (use?.reads ?? []).filter(
    (one) => formatPath(one.template) === formatPath(template) && isOnWay(one.field),
  );
  const names = new Map(found.map((read) => [formatPath(read.path), read.path]));
  return [...names.values()].flatMap((name): Origin[] => {
    const given = getAt(inputs.values, name);
    if (given === undefined) return [];
    const what = joinTexts([trusted.definition(inputs.title), ...(name.length > 0 ? [trusted.field(name)] : [])], ', ');
    const value = withoutSecrets(
      name.length === 0 ? ownValues(inputs.values, secret) : given,
      within(secret, name),
      HIDDEN,
    );
    return [{ from: 'input', what, ...at(set, inputs, located, name), value, behind: [] }];
  });
}
