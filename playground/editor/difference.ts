import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { bare } from './setup.ts';
import { readOnly } from './small.ts';

/** Shows two texts in one view: removed lines above added ones, unchanged lines folded. */
export const differenceView = (parent: HTMLElement, before: string, after: string): EditorView =>
  new EditorView({
    parent,
    state: EditorState.create({
      doc: after,
      extensions: [
        bare,
        readOnly('Difference', after),
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
