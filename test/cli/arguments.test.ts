import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../src/cli/command.ts';
import * as commands from '../../src/cli/commands.ts';
import { objectFormat } from '../../src/cli/output.ts';
import { type Settings, sharedOptions } from '../../src/render/options/index.ts';

const options = { ...sharedOptions, output: objectFormat };

describe('the arguments of the command line', () => {
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
    [['--kubernetes', '1.33'], { kubernetes: '1.33' }, []],
    [['--on-pending', 'placeholder'], { onPending: 'placeholder' }, []],
    [['--max-collection-size', '5000'], { maxCollectionSize: 5000 }, []],
    [['--strict', '--', '--all', '-x'], { strict: true }, ['--all', '-x']],
    [['--strict', '--strict'], { strict: true }, []],
    [['--report', 'json', '--diagnostics=sarif=x'], { report: ['json', 'sarif=x'] }, []],
    [['--max-size=2', '--observed=-x'], { maxSize: 2, observed: ['-x'] }, []],
  ] as [string[], Partial<Settings>, string[]][])('%j', (args, values, paths) => {
    expect(parseArguments(args, options)).toEqual({ values, paths });
  });

  it.each([
    [['--strct'], 'unknown option --strct; did you mean --strict?'],
    [['--frobnicate'], 'unknown option --frobnicate'],
    [['-x'], 'unknown option -x'],
    [['--namespace'], '--namespace needs a value: NS'],
    [
      ['--namespace', '--strict'],
      "--namespace needs a value: NS; '--strict' looks like an option (--namespace=--strict if it is the value)",
    ],
    [['--openapi', '-x'], "--openapi needs a value: FILE; '-x' looks like an option (--openapi=-x if it is the value)"],
    [['-n', 'a', '--namespace', 'b'], "--namespace is given twice, as 'a' and as 'b'; it takes one value"],
    [['--namespace', 'a', '--namespace', 'a'], "--namespace is given twice, as 'a' and as 'a'; it takes one value"],
    [['--strict', '--strict=false'], "--strict is given twice, as 'true' and as 'false'; it takes one value"],
    [
      ['--on-pending', 'skp'],
      "--on-pending: 'skp' is not one of fail, skip, passthrough, placeholder; did you mean 'skip'?",
    ],
    [['-o', 'xml'], "-o: 'xml' is not one of yaml, json"],
    [['--max-collection-size', '1e3'], "--max-collection-size: '1e3' is not a whole number"],
    [['--max-collection-size=-1'], "--max-collection-size: '-1' is not a whole number"],
    [['--max-collection-size', '0'], '--max-collection-size: 0 is less than 1'],
    [['--max-collection-size', '99999999999999999999'], '--max-collection-size: 99999999999999999999 is too large'],
    [['--max-steps', '9007199254740993'], '--max-steps: 9007199254740993 is too large'],
    [
      ['--namespace', 'Not_Valid'],
      "--namespace: 'Not_Valid' is not a namespace: lower case letters, digits and dashes, at most 63",
    ],
    [['--strict=yes'], "--strict: 'yes' is neither true nor false"],
    [['--cluster-scoped', 'zone'], "--cluster-scoped: 'zone' is not of the form Kind.group"],
    [['--definitions='], '--definitions: an item is empty'],
  ])('with %j are rejected', (args, fault) => {
    expect(parseArguments(args, options).fault).toBe(fault);
  });

  it('are all parsed after an error, so that it is printed in the requested format', () => {
    expect(parseArguments(['--strct', '--report', 'json'], options)).toEqual({
      values: { report: ['json'] },
      paths: [],
      fault: 'unknown option --strct; did you mean --strict?',
    });
  });

  it.each(Object.entries(commands))(
    'of %s have no option that shadows another one',
    (_, { own, shared, ignored = {} }) => {
      const all = [own, shared, ignored].flatMap((one) => Object.keys(one));
      expect(all).toEqual([...new Set(all)]);
      const short = [own, shared, ignored].flatMap((one) => Object.values(one).flatMap((option) => option.short ?? []));
      expect(short).toEqual([...new Set(short)]);
    },
  );
});
