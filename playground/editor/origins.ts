import { RangeSet, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';

/** The offsets of the lines that the shown value comes from. */
export const setOrigins = StateEffect.define<readonly number[]>();

const line = Decoration.line({ class: 'cm-origin' });

/** Marks the lines that the shown value comes from. */
export const originLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (lines, { effects, changes, newDoc }) => {
    let now = lines.map(changes);
    for (const effect of effects) {
      if (!effect.is(setOrigins)) continue;
      const starts = new Set(effect.value.map((at) => newDoc.lineAt(Math.min(at, newDoc.length)).from));
      now = RangeSet.of([...starts].sort((a, b) => a - b).map((from) => line.range(from)));
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});
