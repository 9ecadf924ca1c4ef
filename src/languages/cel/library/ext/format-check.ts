/** Checks `format` calls whose format string and argument list are literals, as cel-go's validator does. */
import { type CelType, typeName } from '../../types.ts';
import { type Clause, type ClauseRules, clauseFault, formatPieces } from './format-clause.ts';

/** An argument expression: its type and, of a list or map literal, its elements (keys and values in turn). */
export interface FormatArgument {
  type: CelType;
  offset?: number;
  parts?: readonly FormatArgument[];
}

class FormatSyntaxError extends Error {}

/** Returns the first error of `format.format([arguments])`, `undefined` if there is none. */
export function checkFormat(
  format: string,
  args: readonly FormatArgument[],
  rules?: ClauseRules,
): { message: string; offset?: number | undefined } | undefined {
  let next = 0;
  try {
    for (const piece of formatPieces(format, args.length, (message) => new FormatSyntaxError(message))) {
      if (typeof piece === 'string') continue;
      const argument = args[next++] as FormatArgument;
      const bad = piece.clause === 's' ? firstUnprintable(argument, rules) : argument;
      const message = bad === undefined ? undefined : faultOf(piece.clause, bad.type, rules);
      if (bad !== undefined && message !== undefined) return { message, offset: bad.offset };
    }
  } catch (error) {
    if (error instanceof FormatSyntaxError) return { message: error.message };
    throw error;
  }
  if (args.length === next) return undefined;
  return { message: `too many arguments supplied to string.format (expected ${next}, got ${args.length})` };
}

function faultOf(clause: Clause, type: CelType, rules: ClauseRules | undefined): string | undefined {
  return type.kind === 'dyn' || type.kind === 'param' ? undefined : clauseFault(clause, typeName(type), rules);
}

/** `%s` checks list and map literals recursively. */
function firstUnprintable(argument: FormatArgument, rules: ClauseRules | undefined): FormatArgument | undefined {
  if (faultOf('s', argument.type, rules) !== undefined) return argument;
  for (const part of argument.parts ?? []) {
    const bad = firstUnprintable(part, rules);
    if (bad !== undefined) return bad;
  }
  return undefined;
}
