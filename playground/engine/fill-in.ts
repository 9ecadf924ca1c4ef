import { type PendingValue, pending, toYaml } from '../../src/api/index.ts';
import { toPlain } from '../../src/api/plain.ts';
import { readSources } from '../../src/api/sources.ts';
import type { JsonValue, ObjectSource } from '../../src/api/types.ts';
import { Collector } from '../../src/core/diagnostics/index.ts';
import { parsePath } from '../../src/describe/explain/index.ts';
import { inputOf, optionsOf, valueIn } from './package.ts';
import type { Package, PackageFile, PendingRow } from './protocol.ts';

const OBSERVED = 'observed.yaml';

/** Returns the pending values of the instances. */
export function pendingRows(pack: Package): {
  values: PendingRow[];
  diagnostics: ReturnType<typeof pending>['diagnostics'];
} {
  const { values, diagnostics } = pending(inputOf(pack), optionsOf(pack));
  return { values: values.map((value) => ({ ...value, reader: titleOf(value.object) })), diagnostics };
}

const titleOf = ({ kind, namespace, name }: PendingValue['object']): string =>
  [kind, ...(namespace ? [namespace] : []), name ?? '?'].join('/');

/**
 * Returns the file of observed objects with one more value. `value` is YAML: `203.0.113.7`, `true`, `{a: b}`.
 * @throws Error if the value has no known object
 */
export function filledIn(pack: Package, row: number, value: string): PackageFile {
  const awaited = pendingRows(pack).values[row];
  if (awaited === undefined) throw new Error('this value is not awaited any more');
  const { apiVersion, kind, name, namespace } = awaited.object;
  if (name === undefined) throw new Error('the name of the object is not known yet: fill in what it waits for first');
  const path = parsePath(awaited.path === '' || awaited.path.startsWith('[') ? awaited.path : `.${awaited.path}`);
  if (path === undefined) throw new Error(`${awaited.path} stands for many fields: write the observed object yourself`);
  const file = pack.files.find((one) => one.role === 'observed') ?? { name: OBSERVED, text: '', role: 'observed' };
  const objects = objectsIn(file);
  const identity = { apiVersion, kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } };
  const at = objects.findIndex((object) => isSame(object, identity));
  if (at < 0) {
    const added = withValue(identity, path, parsedValue(value)) as ObjectSource;
    const before = file.text === '' || file.text.endsWith('\n') ? file.text : `${file.text}\n`;
    return { ...file, text: `${before}${before === '' ? '' : '---\n'}${toYaml([added])}` };
  }
  objects[at] = withValue(objects[at], path, parsedValue(value)) as ObjectSource;
  return { ...file, text: toYaml(objects) };
}

const objectsIn = ({ name, text }: PackageFile): ObjectSource[] =>
  readSources([{ file: name, text }], 'observed', false, new Collector()).map(
    ({ object }) => toPlain(object) as unknown as ObjectSource,
  );

const parsedValue = (text: string): JsonValue => {
  try {
    const { value = '' } = valueIn({ file: 'value', text: `value: ${text}` }) as { readonly value?: JsonValue };
    return value;
  } catch {
    return text;
  }
};

interface Identity {
  readonly kind?: string | undefined;
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
}

const isSame = (a: Identity, b: Identity): boolean =>
  a.kind === b.kind && a.metadata?.name === b.metadata?.name && a.metadata?.namespace === b.metadata?.namespace;

/** Returns a copy of a value with another value at one path; missing lists and maps are created. */
function withValue(target: unknown, [step, ...rest]: readonly (string | number)[], value: JsonValue): unknown {
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const list = Array.isArray(target) ? [...target] : [];
    while (list.length < step) list.push({});
    list[step] = withValue(list[step], rest, value);
    return list;
  }
  const map = typeof target === 'object' && target !== null && !Array.isArray(target) ? target : {};
  const inner = Object.hasOwn(map, step) ? (map as Record<string, unknown>)[step] : undefined;
  return { ...map, [step]: withValue(inner, rest, value) };
}
