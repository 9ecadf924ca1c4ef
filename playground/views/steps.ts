import { h } from '../ui/dom.ts';

/** Returns a table of the parts of an expression or a template, and their values. */
export const stepsTable = (
  title: string,
  heads: readonly string[],
  rows: readonly (readonly HTMLElement[])[],
): HTMLElement =>
  h(
    'details',
    { open: true },
    h('summary', {}, title),
    h(
      'table',
      {},
      h('thead', {}, h('tr', {}, ...heads.map((head) => h('th', { scope: 'col' }, head)))),
      h('tbody', {}, ...rows.map((cells) => h('tr', {}, ...cells))),
    ),
  );
