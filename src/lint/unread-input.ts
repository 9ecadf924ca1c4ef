import { formatPath } from '../model/path.ts';
import { isMap, type Path, type Value } from '../model/value.ts';
import type { InputUse } from '../resourceset/index.ts';
import type { Finding } from './subject.ts';

/** An input that is written in a ResourceSet and that no template reads; of many input sets the first one is told. */
export function* unreadInput({ reads, written }: InputUse): Iterable<Finding> {
  const read = reads.flatMap(({ inputs }) => inputs);
  const told = new Set<string>();
  for (const { path, prefix, values } of written) yield* unreadIn(values, { path, name: [...prefix] }, read, told);
}

/** `path` leads to a value in the ResourceSet, `name` in templates. */
function* unreadIn(
  values: Value,
  { path, name }: { path: Path; name: Path },
  read: readonly Path[],
  told: Set<string>,
): Iterable<Finding> {
  if (!isMap(values)) return;
  for (const [key, value] of Object.entries(values)) {
    const here = { path: [...path, key], name: [...name, key] };
    const called = formatPath(here.name);
    if (read.some((one) => leadsTo(one, here.name))) continue;
    if (read.some((one) => leadsTo(here.name, one))) yield* unreadIn(value, here, read, told);
    else if (!told.has(called)) {
      told.add(called);
      yield {
        message: `no template reads inputs.${called}`,
        path: here.path,
        hint: 'remove it, or read it: it changes nothing',
      };
    }
  }
}

const leadsTo = (short: Path, long: Path): boolean =>
  short.length <= long.length && short.every((step, index) => step === long[index]);
