/** Where cel-js 8.0.0 differs from cel-go, which this engine follows (docs/decisions.md). */
export interface KnownDifference {
  reason: string;
  /** The shortest expression that shows it; it must differ, or be removed from this list. */
  example: string;
  /** Which random expressions it may affect; `undefined` if they never do. */
  touches?: RegExp;
}

export const knownDifferences: readonly KnownDifference[] = [
  { reason: 'an empty text converts to 0', example: 'int("")', touches: /int\((?!-?[\d.])/ },
  { reason: 'a double beyond int64 converts to an int', example: 'int(1e300)', touches: /int\((?!-?\d+\))/ },
  {
    reason: 'upperAscii and lowerAscii go beyond ASCII',
    example: '"é".upperAscii()',
    touches: /upperAscii|lowerAscii/,
  },
  { reason: 'the remainder of the least int by -1 is 0', example: '(-9223372036854775807 - 1) % -1', touches: /%/ },
  {
    reason: 'the least int divided by -1 passes the bounds of int64',
    example: '(-9223372036854775807 - 1) / -1',
    touches: /\//,
  },
  { reason: 'negation passes the bounds of int64', example: '-(-9223372036854775807 - 1)' },
  { reason: 'doubles are written as JavaScript does', example: 'string(1000000.0)' },
  { reason: 'patterns are those of JavaScript', example: '"abc".matches("(?=a)")' },
  { reason: 'optional elements are a syntax error', example: '[?optional.of(1)]' },
  { reason: 'a key __proto__ is lost', example: '{"__proto__": 1}.size()' },
  { reason: 'a field name in backquotes is a syntax error', example: '{"a-b": 1}.`a-b`' },
  { reason: 'a map is gone through in the order written', example: '{"b": 1, "a": 2}.map(k, k)' },
  { reason: 'has() takes names only, not literals', example: 'has({"a": 1}.a)' },
];
