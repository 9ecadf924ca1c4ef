import { hex, sha1, textDigest } from '../../core/digest/hashes.ts';
import { utf8 } from '../../core/text/utf8.ts';
import type { Application } from './application.ts';
import type { Cause, PlannedApplication } from './result.ts';

/**
 * Templates of URLs, '' for no links. `{path}` is a file of the repository, `{line}` a line, and `{sha1}` and `{sha256}`
 * are digests of the path, as the pages of pull requests use them.
 */
export interface Links {
  /** A line of a file in the newer version. */
  file: string;
  /** A changed line in the pull request. */
  change: string;
}

/** A URL that cannot end a link or an attribute. */
export const LINK_PATTERN = /^https?:\/\/[^\s()<>"'`\\]*$/;

export const NO_LINKS: Links = { file: '', change: '' };

/** Returns the URL of a line; '' without a template. */
function urlOf(template: string, path: string, line = 1): string {
  const values: Record<string, () => string> = {
    path: () => path.split('/').map(encoded).join('/'),
    line: () => String(line),
    sha1: () => hex(sha1(utf8(path))),
    sha256: () => textDigest(path, 64),
  };
  return template.replace(/\{(path|line|sha1|sha256)\}/g, (_, name: string) => values[name]?.() ?? '');
}

/** Escapes parentheses too, which end a link in Markdown. */
const encoded = (part: string): string =>
  encodeURIComponent(part.toWellFormed()).replace(/[()!'*~_]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);

/** Returns the URL of the file that declares an application; '' without one. */
export const urlOfApplication = (
  { application: { place }, event }: { application: Application; event: PlannedApplication['event'] | undefined },
  { file }: Links,
): string => (place === '' || event === 'removed' ? '' : urlOf(file, place));

/** Returns the URL of the line that causes a change: in the pull request, or else in the file; '' without one. */
export const urlOfCause = ({ at }: { at?: Cause['at'] | undefined }, { file, change }: Links): string =>
  at === undefined ? '' : urlOf(change || file, at.source.file, at.line);
