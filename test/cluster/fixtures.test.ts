import { expect, it } from 'vitest';
import type { Api } from './control-plane/api.ts';
import type { ControlPlane } from './control-plane/start.ts';
import { readPackageText } from './documents.ts';
import { placeStatus } from './fixtures.ts';

/** The managers that write a status, and where, for a kind with or without the subresource. */
async function written(hasSubresource: boolean): Promise<string[]> {
  const done: string[] = [];
  const api = {
    read: async () => ({ status: 200, body: {} }),
    apply: async (_: unknown, { manager, subresource }: Parameters<Api['apply']>[1]) => {
      if (subresource !== undefined && !hasSubresource) return { status: 404, body: {} };
      done.push(`${manager} ${subresource ?? 'object'}`);
      return { status: 200, body: {} };
    },
  };
  const [object] = readPackageText('{apiVersion: acme.test/v1, kind: Gear, metadata: {name: x}, status: {on: true}}');
  if (object !== undefined) await placeStatus({ api } as unknown as ControlPlane, object, 'default');
  return done;
}

it('writes the status of a kind without a status subresource', async () => {
  expect(await written(true)).toEqual(['fixture status']);
  expect(await written(false)).toEqual(['fixture-status object']);
});
