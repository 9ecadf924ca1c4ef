import type { InputObject } from '../model/object.ts';
import type { OnPending } from '../model/render.ts';
import type { TextStream } from '../parse/index.ts';

/** What is looked at. */
export interface Examined {
  /** Every text that was read, kustomizations among them. */
  streams: readonly TextStream[];
  objects: readonly InputObject[];
  /** RGDs from elsewhere. */
  definitions: readonly InputObject[];
  onPending: OnPending;
}
