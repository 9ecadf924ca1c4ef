import { phrase } from '../../core/diagnostics/index.ts';
import { formatPath } from '../../core/model/path.ts';
import { isMap, type Path, type Value } from '../../core/model/value.ts';
import type { InputUse } from '../../flux/index.ts';
import type { LintProblem } from './subject.ts';

/** Reports an input of a ResourceSet that no template reads; of many input sets the first one. */
export function* unreadInput({ reads, written }: InputUse): Iterable<LintProblem> {
  const read = reads.flatMap(({ inputs }) => inputs);
  const reported = new Set<string>();
  for (const { path, prefix, values } of written) yield* unreadIn(values, { path, name: [...prefix] }, read, reported);
}

/** `path` is the path of a value in the ResourceSet, `name` that in templates. */
function* unreadIn(
  values: Value,
  { path, name }: { path: Path; name: Path },
  read: readonly Path[],
  reported: Set<string>,
): Iterable<LintProblem> {
  if (!isMap(values)) return;
  for (const [key, value] of Object.entries(values)) {
    const here = { path: [...path, key], name: [...name, key] };
    const called = formatPath(here.name);
    if (read.some((one) => leadsTo(one, here.name))) continue;
    if (read.some((one) => leadsTo(here.name, one))) yield* unreadIn(value, here, read, reported);
    else if (!reported.has(called)) {
      reported.add(called);
      yield {
        message: phrase`no template reads inputs.${called}`,
        path: here.path,
        hint: phrase`remove it, or read it: it changes nothing`,
      };
    }
  }
}

const leadsTo = (short: Path, long: Path): boolean =>
  short.length <= long.length && short.every((step, index) => step === long[index]);
