import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { faults } from './faults.ts';

it.each(faults)('the source of the fault "$name" has the text that it replaces, once', ({ file, from }) => {
  expect(readFileSync(file, 'utf8').split(from)).toHaveLength(2);
});
