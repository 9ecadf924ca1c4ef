import {
  type Collector,
  fullTitle,
  HIDDEN,
  type Message,
  phrase,
  reporterFor,
  type Text,
  told,
} from '../../core/diagnostics/index.ts';
import { withoutBookkeeping } from '../../core/model/bookkeeping.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { OBSERVED } from '../../core/model/keys.ts';
import {
  annotated,
  type Document,
  fullTitleOf,
  groupVersionKind,
  type InputObject,
  identityOf,
  isObserved,
  type KubeObject,
  nameOf,
  namespaceOf,
  titleOf,
} from '../../core/model/object.ts';
import { type NeededFields, trimmed } from '../../core/model/read.ts';
import type { RenderInput } from '../../core/model/render.ts';
import { get, isMap, type ValueMap } from '../../core/model/value.ts';
import { enumerated } from '../../core/text/clip.ts';
import {
  distinct,
  type LiveRead,
  type ObjectName,
  type PendingValue,
  type Surveyed,
} from '../../kubernetes/front-end/index.ts';
import { getCommand, getLine, shellWord } from '../../kubernetes/kubectl/index.ts';
import { flattenObjects } from '../../yaml/parse/index.ts';

/** Returns the objects in the output of kubectl, lists flattened. */
export function liveObjects(inputs: readonly Document[], reports: Collector): InputObject[] {
  const objects = distinct(flattenObjects(inputs, reports)).filter((input) => !isAnswer(input, reports));
  const known = new Set<string>();
  return objects.filter((input) => {
    const key = identityOf(input.object);
    if (!known.has(key)) return known.add(key);
    const message = phrase`${{ object: titleOf(input.object) }} is a duplicate with different contents`;
    reporterFor(input, reports).report({ code: 'observed-twice', message, path: ['metadata', 'name'] });
    return false;
  });
}

function isAnswer(input: InputObject, reports: Collector): boolean {
  const { group, kind } = groupVersionKind(input.object);
  const isStatus = group === '' && kind === 'Status';
  if (!isStatus && !(group === 'meta.k8s.io' && kind === 'Table')) return false;
  const text = get(input.object, 'message');
  const message = isStatus
    ? phrase`expected an object, got an answer of the API server: ${typeof text === 'string' ? text : phrase`a Status`}`
    : phrase`this is a table, not objects; use kubectl get -o yaml`;
  reporterFor(input, reports).report({ code: 'observed-answer', message, path: ['kind'] });
  return true;
}

export function withLive(input: RenderInput, { live, earlier }: Observation, reports: Collector): RenderInput {
  const known = new Set(live.map(keyOf));
  const isNew = (one: InputObject): boolean => !known.has(keyOf(one));
  const observed = [...live, ...earlier.filter(isNew)];
  for (const one of observed) known.add(keyOf(one));
  const objects = flattenObjects(input.objects, reports);
  return {
    ...input,
    objects: objects.filter((one) => !isObserved(one.object) || isNew(one)),
    observed: [...observed, ...flattenObjects(input.observed ?? [], reports).filter(isNew)],
  };
}

const keyOf = ({ object }: InputObject): string => identityOf(object);

/** Live objects, and those of an earlier observation that are kept if there is no newer one. */
interface Observation {
  live: readonly InputObject[];
  earlier: readonly InputObject[];
}

/** The number of named objects; the others are counted. */
const NAMED = 8;

function reportUnread(unread: readonly InputObject[], missing: readonly ObjectName[], reports: Collector): void {
  const left: Text[] = [];
  const keyOf = ({ kind }: { kind: string }, name: string | undefined): string | undefined =>
    name === undefined ? undefined : `${kind}/${name}`;
  const wanted = groupBy(missing, (one) => keyOf(one, one.name));
  for (const input of unread) {
    const { object } = input;
    const alike = wanted.get(keyOf(object, nameOf(object)) ?? '') ?? [];
    const fault = alike.map((one) => mismatch(object, one)).find((found) => found !== undefined);
    if (fault === undefined) left.push(fullTitle(input.object, false));
    else reporterFor(input, reports).report({ code: 'observed-mismatch', path: [], ...fault });
  }
  if (left.length === 0) return;
  const message = told`nothing reads ${{ objects: enumerated(left, NAMED) }}: omitted`;
  reports.add({ code: 'observed-unread', ...message, path: [], severity: 'info' });
}

