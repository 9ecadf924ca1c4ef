/** `transformMap` and `transformMapEntry`: loops that build a map. */
import type { Expr } from '../ast.ts';
import { ACCUMULATOR, bool, type Macro, type MacroCall, namesOf, result } from './macro.ts';
import { variables } from './quantifiers.ts';

const MAP_INSERT = 'cel.@mapInsert';

function mapLoop(does: 'map' | 'mapEntry', added: (call: MacroCall, key: string, transform: Expr) => Expr[]): Macro {
  return (call) => {
    const { make, offset, target, args } = call;
    const [first, second, ...rest] = args;
    const transform = rest.at(-1);
    if (target === undefined || transform === undefined) return undefined;
    const filter = rest.length === 2 ? rest[0] : undefined;
    const [key = '', value = ''] = namesOf([first, second], 'argument must be a simple name');
    const insert = make.call(transform.offset, MAP_INSERT, [result(call), ...added(call, key, transform)]);
    return make.comprehension(offset, {
      range: target,
      ...variables([key, value]),
      accumulator: ACCUMULATOR,
      init: make.map(offset, []),
      condition: bool(call, true),
      step: filter === undefined ? insert : make.call(filter.offset, '_?_:_', [filter, insert, result(call)]),
      result: result(call),
      macro: { does, filter, transform },
    });
  };
}

export const transformMap = mapLoop('map', (call, key, transform) => [call.make.ident(call.offset, key), transform]);

export const transformMapEntry = mapLoop('mapEntry', (_call, _key, transform) => [transform]);
