import type { App } from '../app.ts';
import type { Conflict } from '../state/keeper.ts';
import { button, h } from './dom.ts';

/** Returns a line that offers both versions of a file. */
export function conflictLine(app: App, { name, text, from }: Conflict): HTMLElement {
  const { keeper, workspace } = app;
  const settle = (chosen: string | null): void => keeper.settle(name, chosen, workspace);
  const mine = button('Keep this one', () => settle(workspace.file(name)?.text ?? ''));
  if (text === null) {
    return h(
      'p',
      { class: 'conflict', role: 'alert' },
      `${name} was deleted on disk. What you typed is kept here. `,
      mine,
      ' ',
      button('Delete it here', () => settle(null)),
    );
  }
  const where = from === 'disk' ? 'changed on disk' : 'changed in another tab';
  return h(
    'p',
    { class: 'conflict', role: 'alert' },
    `${name} was ${where} while you changed it here. `,
    button('Compare', () => void compare(app, name, text)),
    ' ',
    mine,
    ' ',
    button('Take the other', () => settle(text)),
    ' ',
    button('Keep both', () => keepBoth(app, name, text)),
  );
}

/** Adds the other text as a file of its own. */
function keepBoth({ keeper, workspace }: App, name: string, text: string): void {
  const file = workspace.file(name);
  if (file === undefined) return;
  let other = '';
  for (let number = 1; other === '' || workspace.file(other) !== undefined; number += 1)
    other = `other-${number}/${name}`;
  workspace.put({ name: other, text, role: file.role });
  keeper.settle(name, file.text, workspace);
}

async function compare({ workspace }: App, name: string, text: string): Promise<void> {
  const { differenceView } = await import('../editor/difference.ts');
  const body = h('div', { class: 'compare' });
  const dialog = h(
    'dialog',
    { 'aria-label': `The other text of ${name}, and this one` },
    body,
    h(
      'div',
      { class: 'buttons' },
      button('Close', () => dialog.close()),
    ),
  );
  const view = differenceView(body, text, workspace.file(name)?.text ?? '');
  dialog.addEventListener('close', () => {
    view.destroy();
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
}
