import { h } from '../ui/dom.ts';

/** Matches `- ` and keys of a rendered line. */
const LINE = /^(\s*(?:- )*)((?:"(?:[^"\\]|\\.)*"|[\w./-]+):)?(?=\s|$)(.*)$/s;

/** Returns the lines of a YAML text as elements, with keys and values distinguished. */
export function linesOf(yaml: string): HTMLElement[] {
  return yaml
    .replace(/\n$/, '')
    .split('\n')
    .map((text) => {
      const [, before = '', key, rest = ''] = LINE.exec(text) ?? [];
      if (key === undefined) return h('span', { class: 'line' }, `${text}\n`);
      return h(
        'span',
        { class: 'line' },
        before,
        h('span', { class: 'key' }, key),
        h('span', { class: 'value' }, rest),
        '\n',
      );
    });
}
