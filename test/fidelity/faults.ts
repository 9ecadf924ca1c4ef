/** Programming errors: each replaces a text of a source file, which must occur there once. */
export interface Fault {
  name: string;
  file: string;
  from: string;
  to: string;
}

export const faults: readonly Fault[] = [
  {
    name: 'skipping a node does not skip its dependents',
    file: 'src/kro/expand/runs.ts',
    from: "if (node.kind !== 'frame' && states.includes('skipped'))",
    to: 'if (false)',
  },
  {
    name: 'objects do not inherit the namespace of their instance',
    file: 'src/kro/expand/finish.ts',
    from: "if (run.namespace !== '') metadata.namespace = run.namespace;",
    to: "if (run.namespace === '?') metadata.namespace = run.namespace;",
  },
  {
    name: 'integers overflow beyond 64 bits only without a sign',
    file: 'src/languages/cel/value/values.ts',
    from: "if (!isInt64(value)) throw fixedFailure('integer overflow')",
    to: "if (value > MAX_UINT64 || value < -MAX_UINT64) throw fixedFailure('integer overflow')",
  },
  {
    name: 'independent nodes have another order',
    file: 'src/core/model/order.ts',
    from: 'for (let next = ready.pop(); next !== undefined; next = ready.pop())',
    to: 'for (let next = ready.shift(); next !== undefined; next = ready.shift())',
  },
  {
    name: 'the last iterator of a collection is outermost',
    file: 'src/kro/expand/make.ts',
    from: 'rows.flatMap((row) => list.map((value) => [...row, value]))',
    to: 'list.flatMap((value) => rows.map((row) => [...row, value]))',
  },
  {
    name: 'NotIn requires the label',
    file: 'src/core/model/label-selector.ts',
    from: 'NotIn: !isListed,',
    to: 'NotIn: isThere && !isListed,',
  },
  {
    name: 'maxLength is exclusive',
    file: 'src/kubernetes/validation/scalars.ts',
    from: 'length > maxLength',
    to: 'length >= maxLength',
  },
  {
    name: 'instances get no defaults',
    file: 'src/kubernetes/validation/check.ts',
    from: 'if (!Object.hasOwn(checked, key)) this.#putOpen',
    to: "if (key === '?') this.#putOpen",
  },
  {
    name: 'optional.ofNonZeroValue keeps zero values',
    file: 'src/languages/cel/library/optionals.ts',
    from: 'isZero(value) ? Optional.none : Optional.of(value)',
    to: 'Optional.of(value)',
  },
  {
    name: 'distinct keeps every item',
    file: 'src/languages/cel/library/lists.ts',
    from: 'if (seen.has(item)) return false;',
    to: 'if (seen.has(item)) return true;',
  },
];
