import { notify } from '../ui/notice.ts';
import type { Workspace } from './workspace.ts';

/** The pause in milliseconds after the last edit before a file is written. */
const QUIET = 500;

/** Sends changes of opened files to `render-rgd playground --write`, which serves the page. */
export function saveChanges(workspace: Workspace): void {
  const written = new Map(workspace.files.map(({ name, text }) => [name, text]));
  let timer = 0;
  const save = async (): Promise<void> => {
    for (const { name, text } of workspace.files) {
      if (!written.has(name) || written.get(name) === text) continue;
      written.set(name, text);
      await send(name, text);
    }
  };
  workspace.listen((change) => {
    if (change !== 'text') return;
    clearTimeout(timer);
    timer = window.setTimeout(() => void save(), QUIET);
  });
}

async function send(name: string, text: string): Promise<void> {
  try {
    const body = JSON.stringify({ name, text });
    const answer = await fetch('./save', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    notify(answer.ok ? `${name} was written.` : `${name} was not written: ${await answer.text()}`);
  } catch {
    notify(`${name} was not written: render-rgd playground does not answer any more.`);
  }
}
