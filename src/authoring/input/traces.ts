import { Collector } from '../../core/diagnostics/index.ts';
import type { RenderInput, Trace } from '../../core/model/render.ts';
import { addTrace } from '../../kro/admit/index.ts';
import { isRgd } from '../../kro/definition/index.ts';
import { objectsIn, readStreams, type TextStream } from '../../yaml/parse/index.ts';

/** Texts, and after the last one why there are no more, if some are left. */
export type TextsAround = Iterator<TextStream, string | undefined>;

/**
 * Returns a function that finds what shows, in the texts around an input, that objects of a kind have to be rendered: an
 * RGD, its CRD, or rendered objects. The texts are read when it is called first, so usually never.
 */
export function tracesIn(around: () => TextsAround): NonNullable<RenderInput['traceFor']> {
  let unread: TextStream[] | undefined;
  let left: string | undefined;
  const traces = new Map<string, Trace>();
  return (kind) => {
    if (unread === undefined) {
      unread = [];
      const texts = around();
      let next = texts.next();
      for (; !next.done; next = texts.next()) if (SIGNS.test(next.value.text)) unread.push(next.value);
      left = next.value;
    }
    const name = kind.slice(0, kind.indexOf('.'));
    const named = unread.filter(({ text }) => text.includes(name));
    unread = unread.filter((one) => !named.includes(one));
    for (const one of named) {
      for (const object of objectsOf(one)) {
        addTrace(object, `in ${one.file}`, traces, isRgd(object) ? `read it with definitions: ${one.file}` : undefined);
      }
    }
    return traces.get(kind) ?? (left === undefined ? undefined : { message: left, isDoubtful: true });
  };
}

const SIGNS = /ResourceGraphDefinition|kro\.run\/(?:instance-kind|owned|resource-graph-definition)/;

/** Returns the objects of a text; those of a template of helm as far as they do not depend on its actions. */
function objectsOf({ file, text }: TextStream) {
  const plain = text.replace(/^[ \t]*\{\{.*\}\}[ \t]*$/gm, '').replace(/\{\{.*?\}\}/g, 'x');
  return objectsIn(readStreams([{ file, text: plain }], new Collector())).map(({ object }) => object);
}
