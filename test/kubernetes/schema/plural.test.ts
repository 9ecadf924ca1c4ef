import { expect, test } from 'vitest';
import { pluralize } from '../../../src/kubernetes/schema/index.ts';

test.each([
  ['box', 'boxes'],
  ['policy', 'policies'],
  ['gateway', 'gateways'],
  ['userdata', 'userdata'],
  ['searchindex', 'searchindices'],
  ['knife', 'knives'],
  ['ox', 'oxen'],
  ['musicbox', 'musicboxes'],
  ['axis', 'axes'],
  ['taxis', 'taxis'],
  ['indices', 'indices'],
  ['indexes', 'indexes'],
  ['repo', 'repoes'],
  ['redis', 'redis'],
  ['cookie', 'cookies'],
  ['webcookie', 'webcookies'],
  ['api', 'apis'],
  ['ssh', 'sshs'],
])('the plural of %s is %s', (one, two) => {
  expect(pluralize(one)).toBe(two);
});

test('the errors of the dictionary of kro are kept', () => {
  expect(pluralize('octopus')).toBe('octupuses');
  expect(pluralize('dns')).toBe('dnsDNSes');
  expect(pluralize('clusterdns')).toBe('clusterdns');
});
