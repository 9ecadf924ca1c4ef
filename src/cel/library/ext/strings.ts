/** cel-go ext.Strings (https://pkg.go.dev/github.com/google/cel-go/ext#Strings). */
import { fn, type Library, method, type Overload } from '../../library.ts';
import { DYN, INT, listOf, STRING } from '../../types.ts';
import { format, formatSize } from './format.ts';
import {
  join,
  joinSize,
  lowerAscii,
  quote,
  replace,
  replaceSize,
  reverse,
  split,
  trim,
  upperAscii,
} from './strings-edit.ts';
import { charAt, indexOf, lastIndexOf, substring } from './strings-search.ts';

const STRINGS = listOf(STRING);
const splitSize = (text: string): number => text.length * 2 + 1;

/** What the API server offers: version 2 of the library, without `reverse`. */
const version2: readonly Overload[] = [
  method('charAt', [STRING, INT], STRING, charAt),
  method('indexOf', [STRING, STRING], INT, indexOf),
  method('indexOf', [STRING, STRING, INT], INT, indexOf),
  method('lastIndexOf', [STRING, STRING], INT, lastIndexOf),
  method('lastIndexOf', [STRING, STRING, INT], INT, lastIndexOf),
  method('lowerAscii', [STRING], STRING, lowerAscii),
  method('upperAscii', [STRING], STRING, upperAscii),
  method('replace', [STRING, STRING, STRING], STRING, replace, replaceSize),
  method('replace', [STRING, STRING, STRING, INT], STRING, replace, replaceSize),
  method('split', [STRING, STRING], STRINGS, split, splitSize),
  method('split', [STRING, STRING, INT], STRINGS, split, splitSize),
  method('substring', [STRING, INT], STRING, substring),
  method('substring', [STRING, INT, INT], STRING, substring),
  method('trim', [STRING], STRING, trim),
  method('join', [STRINGS], STRING, join, joinSize),
  method('join', [STRINGS, STRING], STRING, join, joinSize),
  method('format', [STRING, listOf(DYN)], STRING, format, formatSize),
  fn('strings.quote', [STRING], STRING, quote, (text: string) => text.length * 2 + 2),
];

export const strings: Library = {
  name: 'cel-go ext.Strings',
  overloads: [...version2, method('reverse', [STRING], STRING, reverse)],
};

export const stringsVersion2: Library = { name: 'cel-go ext.Strings', overloads: version2 };
