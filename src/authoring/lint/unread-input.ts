import { phrase } from '../../core/diagnostics/index.ts';
import { formatPath } from '../../core/model/path.ts';
import type { InputUse } from '../../flux/index.ts';
import type { LintProblem } from './subject.ts';
import { readsBelow, unreadIn } from './unread.ts';

/** Reports an input of a ResourceSet that no template reads; of many input sets the first one. */
export function* unreadInput({ reads, written }: InputUse): Iterable<LintProblem> {
  const paths = reads.map(({ path }) => path);
  const reported = new Set<string>();
  for (const { path, prefix, values } of written) {
    for (const unread of unreadIn(values, readsBelow(prefix, paths))) {
      const name = formatPath([...prefix, ...unread]);
      if (reported.has(name)) continue;
      reported.add(name);
      yield {
        message: phrase`no template reads inputs.${name}`,
        path: [...path, ...unread],
        hint: phrase`remove it, or read it: it changes nothing`,
      };
    }
  }
}
