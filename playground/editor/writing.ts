import { autocompletion, closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { type Extension, Prec } from '@codemirror/state';
import { keymap } from '@codemirror/view';

/** What an editor needs only when somebody types: completion, brackets, search. It is loaded after the first rendering. */
export const writing: Extension = [
  closeBrackets(),
  autocompletion(),
  highlightSelectionMatches(),
  Prec.high(keymap.of([...closeBracketsKeymap, ...searchKeymap])),
];
