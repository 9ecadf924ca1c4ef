import type { FunctionTable } from './define.ts';
import { ofString } from './define.ts';

/** Returns the shortest name of a path, as Go's path.Clean. */
function cleanPath(path: string): string {
  if (path === '') return '.';
  const rooted = path.startsWith('/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!rooted) parts.push(part);
  }
  const clean = `${rooted ? '/' : ''}${parts.join('/')}`;
  return clean === '' ? '.' : clean;
}

function basePath(path: string): string {
  if (path === '') return '.';
  const trimmed = path.replace(/\/+$/, '');
  return trimmed === '' ? '/' : trimmed.slice(trimmed.lastIndexOf('/') + 1);
}

function extension(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot);
}

const base = ofString(basePath);
const dir = ofString((path) => cleanPath(path.slice(0, path.lastIndexOf('/') + 1)));
const clean = ofString(cleanPath);
const ext = ofString(extension);
const isAbs = ofString((path) => path.startsWith('/'));

export const pathFunctions: FunctionTable = [
  ['base', base],
  ['dir', dir],
  ['clean', clean],
  ['ext', ext],
  ['isAbs', isAbs],
  ['osBase', base],
  ['osClean', clean],
  ['osDir', dir],
  ['osExt', ext],
  ['osIsAbs', isAbs],
];
