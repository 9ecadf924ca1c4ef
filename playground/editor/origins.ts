import { RangeSet, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';

/** A line that the shown value comes from, by an offset in it, with the colour of its step. */
export interface OriginLine {
  readonly at: number;
  readonly depth: number;
}

export const setOrigins = StateEffect.define<readonly OriginLine[]>();

const lineOf = (depth: number): Decoration => Decoration.line({ class: `cm-origin depth-${depth}` });

/** Marks the lines that the shown value comes from. */
export const originLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (lines, { effects, changes, newDoc }) => {
    let now = lines.map(changes);
    for (const effect of effects) {
      if (!effect.is(setOrigins)) continue;
      const depths = new Map<number, number>();
      for (const { at, depth } of effect.value) {
        const { from } = newDoc.lineAt(Math.min(at, newDoc.length));
        if (!depths.has(from)) depths.set(from, depth);
      }
      const starts = [...depths].sort(([a], [b]) => a - b);
      now = RangeSet.of(starts.map(([from, depth]) => lineOf(depth).range(from)));
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});
