import { setKey, type Value, type ValueMap } from '../model/value.ts';

/** Text that is not JSON. `offset` counts UTF-16 units from its start. */
export class JsonError extends Error {
  override name = 'JsonError';
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

interface Cursor {
  text: string;
  at: number;
}

const MAX_DEPTH = 1000;
const SPACE = /[ \t\r\n]*/y;
const PUNCTUATION = '[{}\\[\\],:]';
const STRING = '"(?:[^"\\\\\\u0000-\\u001f]|\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4}))*"';
const NUMBER = '-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?';
const TOKEN = new RegExp(`${PUNCTUATION}|${STRING}|${NUMBER}|true|false|null`, 'y');

/**
 * Reads one JSON value. Numbers without a fraction or an exponent become `bigint`, so every digit stays; a key that
 * stands twice in one object is an error.
 * @throws JsonError
 */
export function parseJson(text: string): Value {
  const cursor = { text, at: 0 };
  const value = readValue(cursor, next(cursor), 0);
  skipSpace(cursor);
  if (cursor.at < text.length) throw new JsonError('unexpected text after the value', cursor.at);
  return value;
}

function skipSpace(cursor: Cursor): void {
  SPACE.lastIndex = cursor.at;
  SPACE.test(cursor.text);
  cursor.at = SPACE.lastIndex;
}

function next(cursor: Cursor): string {
  skipSpace(cursor);
  TOKEN.lastIndex = cursor.at;
  const token = TOKEN.exec(cursor.text)?.[0];
  if (token === undefined) throw unexpected(cursor);
  cursor.at += token.length;
  return token;
}

function unexpected(cursor: Cursor, token = ''): JsonError {
  const at = cursor.at - token.length;
  const found = cursor.text.codePointAt(at);
  if (found === undefined) return new JsonError('the text ends too early', at);
  if (token === '' && found === 0x22) return new JsonError('a string is not closed or has a bad escape', at);
  return new JsonError(`unexpected '${token || String.fromCodePoint(found)}'`, at);
}

function readValue(cursor: Cursor, token: string, depth: number): Value {
  if (depth > MAX_DEPTH) throw new JsonError(`nested more than ${MAX_DEPTH} deep`, cursor.at);
  switch (token.charAt(0)) {
    case '{':
      return readMap(cursor, depth);
    case '[':
      return readList(cursor, depth);
    case '"':
      return readString(token);
    case 't':
      return true;
    case 'f':
      return false;
    case 'n':
      return null;
    case '}':
    case ']':
    case ',':
    case ':':
      throw unexpected(cursor, token);
    default:
      return readNumber(cursor, token);
  }
}

function readNumber(cursor: Cursor, token: string): Value {
  if (!/[.eE]/.test(token)) return BigInt(token);
  const value = Number(token);
  if (!Number.isFinite(value)) throw new JsonError(`${token} is too large`, cursor.at - token.length);
  return value;
}

/** Halves of surrogate pairs cannot be written as UTF-8; Go's reader replaces them too. */
const readString = (token: string): string => (JSON.parse(token) as string).replace(/\p{Surrogate}/gu, '\uFFFD');

function readList(cursor: Cursor, depth: number): Value[] {
  const items: Value[] = [];
  let token = next(cursor);
  if (token === ']') return items;
  for (;;) {
    items.push(readValue(cursor, token, depth + 1));
    token = next(cursor);
    if (token === ']') return items;
    if (token !== ',') throw unexpected(cursor, token);
    token = next(cursor);
  }
}

function readMap(cursor: Cursor, depth: number): ValueMap {
  const map: ValueMap = {};
  let token = next(cursor);
  if (token === '}') return map;
  for (;;) {
    if (!token.startsWith('"')) throw unexpected(cursor, token);
    const key = readString(token);
    if (Object.hasOwn(map, key)) throw new JsonError(`the key ${token} stands there twice`, cursor.at - token.length);
    token = next(cursor);
    if (token !== ':') throw unexpected(cursor, token);
    setKey(map, key, readValue(cursor, next(cursor), depth + 1));
    token = next(cursor);
    if (token === '}') return map;
    if (token !== ',') throw unexpected(cursor, token);
    token = next(cursor);
  }
}
