import { graph, type Picture } from '../../src/api/tools/index.ts';
import { layoutPicture } from '../../src/describe/graph/index.ts';
import { definedKinds, instancesIn } from './instances.ts';
import { inputOf, optionsOf } from './package.ts';
import type { GraphPicture, Graphs, Package, Size } from './protocol.ts';
import { scaleOf } from './scale.ts';

/** Graphs that are drawn smaller than this are drawn in the other direction too. */
const READABLE = 0.7;
/** How much larger the other direction has to be. */
const GAIN = 1.1;
/**
 * Returns the graph of an instance, with the states of its nodes; with '' that of the first one, and of the RGDs if
 * there is no instance.
 */
export function graphsOf(pack: Package, asked: string, panel: Size): Graphs {
  const instances = instancesIn(pack, definedKinds(pack));
  const instance = instances.includes(asked) ? asked : instances[0];
  const options = { ...optionsOf(pack), ...(instance === undefined ? {} : { instance }) };
  const { pictures, diagnostics } = graph(inputOf(pack), options);
  return { instances, pictures: pictures.map((picture) => fitting(picture, pictures, panel)), diagnostics };
}

/** Draws a picture from left to right, or from top to bottom if that is easier to read. */
function fitting(picture: Picture, pictures: readonly Picture[], panel: Size): GraphPicture {
  const across = drawn(picture, pictures, 'LR');
  const scale = scaleOf(across, panel);
  if (scale >= READABLE) return across;
  const down = drawn(picture, pictures, 'TB');
  return scaleOf(down, panel) > scale * GAIN ? down : across;
}

function drawn(picture: Picture, pictures: readonly Picture[], direction: 'LR' | 'TB'): GraphPicture {
  const { lines, layout } = layoutPicture(picture, pictures, { direction });
  const nodes = picture.nodes.map((node, index) => {
    const { x, y, width, height } = layout.boxes[index] ?? { x: 0, y: 0, width: 0, height: 0 };
    return {
      id: node.id,
      lines: lines[index] ?? [],
      outcome: node.outcome ?? '',
      external: node.kind === 'external' || node.kind === 'externalCollection',
      collection: node.kind === 'collection' || node.kind === 'externalCollection',
      conditions: node.conditions,
      x: x - width / 2,
      y: y - height / 2,
      width,
      height,
    };
  });
  const { arrows, width, height } = layout;
  return { name: picture.name, title: picture.title, instances: picture.instances ?? [], nodes, arrows, width, height };
}
