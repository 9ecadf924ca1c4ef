import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../src/options/arguments.ts';
import { defaultSettings, options, type Settings } from '../../src/options/table.ts';

describe('arguments', () => {
  it.each([
    [['a.yaml', '-', 'b'], {}, ['a.yaml', '-', 'b']],
    [['--strict', 'a'], { strict: true }, ['a']],
    [['a', '--strict=false'], { strict: false }, ['a']],
    [['--namespace', 'shop', 'a'], { namespace: 'shop' }, ['a']],
    [['-n', 'shop', 'a'], { namespace: 'shop' }, ['a']],
    [['--namespace=', 'a'], { namespace: '' }, ['a']],
    [['-o', 'json'], { output: 'json' }, []],
    [['-ojson'], { output: 'json' }, []],
    [['-o=json'], { output: 'json' }, []],
    [['--output=json'], { output: 'json' }, []],
    [['--observed', '-', '--observed', 'x'], { observed: ['-', 'x'] }, []],
    [['--cluster-scoped', 'Zone.dns.example'], { clusterScoped: ['Zone.dns.example'] }, []],
    [['--on-pending', 'placeholder'], { onPending: 'placeholder' }, []],
    [['--max-collection-size', '5000'], { maxCollectionSize: 5000 }, []],
    [['--strict', '--', '--all', '-x'], { strict: true }, ['--all', '-x']],
    [['--namespace', 'a', '--namespace', 'b'], { namespace: 'b' }, []],
  ] as [string[], Partial<Settings>, string[]][])('%j', (args, settings, paths) => {
    expect(parseArguments(args, 'cli')).toEqual({ settings: { ...defaultSettings, ...settings }, paths });
  });

  it.each([
    [['--strct'], 'unknown option --strct; did you mean --strict?'],
    [['--frobnicate'], 'unknown option --frobnicate'],
    [['-x'], 'unknown option -x'],
    [['--namespace'], '--namespace needs a value: NS'],
    [['--namespace', '--strict'], '--namespace needs a value: NS'],
    [
      ['--on-pending', 'skp'],
      "--on-pending: 'skp' is none of fail, skip, passthrough, placeholder; did you mean 'skip'?",
    ],
    [['-o', 'xml'], "-o: 'xml' is none of yaml, json"],
    [['--max-collection-size', '1e3'], "--max-collection-size: '1e3' is not a whole number"],
    [['--max-collection-size=-1'], "--max-collection-size: '-1' is not a whole number"],
    [['--max-collection-size', '0'], '--max-collection-size: 0 is less than 1'],
    [['--max-collection-size', '99999999999999999999'], '--max-collection-size: 100000000000000000000 is too large'],
    [['--strict=yes'], "--strict: 'yes' is neither true nor false"],
    [['--cluster-scoped', 'zone'], "--cluster-scoped: 'zone' is not of the form Kind.group"],
    [['--definitions='], '--definitions: an item is empty'],
  ])('refuses %j', (args, fault) => {
    expect(parseArguments(args, 'cli')).toEqual({ fault });
  });

  it('offers every option of the table by its own flag and functionConfig name', () => {
    const flags = Object.values(options).map(({ flag }) => flag);
    expect(new Set(flags).size).toBe(flags.length);
    for (const [name, { flag }] of Object.entries(options)) {
      expect(flag).toBe(`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
    }
  });
});
