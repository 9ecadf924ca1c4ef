/** Mistakes that a programmer might make: each replaces a text of a source file, which has to stand there once. */
export interface Fault {
  name: string;
  file: string;
  from: string;
  to: string;
}

export const faults: readonly Fault[] = [
  {
    name: 'skipping a node does not skip what reads it',
    file: 'src/rgd/expand/node.ts',
    from: "if (states.includes('skipped'))",
    to: 'if (false)',
  },
  {
    name: 'objects take no namespace from their instance',
    file: 'src/rgd/expand/finish.ts',
    from: "if (run.namespace !== '') metadata.namespace = run.namespace;",
    to: "if (run.namespace === '?') metadata.namespace = run.namespace;",
  },
  {
    name: 'integers overflow beyond 64 bits only without a sign',
    file: 'src/cel/value/ranges.ts',
    from: 'if (value > MAX_INT || value < MIN_INT)',
    to: 'if (value > MAX_UINT || value < -MAX_UINT)',
  },
  {
    name: 'nodes that are ready together come in another order',
    file: 'src/rgd/compile/order.ts',
    from: 'const least = heap[0];\n  const last = heap.pop();',
    to: 'return heap.pop();\n  const least = heap[0];\n  const last = heap.pop();',
  },
  {
    name: 'the last iterator of a collection is outermost',
    file: 'src/rgd/expand/product.ts',
    from: 'rows.flatMap((row) => list.map((value) => [...row, value]))',
    to: 'list.flatMap((value) => rows.map((row) => [...row, value]))',
  },
  {
    name: 'NotIn wants the label to be there',
    file: 'src/model/label-selector.ts',
    from: 'return !listed;',
    to: 'return value !== undefined && !listed;',
  },
  {
    name: 'maxLength is exclusive',
    file: 'src/validation/scalars.ts',
    from: 'length > max',
    to: 'length >= max',
  },
  {
    name: 'instances get no defaults',
    file: 'src/validation/objects.ts',
    from: 'if (!Object.hasOwn(checked, key)) checkMember',
    to: "if (key === '?') checkMember",
  },
  {
    name: 'optional.ofNonZeroValue keeps zero values',
    file: 'src/cel/library/ext/optionals.ts',
    from: 'isZero(value) ? Optional.none : Optional.of(value)',
    to: 'Optional.of(value)',
  },
  {
    name: 'distinct keeps every item',
    file: 'src/cel/library/ext/lists.ts',
    from: 'if (seen.has(item)) return false;',
    to: 'if (seen.has(item)) return true;',
  },
];
