/** The Kubernetes regex library (https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-regex-library). */
import type { RE2JS } from 're2js';
import { type Library, matching, method } from '../../library.ts';
import { compileRegex, matchWork } from '../../regex.ts';
import { INT, listOf, STRING } from '../../types.ts';
import { rephrased } from '../../value/attempt.ts';

const compile = (pattern: string): RE2JS =>
  rephrased(
    () => compileRegex(pattern),
    (message) => `Illegal regex: ${message}`,
  );

function find(text: string, pattern: string): string {
  const matcher = compile(pattern).matcher(text);
  return matcher.find() ? (matcher.group() ?? '') : '';
}

/**
 * Up to `limit` matches from the left, all for a negative limit. As in Go, an empty match right behind a match does
 * not count.
 */
function findAll(text: string, pattern: string, limit = -1n): string[] {
  const matcher = compile(pattern).matcher(text);
  const found: string[] = [];
  let end = -1;
  while ((limit < 0n || BigInt(found.length) < limit) && matcher.find()) {
    const empty = matcher.start() === matcher.end();
    if (!empty || matcher.start() !== end) found.push(matcher.group() ?? '');
    end = matcher.end();
  }
  return found;
}

/** Each match may have looked ahead to the end of the text. */
const findAllWork = (text: string, pattern: string): number => matchWork(text, pattern) + text.length ** 2 / 256;

const findAllSize = (text: string): number => text.length * 2 + 1;

export const regex: Library = {
  name: 'kubernetes regex',
  overloads: [
    matching(method('find', [STRING, STRING], STRING, find)),
    matching(method('findAll', [STRING, STRING], listOf(STRING), findAll, findAllSize), findAllWork),
    matching(method('findAll', [STRING, STRING, INT], listOf(STRING), findAll, findAllSize), findAllWork),
  ],
};