/** Returns why a live object is not one that the package reads, of the same kind and name. */
function mismatch(live: KubeObject, target: ObjectName): { message: Message; hint?: Message } | undefined {
  const { group, kind } = groupVersionKind(live);
  if (group !== groupVersionKind(target).group) {
    if (namespaceOf(live) !== target.namespace) return undefined;
    const message = phrase`${{ object: titleOf(live) }} is of ${{ apiVersion: live.apiVersion }}, the package reads the one of ${{ expected: target.apiVersion }}`;
    const command = getCommand(target);
    return command === undefined ? { message } : { message, hint: phrase`ask for it by its group: ${command}` };
  }
  if (namespaceOf(live) === '' && target.namespace !== '') {
    const message = phrase`${{ object: titleOf(live) }} has no namespace, the package reads the one in '${{ namespace: target.namespace }}'`;
    return {
      message,
      hint: phrase`--cluster-scoped ${shellWord(`${kind}.${group}`)} says that the kind has no namespaces`,
    };
  }
  return undefined;
}

/** Returns the fields that a package reads of live objects, sorted; values of Secrets need `allowSecrets`. */
export function observedObjects(
  survey: readonly Surveyed[],
  { live, earlier }: Observation,
  allowSecrets: boolean,
  reports: Collector,
): KubeObject[] {
  const reads = survey.map((one) => one.reads());
  const identity = reads.find((one) => one.identityOf !== undefined)?.identityOf ?? identityOf;
  const keyIn = ({ object }: InputObject): string => identity(object);
  const byKey = new Map([...earlier, ...live].map((input) => [keyIn(input), input]));
  const marked = new Set([...earlier, ...live].filter(({ object }) => isObserved(object)).map(keyIn));
  const objects: KubeObject[] = [];
  const unread: InputObject[] = [];
  for (const [key, input] of byKey) {
    const found = reads.flatMap((one) => one.of(input.object) ?? []);
    const object = observedPart(input.object, found);
    if (object === undefined) {
      unread.push(input);
      continue;
    }
    if (allowSecrets || !hasSecretValues(object)) {
      objects.push(marked.has(key) ? annotated(object, { [OBSERVED]: 'true' }) : object);
    } else reportSecret(input, reports);
    for (const { as } of found) if (as !== undefined) reportVersion(input, as, reports);
  }
  const missing = reads.flatMap((one) => one.missing);
  reportUnread(unread, missing, reports);
  const sortKey = (object: KubeObject): string => {
    const { group, kind } = groupVersionKind(object);
    return [group, kind, namespaceOf(object), nameOf(object)].join('\0');
  };
  return objects.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

/** Returns the read part of an object; `undefined` if it is empty, or if the package contains it all. */
function observedPart(live: KubeObject, reads: readonly LiveRead[]): KubeObject | undefined {
  const needed: NeededFields[] = reads.flatMap((one) => one.needed);
  if (needed.length === 0) return undefined;
  const object = withoutBookkeeping(live);
  const { managedFields: _, ...metadata } = isMap(object.metadata) ? object.metadata : {};
  const part = trimmed(isMap(object.metadata) ? { ...object, metadata } : object, needed) as ValueMap;
  const identity: ValueMap = { name: nameOf(object) };
  if (namespaceOf(object) !== '') identity.namespace = namespaceOf(object);
  const { apiVersion, kind } = object;
  return { ...part, apiVersion, kind, metadata: { ...identity, ...(isMap(part.metadata) ? part.metadata : {}) } };
}

function hasSecretValues(object: KubeObject): boolean {
  const { group, kind } = groupVersionKind(object);
  return group === '' && kind === 'Secret' && ['data', 'stringData'].some((key) => Object.hasOwn(object, key));
}

function reportSecret(input: InputObject, reports: Collector): void {
  const message = phrase`an expression reads values of ${{ object: titleOf(input.object) }}, which would be written in plain text`;
  const hint = phrase`--allow-secrets allows it; better let the workload refer to the Secret`;
  reporterFor(input, reports).report({ code: 'observed-secret', message, path: [], hint });
}

function reportVersion(input: InputObject, target: ObjectName, reports: Collector): void {
  if (input.object.apiVersion === target.apiVersion) return;
  const message = phrase`the version is ${{ apiVersion: input.object.apiVersion }}, the package has ${{ expected: target.apiVersion }}: fields may differ`;
  const command = getCommand(target);
  reporterFor(input, reports).report({
    code: 'observed-version',
    message,
    path: ['apiVersion'],
    severity: 'warning',
    hint: command === undefined ? undefined : phrase`${command} gives the other one`,
  });
}

/** Returns shell commands that print every pending object as a stream of YAML documents. */
export function kubectlCommands(values: readonly PendingValue[]): string {
  const lines = values.map(({ object }) => `${getLine(object)}\n`);
  return [...new Set(lines)].join('echo ---\n');
}

/** Returns the pending values by object, each with its readers, followed by alternative references. */
export function awaitedText(values: readonly PendingValue[], width = Number.POSITIVE_INFINITY): string {
  if (values.length === 0) return 'nothing is pending\n';
  const objects = groupBy(values, ({ object }) => fullTitleOf({ ...object, name: nameShown(object) }));
  const lines = [...objects].flatMap(([title, ofObject]) => [
    ...wrap(onOneLine(title), '', width),
    ...[...groupBy(ofObject, pathOf)].flatMap(([path, readers]) => [
      ...wrap(onOneLine(path), '  ', width),
      ...readers.flatMap((reader) => wrap(onOneLine(readerText(reader)), '    ', width)),
    ]),
  ]);
  return [...lines, ...alternatives(values, width)].map((line) => `${line}\n`).join('');
}

const UNNAMED = '(not known yet)';

const nameShown = ({ name, secret, selector }: PendingValue['object']): string =>
  selector === undefined ? (name ?? (secret ? HIDDEN : UNNAMED)) : `(${selector || 'all'})`;

const pathOf = ({ path, optional }: PendingValue): string =>
  `${path === '' ? '(the object)' : path}${optional ? ' (optional)' : ''}`;

function readerText({ instance, node, field, expression }: PendingValue): string {
  const reader = `${fullTitleOf(instance)} node ${node} ${field}`;
  return expression === '' ? reader : `${reader}: ${expression}`;
}

function alternatives(values: readonly PendingValue[], width: number): string[] {
  const found = values.flatMap(({ instance, node, field, alternative }) => {
    if (alternative === undefined) return [];
    return [`${instance.kind} node ${node}: ${alternative.field}: ${alternative.value} in place of ${field}`];
  });
  if (found.length === 0) return [];
  const heading = wrap('These values can be replaced by a reference that the kind accepts:', '', width);
  return ['', ...heading, ...[...new Set(found)].flatMap((line) => wrap(onOneLine(line), '  ', width))];
}

/** Expressions may contain any characters, including line breaks and control characters. */
const onOneLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ');

const NARROWEST = 20;

/** Wraps a text into lines of at most `width` characters; those after the first are indented by two more columns. */
function wrap(text: string, indentation: string, width: number): string[] {
  const limit = Math.max(width, NARROWEST);
  const lines: string[] = [];
  let line = indentation;
  let isEmpty = true;
  const breakLine = (): void => {
    lines.push(line.trimEnd());
    line = `${indentation}  `;
    isEmpty = true;
  };
  for (const word of text.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > limit) breakLine();
    let rest = isEmpty ? word : ` ${word}`;
    while (line.length + rest.length > limit) {
      const remaining = limit - line.length;
      line += rest.slice(0, remaining);
      rest = rest.slice(remaining);
      breakLine();
    }
    line += rest;
    isEmpty = false;
  }
  return [...lines, line.trimEnd()];
}
