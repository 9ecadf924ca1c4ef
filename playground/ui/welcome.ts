import type { App } from '../app.ts';
import { isWelcomed, saveWelcomed } from '../state/storage.ts';
import { byId } from './dom.ts';

/** Shows the introduction above one's own files until the first edit, or until it is closed; the page contains its text. */
export function showWelcome({ goTo, keeper, workspace }: App): void {
  const element = byId('welcome');
  element.hidden = isWelcomed() || keeper.isFolder || keeper.place.kind !== 'own';
  if (element.hidden) return;
  const close = (): void => {
    saveWelcomed();
    element.hidden = true;
  };
  const start = element.querySelector<HTMLElement>('.start');
  const end = element.querySelector<HTMLElement>('.close');
  if (start === null || end === null) return;
  start.onclick = () => {
    close();
    goTo('#lesson=for-each');
  };
  end.onclick = close;
  workspace.listen((change) => {
    if (change === 'text' && !element.hidden) close();
  });
}
