import { button, byId } from './dom.ts';

/** Says something at the foot of the page, perhaps with something to do about it. */
export function notify(message: string, action?: { readonly text: string; readonly run: () => void }): void {
  const element = byId('notice');
  element.replaceChildren(message);
  if (action === undefined) return;
  const run = (): void => {
    action.run();
    element.replaceChildren();
  };
  element.append(' ', button(action.text, run));
}

/** Faults of the page itself are shown, so that nobody waits in vain. */
export function reportFaults(): void {
  addEventListener('error', ({ message }) => notify(`This page has a fault: ${message}`));
  addEventListener('unhandledrejection', ({ reason }) => {
    notify(`This page has a fault: ${reason instanceof Error ? reason.message : String(reason)}`);
  });
}
