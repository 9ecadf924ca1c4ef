import type { App, Panel } from '../app.ts';
import { h } from '../ui/dom.ts';
import { ObjectsPanel } from './objects.ts';

export interface Panels {
  readonly objects: ObjectsPanel;
  /** In the order of their tabs. */
  readonly all: readonly Panel[];
}

/** The views of the results. Those that a first visit does not show are loaded when they are opened. */
export function panelsOf(app: App): Panels {
  const objects = new ObjectsPanel(app);
  const graph = lazy('graph', 'Graph', async () => new (await import('./graph.ts')).GraphPanel(app));
  const changes = lazy('changes', 'Changes', async () => new (await import('./changes.ts')).ChangesPanel(app));
  const schema = lazy('schema', 'Schema', async () => new (await import('./schema.ts')).SchemaPanel(app));
  return { objects, all: [objects, graph, changes, schema] };
}

function lazy(id: string, title: string, load: () => Promise<Pick<Panel, 'element' | 'update'>>): Panel {
  const element = h('div', { class: 'lazy' });
  let loaded: ReturnType<typeof load> | undefined;
  const update = async (): Promise<void> => {
    loaded ??= load();
    try {
      const panel = await loaded;
      if (panel.element.parentElement === null) element.replaceChildren(panel.element);
      panel.update();
    } catch (error) {
      // Opening it again loads it again.
      loaded = undefined;
      throw error;
    }
  };
  return { id, title, element, update: () => void update() };
}
