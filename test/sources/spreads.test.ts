import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { describe, expect, it } from 'vitest';

/**
 * Arguments of a call are on the stack, so a list as long as the input ends the program. These calls have a bounded
 * number of arguments.
 */
const BOUNDED: readonly [file: string, call: string, why: string][] = [
  ['authoring/rules/read.ts', 'fail', 'a tuple'],
  ['cli/test/update.ts', 'reports.push', 'one report for a file'],
  ['core/model/label-selector.ts', 'fault', 'a path of at most three steps'],
  ['kro/compile/cached.ts', 'context.onExpression', 'a tuple'],
  ['kro/compile/cached.ts', 'onExpression', 'a tuple'],
  ['kro/compile/rgd.ts', 'onExpression', 'a tuple'],
  ['kubernetes/validation/native/claims.ts', 'oneOf', 'values of a table'],
  ['kubernetes/validation/native/jobs.ts', 'missing', 'a path that is written out'],
  ['kubernetes/validation/native/jobs.ts', 'refuse', 'a path that is written out'],
  ['kubernetes/validation/native/service.ts', 'refuse', 'a path that is written out'],
  ['kubernetes/validation/native/rule.ts', 'refuse', 'one field'],
  ['kubernetes/validation/native/volumes.ts', 'oneOf', 'values of a table'],
  ['kubernetes/validation/native/volumes.ts', 'required', 'fields of a table'],
  ['languages/cel/library/kubernetes/format-rules.ts', 'faults.push', 'one fault for each rule of a name'],
  ['languages/cel/plan/calls.ts', 'overload.call', 'as many as the overload has parameters'],
  ['languages/cel/plan/calls.ts', 'overload.pattern', 'as many as the overload has parameters'],
  ['languages/cel/plan/calls.ts', 'overload.size', 'as many as the overload has parameters'],
  ['languages/cel/plan/calls.ts', 'overload.work', 'as many as the overload has parameters'],
  ['languages/cel/value/order.ts', 'order', 'a pair'],
  ['languages/gotemplate/bytes.ts', 'String.fromCharCode', 'chunks of a fixed length'],
  ['languages/gotemplate/run/methods.ts', 'call', 'as many as the method has parameters'],
  ['yaml/edit/annotations.ts', 'edits.push', 'one edit'],
];

/** Returns the calls of a file that spread a list into their arguments, or apply a function to one. */
function spreadsIn(file: string): string[] {
  // Spans count bytes from the first statement on.
  const text = `0;${readFileSync(file, 'utf8')}`;
  const bytes = Buffer.from(text);
  const found: string[] = [];
  const root = parseSync(text, { syntax: 'typescript', target: 'esnext' });
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const one of node) walk(one);
      return;
    }
    if (typeof node !== 'object' || node === null) return;
    const { type, arguments: given, callee } = node as Record<string, unknown>;
    if ((type === 'CallExpression' || type === 'NewExpression') && Array.isArray(given)) {
      const { property, span } = callee as { property?: { value?: unknown }; span: { start: number; end: number } };
      const isSpread = given.some(({ spread }) => spread !== null && spread !== undefined);
      const name = (): string => bytes.subarray(span.start - root.span.start, span.end - root.span.start).toString();
      if (isSpread || property?.value === 'apply') found.push(name());
    }
    for (const value of Object.values(node)) walk(value);
  };
  walk(root);
  return found;
}

describe('arguments of calls', () => {
  it('are not spread from lists of the input', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const found = files.sort().flatMap((file) => spreadsIn(join('src', file)).map((call) => `${file}: ${call}`));
    expect([...new Set(found)].sort()).toEqual(BOUNDED.map(([file, call]) => `${file}: ${call}`).sort());
  });
});
