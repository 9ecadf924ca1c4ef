import type { DocumentDirective } from 'js-yaml';
import { decodeBase64, isFault } from '../../core/encoding/base64.ts';
import { resolveTagged, type Scalar } from '../../core/text/plain-scalar.ts';

const YAML = 'tag:yaml.org,2002:';

export const MERGE_TAG = `${YAML}merge`;

/** Returns the full name of a tag: `!!str`, `!<tag:yaml.org,2002:str>`, or one with a %TAG handle. */
export function tagName(written: string, directives: readonly DocumentDirective[]): string {
  if (written.startsWith('!<')) return written.slice(2, -1);
  const handle = written.slice(0, written.indexOf('!', 1) + 1) || '!';
  const declared = directives.find((directive) => directive.kind === 'tag' && directive.handle === handle);
  const prefix = declared?.kind === 'tag' ? declared.prefix : handle === '!!' ? YAML : handle;
  return prefix + written.slice(handle.length);
}

/**
 * Returns the value of a scalar with an explicit tag; `undefined` if it does not match. Tags that go-yaml does not know
 * are strings.
 */
export function resolveWithTag(text: string, tag: string): Scalar | undefined {
  switch (tag) {
    case `${YAML}bool`:
      return resolveTagged(text, 'bool');
    case `${YAML}int`:
      return resolveTagged(text, 'int');
    case `${YAML}float`:
      return resolveTagged(text, 'float');
    case `${YAML}null`:
      return resolveTagged(text, 'null');
    case `${YAML}binary`: {
      const bytes = decodeBase64(text);
      return isFault(bytes) ? undefined : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    }
    default:
      return text;
  }
}
