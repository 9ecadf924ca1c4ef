import { button, byId, h } from './dom.ts';
import { icon } from './icons.ts';

/** Milliseconds until a notice leaves, without and with an action. */
const STAY = 6000;
const STAY_WITH_ACTION = 15_000;

/** The messages of browsers for a module that cannot be loaded. */
const NOT_LOADED = /dynamically imported module|module script failed|error loading dynamically/i;
const MISSING_PART = 'A part of this page could not be loaded: you are offline, or the page was updated.';

let leaving = 0;

/** Shows a message at the top of the page, with an optional action. It leaves after some seconds. */
export function notify(message: string, action?: { readonly text: string; readonly run: () => void }): void {
  show(message, action, action === undefined ? STAY : STAY_WITH_ACTION);
}

/** Shows a message that stays until it is dismissed or replaced. */
export function notifyFault(message: string, action?: { readonly text: string; readonly run: () => void }): void {
  show(message, action, undefined);
}

function show(
  message: string,
  action: { readonly text: string; readonly run: () => void } | undefined,
  stay: number | undefined,
): void {
  const element = byId('notice');
  clearTimeout(leaving);
  const close = (): void => {
    clearTimeout(leaving);
    element.replaceChildren();
  };
  const dismiss = h(
    'button',
    { type: 'button', class: 'plain', 'aria-label': 'Dismiss', on: { click: close } },
    icon('close'),
  );
  const run = (): void => {
    close();
    action?.run();
  };
  element.replaceChildren(
    // sentence: a browser gives no code of the error
    NOT_LOADED.test(message) ? MISSING_PART : message,
    ...(action === undefined ? [] : [' ', button(action.text, run)]),
    dismiss,
  );
  if (stay === undefined) return;
  // It stays while somebody reads it or is about to use its action.
  const leaveLater = (): void => {
    clearTimeout(leaving);
    leaving = window.setTimeout(() => (element.matches(':hover, :focus-within') ? leaveLater() : close()), stay);
  };
  leaveLater();
}

/** Shows errors of the page itself, so that users do not wait for a result. */
export function reportFaults(): void {
  const report = (message: string): void => {
    // sentence: a browser gives no code of the error
    if (NOT_LOADED.test(message)) notifyFault(MISSING_PART, { text: 'Reload', run: () => location.reload() });
    else notifyFault(`This page has a fault: ${message}`);
  };
  addEventListener('error', ({ message }) => report(message));
  addEventListener('unhandledrejection', (event) => {
    const { reason } = event;
    report(reason instanceof Error ? reason.message : String(reason));
  });
}
