/** The Kubernetes regex library (https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-regex-library). */
import type { RE2JS } from 're2js';
import { type Library, matching, method } from '../library.ts';
import { type Charge, compileRegex, firstMatch, matchesOf } from '../regex.ts';
import { INT, listOf, STRING } from '../types.ts';
import { within } from '../value/values.ts';

const compile = (pattern: string): RE2JS => within('Illegal regex: ', () => compileRegex(pattern));

function find(charge: Charge, text: string, pattern: string): string {
  return firstMatch(compile(pattern), text, charge)?.group(0) ?? '';
}

/** Returns up to `limit` matches from the left, all for a negative limit. */
function findAll(charge: Charge, text: string, pattern: string, limit = -1n): string[] {
  const found: string[] = [];
  if (limit === 0n) return found;
  for (const { start, end } of matchesOf(compile(pattern), text, charge)) {
    found.push(text.slice(start, end));
    if (BigInt(found.length) === limit) break;
  }
  return found;
}

const FIND_ALL = { size: (text: string): number => text.length * 2 + 1 };

export const regex: Library = {
  name: 'kubernetes regex',
  overloads: [
    matching(method, 'find', [STRING, STRING], STRING, find),
    matching(method, 'findAll', [STRING, STRING], listOf(STRING), findAll, FIND_ALL),
    matching(method, 'findAll', [STRING, STRING, INT], listOf(STRING), findAll, FIND_ALL),
  ],
};
