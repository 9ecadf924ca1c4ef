import { autocompletion, type Completion, completionKeymap, snippet } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { hoverTooltip, keymap } from '@codemirror/view';
import { ownValue } from '../../src/core/model/value.ts';
import type { Completions } from '../engine/protocol.ts';
import { h } from '../ui/dom.ts';
import { templateOfSnippet } from './snippet.ts';

const TYPES: Readonly<Record<string, string>> = { field: 'property', macro: 'keyword', value: 'constant' };

/** Completes and explains by the answers for an offset; an answer that is replaced by a newer one is nothing. */
export const assisted = (
  complete: (at: number) => Promise<Completions | undefined>,
  explain: (at: number) => Promise<string | undefined>,
): Extension => [
  autocompletion({
    override: [
      async ({ pos, explicit, state }) => {
        const before = state.sliceDoc(Math.max(0, pos - 1), pos);
        if (!explicit && !/[\w.?]/.test(before)) return null;
        const found = await complete(pos).catch(() => undefined);
        if (found === undefined || found.items.length === 0) return null;
        return { from: found.from, options: found.items.map(optionOf), validFor: /^\w*$/ };
      },
    ],
  }),
  hoverTooltip(async (_, pos) => {
    const text = await explain(pos).catch(() => undefined);
    if (text === undefined) return null;
    return { pos, above: true, create: () => ({ dom: h('pre', { class: 'explained' }, text) }) };
  }),
  keymap.of(completionKeymap),
];

const optionOf = ({ label, kind, text, isSnippet, detail, about, rank }: Completions['items'][number]): Completion => ({
  label,
  type: ownValue(TYPES, kind) ?? kind,
  detail,
  boost: -rank,
  apply: isSnippet ? snippet(templateOfSnippet(text)) : text,
  ...(about === undefined ? {} : { info: about }),
});
