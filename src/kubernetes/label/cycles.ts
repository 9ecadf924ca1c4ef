import { phrase } from '../../core/diagnostics/index.ts';
import { identityOf, type KubeObject, titleOf } from '../../core/model/object.ts';
import type { Group, Lines } from './lines.ts';
import type { Ordered } from './ordered.ts';
import { inOrder, type Step } from './waves.ts';

/** Reports groups that depend on themselves, each once, because no order is possible. */
export function reportCycles(objects: readonly Ordered[], lines: Lines): void {
  if (lines.all.length === 0) return;
  const indexes = new Map(objects.map(({ object }, index) => [identityOf(object), index]));
  const lineAt = new Map(lines.all.map((line, index) => [line, objects.length + index]));
  const indexOf = (object: KubeObject): number[] => {
    const line = lines.endOf(object);
    const index = line === undefined ? indexes.get(identityOf(object)) : lineAt.get(line);
    return index === undefined ? [] : [index];
  };
  const step = (after: readonly number[]): Step => ({ own: undefined, after });
  const steps = [
    ...objects.map(({ object, dependencies }) => {
      const own = lines.before(object);
      return step([...dependencies.flatMap(indexOf), ...(own === undefined ? [] : [lineAt.get(own) as number])]);
    }),
    ...lines.all.map(({ objects: before, lines: ends, previous }) =>
      step([...before.flatMap(indexOf), ...[...ends, previous ?? []].flat().map((line) => lineAt.get(line) as number)]),
    ),
  ];
  const reported = new Set<Group>();
  inOrder(steps, (cycle) => {
    const groups = new Set(cycle.flatMap((index) => lines.all[index - objects.length]?.group ?? []));
    const [first] = groups;
    if (first === undefined || reported.has(first)) return;
    reported.add(first);
    const titles = [...groups].map(({ object }) => titleOf(object));
    const others = titles.slice(1).join(', ');
    const message =
      others === '' ? phrase`its objects depend on themselves` : phrase`it depends on itself, through ${others}`;
    const hint = phrase`remove an entry of spec.dependsOn, or move objects to an earlier step`;
    first.report({ code: 'order-cycle', message, path: ['spec'], hint });
  });
}
