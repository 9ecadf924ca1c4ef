import { goEscaped } from '../text/go-text.ts';
import { utf8 } from '../text/utf8.ts';
import { type JsonContext, type JsonDialect, JsonError, type JsonProblem } from './json.ts';

/** JSON as Go's encoding/json reads it into `any`: every number is a double, the last of equal keys wins. */
export const GO: JsonDialect = {
  number: goNumber,
  repeatedKeys: true,
  halves: true,
  error: goError,
};

/** From its first quote to the invalid character, or to the last quote. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const GOOD_STRING = /"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*/y;
const LITERALS: readonly string[] = ['true', 'false', 'null'];

/** The context of an invalid character in Go's messages. */
const DOING: Partial<Readonly<Record<JsonContext, string>>> = {
  key: 'looking for beginning of object key string',
  'after key': 'after object key',
  'after pair': 'after object key:value pair',
  'after element': 'after array element',
  'after value': 'after top-level value',
};

/** The character after a number shows which part of it is incomplete. */
function goNumber(token: string, text: string, end: number): number | undefined {
  const rest = text.charAt(end);
  if (rest === '.' && !/[.eE]/.test(token)) throw inToken(text, end + 1, 'after decimal point in numeric literal');
  if (/[eE]/.test(rest) && !/[eE]/.test(token)) {
    const sign = /[+-]/.test(text.charAt(end + 1)) ? 1 : 0;
    throw inToken(text, end + 1 + sign, 'in exponent of numeric literal');
  }
  const value = Number(token);
  return Number.isFinite(value) ? value : undefined;
}

function goError({ place, text, at, token }: JsonProblem): JsonError {
  if (place === 'depth') return new JsonError('exceeded max depth', at);
  if (place === 'large number') {
    return new JsonError(`json: cannot unmarshal number ${token} into Go value of type float64`, at);
  }
  if (place === 'string') return stringError(text, at);
  if (place === 'value') return valueError(text, at);
  return between(text, at, DOING[place] ?? place);
}

function valueError(text: string, at: number): JsonError {
  const first = text.charAt(at);
  if (first === '-') return inToken(text, at + 1, 'in numeric literal');
  const literal = LITERALS.find((one) => one[0] === first);
  if (literal === undefined) return between(text, at, 'looking for beginning of value');
  let same = 1;
  while (text[at + same] === literal[same]) same += 1;
  return inToken(text, at + same, `in literal ${literal} (expecting ${goCharacter(literal.charAt(same))})`);
}

/** Returns the first invalid character or escape of a string. */
function stringError(text: string, start: number): JsonError {
  GOOD_STRING.lastIndex = start;
  const at = start + (GOOD_STRING.exec(text)?.[0].length ?? 0);
  if (at >= text.length) return between(text, at, '');
  if (text[at] !== '\\') return inToken(text, at, 'in string literal');
  if (text[at + 1] !== 'u') return inToken(text, at + 1, 'in string escape code');
  const digits = /^[0-9a-fA-F]{0,4}/.exec(text.slice(at + 2, at + 6))?.[0].length ?? 0;
  return inToken(text, at + 2 + digits, 'in \\u hexadecimal character escape');
}

/** Go ends the text with a space, which is invalid inside a token. */
const inToken = (text: string, at: number, doing: string): JsonError =>
  new JsonError(`invalid character ${at < text.length ? quotedCharacter(text, at) : "' '"} ${doing}`, at);

const between = (text: string, at: number, doing: string): JsonError =>
  at < text.length ? inToken(text, at, doing) : new JsonError('unexpected end of JSON input', at);

/** Go names the first UTF-8 byte of the character as if it were one. */
function quotedCharacter(text: string, at: number): string {
  const byte = utf8(String.fromCodePoint(text.codePointAt(at) ?? 0))[0] ?? 0;
  return goCharacter(String.fromCharCode(byte));
}

const goCharacter = (char: string): string => `'${goEscaped(char, "'")}'`;
