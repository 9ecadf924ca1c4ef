import { h } from '../ui/dom.ts';

/** `- ` and keys of a line that the renderer wrote. */
const LINE = /^(\s*(?:- )*)((?:"(?:[^"\\]|\\.)*"|[\w./-]+):)?(?=\s|$)(.*)$/s;

/** The lines of a text of YAML as elements, keys told from values. */
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
