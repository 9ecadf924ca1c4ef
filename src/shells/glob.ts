/**
 * A test for paths. `*` and `?` stay within a name, `**` crosses folders, `[...]` and `{a,b}` as in a shell. A pattern
 * without a slash names a file or folder anywhere; with one it is a path from the folder that is read.
 */
export function globTest(pattern: string): (path: string) => boolean {
  const trimmed = pattern.replace(/^\.\//, '').replace(/\/+$/, '');
  const expression = new RegExp(`^${translate(trimmed)}$`, 'su');
  if (!trimmed.includes('/')) return (path) => path.split('/').some((name) => expression.test(name));
  return (path) => expression.test(path.replace(/^\.\//, ''));
}

const TOKEN = /\*\*\/|\/\*\*$|\*\*|\*|\?|\[!?[^\]]+\]|\{[^{}]*\}|./gsu;

function translate(pattern: string): string {
  return (pattern.match(TOKEN) ?? []).map(translateToken).join('');
}

function translateToken(token: string): string {
  if (token === '**/') return '(?:[^/]+/)*';
  if (token === '/**') return '(?:/.*)?';
  if (token === '**') return '.*';
  if (token === '*') return '[^/]*';
  if (token === '?') return '[^/]';
  if (token.length > 2 && token.startsWith('[')) return translateSet(token);
  if (token.length > 1 && token.startsWith('{')) {
    return `(?:${token.slice(1, -1).split(',').map(translate).join('|')})`;
  }
  return quoted(token);
}

function translateSet(token: string): string {
  const negated = token[1] === '!';
  const members = token.slice(negated ? 2 : 1, -1).replace(/[\\[\]^&~]/g, '\\$&');
  return `(?!/)[${negated ? '^' : ''}${members}]`;
}

const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
