/** cel-go ext.Strings (https://pkg.go.dev/github.com/google/cel-go/ext#Strings). */
import { costing, fn, type Library, method, type Overload } from '../../library.ts';
import { DYN, INT, listOf, STRING } from '../../types.ts';
import { characterWork, fixedWork, pointWork, searchWork } from '../../value/work.ts';
import { format, formatSize } from './format.ts';
import { formatVersion2, formatVersion2Size } from './format-version2.ts';
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
const findWork = (text: string, part: string): number => 2 + pointWork(text) + searchWork(text, part);
const replaceWork = (text: string, part: string): number => 12 + findWork(text, part);

const splitSize = (text: string): number => text.length * 2 + 1;

const formatting = (run: typeof format, size: typeof formatSize): Overload =>
  costing(method('format', [STRING, listOf(DYN)], STRING, run, size), fixedWork(10));

const common: readonly Overload[] = [
  costing(method('charAt', [STRING, INT], STRING, charAt), pointWork),
  costing(method('indexOf', [STRING, STRING], INT, indexOf), findWork),
  costing(method('indexOf', [STRING, STRING, INT], INT, indexOf), findWork),
  costing(method('lastIndexOf', [STRING, STRING], INT, lastIndexOf), findWork),
  costing(method('lastIndexOf', [STRING, STRING, INT], INT, lastIndexOf), findWork),
  method('lowerAscii', [STRING], STRING, lowerAscii),
  method('upperAscii', [STRING], STRING, upperAscii),
  costing(method('replace', [STRING, STRING, STRING], STRING, replace, replaceSize), replaceWork),
  costing(method('replace', [STRING, STRING, STRING, INT], STRING, replace, replaceSize), replaceWork),
  costing(method('split', [STRING, STRING], STRINGS, split, splitSize), findWork),
  costing(method('split', [STRING, STRING, INT], STRINGS, split, splitSize), findWork),
  costing(method('substring', [STRING, INT], STRING, substring), pointWork),
  costing(method('substring', [STRING, INT, INT], STRING, substring), pointWork),
  method('trim', [STRING], STRING, trim),
  method('join', [STRINGS], STRING, join, joinSize),
  method('join', [STRINGS, STRING], STRING, join, joinSize),
  costing(
    fn('strings.quote', [STRING], STRING, quote, (text: string) => text.length * 2 + 2),
    characterWork,
  ),
];

export const strings: Library = {
  name: 'cel-go ext.Strings',
  overloads: [
    ...common,
    formatting(format, formatSize),
    costing(method('reverse', [STRING], STRING, reverse), characterWork),
  ],
};

/** The functions of the API server, without `reverse`. */
export const stringsVersion2: Library = {
  name: 'cel-go ext.Strings',
  overloads: [...common, formatting(formatVersion2, formatVersion2Size)],
};
