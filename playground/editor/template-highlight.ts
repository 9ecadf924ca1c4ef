import { RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  type PluginValue,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { ownValue } from '../../src/core/model/value.ts';
import { type TemplateRange, templatesIn } from './templates.ts';

const TOKEN =
  /(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<number>\b\d+(?:\.\d+)?\b)|(?<keyword>\b(?:true|false|null|in|if|else|end|range|with|define|template|block)\b)|(?<call>\b[A-Za-z_]\w*(?=\())|(?<name>[.$]?[A-Za-z_]\w*)/gu;

const marks: Readonly<Record<string, Decoration>> = Object.fromEntries(
  ['edge', 'string', 'number', 'keyword', 'call', 'name'].map((kind) => [
    kind,
    Decoration.mark({ class: `cm-tpl cm-tpl-${kind}` }),
  ]),
);

/** The maximum distance of the start of an expression above the visible part. */
const REACH = 2000;

function decorate(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from: first, to } of view.visibleRanges) {
    const from = Math.max(0, first - REACH);
    const text = view.state.sliceDoc(from, Math.min(view.state.doc.length, to + REACH));
    for (const range of templatesIn(text)) {
      if (from + range.to >= first && from + range.from <= to) addTokens(builder, text, from, range);
    }
  }
  return builder.finish();
}

function addTokens(
  builder: RangeSetBuilder<Decoration>,
  text: string,
  base: number,
  { from, to, edge }: TemplateRange,
): void {
  const open = from + 2;
  builder.add(base + from, base + open, marks.edge as Decoration);
  for (const match of text.slice(open, to - edge).matchAll(TOKEN)) {
    const kind = Object.keys(match.groups ?? {}).find((name) => ownValue(match.groups, name) !== undefined) ?? 'name';
    const at = base + open + match.index;
    builder.add(at, at + match[0].length, ownValue(marks, kind) as Decoration);
  }
  builder.add(base + to - edge, base + to, marks.edge as Decoration);
}

/** Highlights CEL inside `${}` and Go templates inside `<< >>`. */
export const templateHighlight = ViewPlugin.fromClass(
  class implements PluginValue {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = decorate(view);
    }
    update({ docChanged, viewportChanged, view }: ViewUpdate): void {
      if (docChanged || viewportChanged) this.decorations = decorate(view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);
