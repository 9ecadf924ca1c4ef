import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../src/core/model/object.ts';
import { addressOf, onlyAt, parseAddress } from '../../../src/describe/address/index.ts';

const object = (kind: string, namespace: string | undefined, name: string): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: namespace === undefined ? { name } : { namespace, name },
});
const all = [
  object('A', 'x', 'one'),
  object('A', 'y', 'one'),
  object('B', undefined, 'two'),
  object('C', 'x', 'three'),
];
const named = all.map((one) => ({ object: one, hasSecretName: one.kind === 'C' }));
const find = (text: string) => onlyAt(named, text, 'instance');

describe('an address of an object', () => {
  it.each([
    ['A/one', { kind: 'A', namespace: undefined, name: 'one' }],
    ['A/x/one', { kind: 'A', namespace: 'x', name: 'one' }],
    ['A', undefined],
    ['A/', undefined],
    ['/one', undefined],
    ['A/x/', undefined],
    ['A/x/one/more', undefined],
    ['', undefined],
  ])('%j', (text, address) => expect(parseAddress(text)).toEqual(address));

  it('is unique for each object', () =>
    expect(all.map(addressOf)).toEqual(['A/x/one', 'A/y/one', 'B/two', 'C/x/three']));

  it('finds one object', () => {
    expect(find('A/x/one')).toEqual({ found: named[0] });
    expect(find('B/two')).toEqual({ found: named[2] });
  });

  it.each([
    ['A/one', 'there are 2 of A/one: A/x/one, A/y/one'],
    ['B/x/two', 'there is no instance B/x/two; there is A/x/one, A/y/one, B/two'],
    ['C/x/three', 'there is no instance C/x/three; there is A/x/one, A/y/one, B/two'],
    ['nothing', "'nothing' is not of the form KIND/NAME or KIND/NAMESPACE/NAME"],
  ])('%s: %s', (text, fault) => expect(find(text)).toEqual({ fault }));

  it('reports that there are no objects at all', () => {
    expect(onlyAt([], 'A/a', 'instance')).toEqual({
      fault: 'there is no instance A/a; there is none at all',
    });
  });
});
