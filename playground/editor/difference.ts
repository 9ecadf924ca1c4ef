import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { bare, readOnly } from './setup.ts';

/** Two texts in one view: what went is shown above what came, what stayed is folded. */
export const differenceView = (parent: HTMLElement, before: string, after: string): EditorView =>
  new EditorView({
    parent,
    state: EditorState.create({
      doc: after,
      extensions: [
        bare,
        readOnly('Difference of the rendered objects'),
        unifiedMergeView({
          original: before,
          mergeControls: false,
          gutter: true,
          collapseUnchanged: { margin: 3, minSize: 6 },
          diffConfig: { scanLimit: 1000, timeout: 500 },
        }),
      ],
    }),
  });
