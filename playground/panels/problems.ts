import type { Diagnostic } from '../../src/api/index.ts';
import type { App } from '../app.ts';
import { h } from '../ui/dom.ts';

/** The maximum number of listed diagnostics. */
const MOST = 200;

/** Lists the diagnostics below the editor, with links to their lines. */
export function showProblems(element: HTMLElement, app: App): void {
  const shown = app.problems().filter(({ code }) => code !== 'node-skipped');
  const items = shown
    .slice(0, MOST)
    .map((diagnostic) => h('li', { class: diagnostic.severity }, itemOf(diagnostic, app)));
  const rest = shown.length > MOST ? [h('li', {}, `and ${shown.length - MOST} more`)] : [];
  const title = h('h2', { id: 'problems-title' }, summaryOf(shown));
  element.replaceChildren(title, h('ul', { 'aria-labelledby': 'problems-title' }, ...items, ...rest));
}

function summaryOf(diagnostics: readonly Diagnostic[]): string {
  const count = (severity: string): number => diagnostics.filter((one) => one.severity === severity).length;
  const parts = (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const number = count(severity);
    return number === 0 ? [] : [`${number} ${severity}${number === 1 ? '' : 's'}`];
  });
  return parts.length === 0 ? 'No problems' : parts.join(', ');
}

function itemOf(
  { severity, code, message, hint, file, line, column = 1, object, node, field }: Diagnostic,
  app: App,
): HTMLElement {
  const where = [object, node === undefined ? undefined : `node ${node}`, field]
    .filter((text) => text !== undefined)
    .join(' ');
  const content = [
    h('span', { class: 'severity' }, `${severity}[${code}]`),
    ` ${where}${where === '' ? '' : ': '}${message}`,
    hint === undefined ? undefined : h('span', { class: 'hint' }, hint),
  ];
  if (file === undefined || line === undefined || app.workspace.file(file) === undefined)
    return h('div', { class: 'problem' }, ...content);
  const place = h('span', { class: 'place' }, `${file}:${line}:${column}`);
  return h(
    'button',
    { type: 'button', class: 'problem', on: { click: () => app.reveal({ file, line, column }) } },
    place,
    ' ',
    ...content,
  );
}
