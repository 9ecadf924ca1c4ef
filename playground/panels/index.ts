import type { App, Panel } from '../app.ts';
import { CrdPanel } from './crds.ts';
import { DifferencePanel } from './difference.ts';
import { FormPanel } from './form.ts';
import { GraphPanel } from './graph.ts';
import { ObjectsPanel } from './objects.ts';
import { PendingPanel } from './pending.ts';

export interface Panels {
  readonly objects: ObjectsPanel;
  readonly difference: DifferencePanel;
  /** In the order of their tabs. */
  readonly all: readonly Panel[];
}

/** The views of the results. */
export function panelsOf(app: App): Panels {
  const objects = new ObjectsPanel(app);
  const difference = new DifferencePanel(app);
  const all = [objects, new GraphPanel(app), new PendingPanel(app), new CrdPanel(app), new FormPanel(app), difference];
  return { objects, difference, all };
}
