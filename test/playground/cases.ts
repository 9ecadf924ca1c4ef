import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CommandOutput, Package, PackageOptions } from '../../playground/engine/protocol.ts';
import { findCases } from '../../tools/conformance-cases.mjs';
import { invoke } from '../cli/invoke.ts';

const root = fileURLToPath(new URL('../conformance', import.meta.url));

/** A conformance case as the page opens it, and as the command does. */
export interface Case {
  readonly name: string;
  readonly pack: Package;
  command(verb: 'render' | 'crd'): Promise<CommandOutput>;
}

export const conformanceCases = (): Case[] => findCases(root).map(caseOf);

function caseOf(folder: string): Case {
  const at = (name: string): string => join(folder, name);
  const read = (name: string): string => readFileSync(at(name), 'utf8');
  const options: string[] = existsSync(at('args.json')) ? JSON.parse(read('args.json')) : ['--strict'];
  const hasObserved = existsSync(at('observed.yaml'));
  const observed = hasObserved ? ['--observed', at('observed.yaml')] : [];
  const format = ['-o', 'json', '--report', 'json'];
  const args = {
    render: ['render', at('input.yaml'), '--namespace', 'default', ...options, ...observed, ...format],
    crd: ['crd', at('input.yaml'), ...crdOptions(options), ...format],
  };
  return {
    name: relative(root, folder),
    pack: {
      files: [
        { name: at('input.yaml'), text: read('input.yaml'), role: 'objects' },
        ...(hasObserved ? [{ name: at('observed.yaml'), text: read('observed.yaml'), role: 'observed' } as const] : []),
      ],
      options: { namespace: 'default', ...optionsOf(options) },
    },
    command: async (verb) => {
      const { stdout, stderr } = await invoke(args[verb]);
      return { stdout, stderr };
    },
  };
}

/** The options that `crd` has too. */
const crdOptions = (args: readonly string[]): string[] =>
  args.filter(
    (one, at) =>
      one === '--strict' || [one, args[at - 1]].some((name) => name === '--kro' || name === '--experimental'),
  );

function optionsOf(args: readonly string[]): PackageOptions {
  const pending = args[args.indexOf('--on-pending') + 1] as NonNullable<PackageOptions['onPending']>;
  return {
    ...(args.includes('--strict') ? { strict: true } : {}),
    ...(args.includes('--assume-empty-status') ? { assumeEmptyStatus: true } : {}),
    ...(args.includes('--on-pending') ? { onPending: pending } : {}),
    ...(args.includes('--kro') ? { kro: '0.10' } : {}),
    ...(args.includes('--experimental') ? { experimental: ['graph'] } : {}),
  };
}
