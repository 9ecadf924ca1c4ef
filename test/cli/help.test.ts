import { describe, expect, it } from 'vitest';
import { type Command, parseArguments } from '../../src/cli/command.ts';
import { descriptions } from '../../src/cli/help.ts';
import { commands } from '../../src/cli/loaded.ts';

/** Returns the arguments of an example, which may end with a pipe or a redirection. */
function argumentsOf(example: string): string[] {
  const [command = ''] = example.split(/ (?:[|<]|>(?! 1))/);
  const words = command.match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
  return words.map((word) => word.replace(/^(['"])(.*)\1$/, '$2'));
}

describe.each(Object.entries(descriptions))('the help of %s', (name, { examples = [] }) => {
  it('has at least two examples', () => expect(examples.length).toBeGreaterThan(1));

  it.each(examples.map(([command = '']) => command))('has options that exist: %s', (example) => {
    const [first, ...args] = argumentsOf(example);
    expect(first).toBe(name);
    const all: Readonly<Record<string, Command>> = commands;
    const { own, shared } = all[name] ?? { own: {}, shared: {} };
    expect(parseArguments(args, { ...own, ...shared }).fault).toBeUndefined();
  });
});
