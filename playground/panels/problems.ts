import type { Diagnostic } from '../../src/api/index.ts';
import { isPending } from '../../src/core/diagnostics/index.ts';
import type { App } from '../app.ts';
import { DOCS } from '../ui/actions.ts';
import { button, type Child, h } from '../ui/dom.ts';
import { icon } from '../ui/icons.ts';

/** The maximum number of listed diagnostics. */
const MOST = 200;

/** Lists the diagnostics below the editor, with links to their lines. */
export function showProblems(element: HTMLElement, app: App): void {
  const shown = app.problems().filter(({ code }) => code !== 'node-skipped');
  const items = shown
    .slice(0, MOST)
    .map((diagnostic) =>
      h(
        'li',
        { class: diagnostic.severity },
        itemOf(diagnostic, app),
        fillIn(diagnostic, app),
        aboutCode(diagnostic.code),
      ),
    );
  const rest = shown.length > MOST ? [h('li', {}, `and ${shown.length - MOST} more`)] : [];
  const list = h('ul', { 'aria-labelledby': 'problems-title' }, ...items, ...rest);
  const summary = summaryOf(shown, app.unchecked());
  element.className = shown.find(({ severity }) => severity === 'error')?.severity ?? shown[0]?.severity ?? 'none';
  const title = element.querySelector('h2');
  // Only a change of the summary is announced.
  if (title === null) element.replaceChildren(h('h2', { id: 'problems-title', role: 'status' }, summary), list);
  else {
    if (title.textContent !== summary) title.textContent = summary;
    element.replaceChildren(title, list);
  }
}

const fillIn = (diagnostic: Diagnostic, app: App): Child =>
  isPending(diagnostic) && button('Fill in', () => app.fillIn(diagnostic), { class: 'fill-in' });

const aboutCode = (code: string): HTMLElement =>
  h(
    'a',
    {
      class: 'icon-link',
      href: `${DOCS}/diagnostics.md#${code}`,
      target: '_blank',
      rel: 'noopener',
      'aria-label': `About ${code}`,
      title: `About ${code}`,
    },
    icon('book'),
  );

/** `No problems` is said only if everything was checked. */
function summaryOf(diagnostics: readonly Diagnostic[], unchecked: string): string {
  const count = (severity: string): number => diagnostics.filter((one) => one.severity === severity).length;
  const parts = (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const number = count(severity);
    return number === 0 ? [] : [`${number} ${severity}${number === 1 ? '' : 's'}`];
  });
  if (parts.length > 0) return parts.join(', ');
  return unchecked === '' ? 'No problems' : `No problems in what was checked: ${unchecked}`;
}

function itemOf(diagnostic: Diagnostic, app: App): HTMLElement {
  const { severity, code, message, file, line, column = 1, object, node, field } = diagnostic;
  // Hints name options of the command; the page has a field for the value.
  const hint = isPending(diagnostic)
    ? 'Only a cluster knows it. Supply a value, or choose under Options what to do without it.'
    : diagnostic.hint;
  const where = [object, node === undefined ? undefined : `node ${node}`, field]
    .filter((text) => text !== undefined)
    .join(' ');
  const content: Child[] = [
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
