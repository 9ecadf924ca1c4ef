import { button, byId } from './dom.ts';

/** Shows a message at the bottom of the page, with an optional action. */
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

/** Shows errors of the page itself, so that users do not wait for a result. */
export function reportFaults(): void {
  addEventListener('error', ({ message }) => notify(`This page has a fault: ${message}`));
  addEventListener('unhandledrejection', ({ reason }) => {
    notify(`This page has a fault: ${reason instanceof Error ? reason.message : String(reason)}`);
  });
}
