import { button, h } from './dom.ts';

/** Asks for a text in a dialog; returns undefined if the user cancels. `check` returns the error of a text. */
export function askText(
  title: string,
  value: string,
  check: (text: string) => string | undefined,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const input = h('input', {
      type: 'text',
      id: 'ask-value',
      autocomplete: 'off',
      spellcheck: 'false',
      'aria-describedby': 'ask-fault',
    });
    input.value = value;
    const fault = h('p', { class: 'fault', id: 'ask-fault', role: 'alert' });
    const form = h(
      'form',
      { method: 'dialog' },
      h('label', { for: 'ask-value' }, title),
      input,
      fault,
      h(
        'div',
        { class: 'buttons' },
        h('button', { type: 'submit', class: 'primary' }, 'OK'),
        button('Cancel', () => dialog.close()),
      ),
    );
    const dialog = h('dialog', { 'aria-label': title }, form);
    let answer: string | undefined;
    form.addEventListener('submit', (event) => {
      const wrong = check(input.value.trim());
      if (wrong === undefined) {
        answer = input.value.trim();
        return;
      }
      event.preventDefault();
      fault.textContent = wrong;
      input.focus();
    });
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
    input.select();
  });
}
