import { type Collector, phrase, reporterFor } from '../../core/diagnostics/index.ts';
import { groupKind, groupVersionKind } from '../../core/model/object.ts';
import { orderWithCycles } from '../../core/model/order.ts';
import { shownPath } from '../../core/text/clip.ts';
import type { Definition } from '../definition/index.ts';

/** Returns RGDs in the order of compilation; a cycle of RGDs is an error of each of them. */
export function compileOrder(
  definitions: readonly Definition[],
  broken: Set<string>,
  reports: Collector,
): readonly Definition[] {
  const indexOf = new Map(definitions.map((definition, index) => [groupKind(definition), index]));
  const uses = definitions.map((definition) => [
    ...new Set(usedKinds(definition).flatMap((kind) => indexOf.get(kind) ?? [])),
  ]);
  const { order, cycles } = orderWithCycles(uses, MAX_CYCLES);
  for (const cycle of cycles) {
    const names = shownPath(cycle.map((index) => definitions[index]?.name ?? ''));
    for (const index of new Set(cycle)) {
      const definition = definitions[index] as Definition;
      broken.add(groupKind(definition));
      const message = phrase`RGDs that render each other's kinds cannot be compiled: ${{ cycle: names }}`;
      reporterFor(definition.input, reports).report({ code: 'rgd-cycle', message, path: ['spec', 'resources'] });
    }
  }
  return order.map((index) => definitions[index] as Definition);
}

/** The maximum number of cycles; each causes at least two errors. */
const MAX_CYCLES = 500;

function usedKinds(definition: Definition): string[] {
  return definition.nodes.flatMap(({ template, externalRef }) => {
    const { apiVersion, kind } = template ?? externalRef ?? {};
    if (typeof apiVersion !== 'string' || typeof kind !== 'string') return [];
    return [groupKind(groupVersionKind({ apiVersion, kind }))];
  });
}
