import type { InputObject } from '../../core/model/object.ts';
import type { OnPending } from '../../core/model/render.ts';
import type { TextStream } from '../../yaml/parse/index.ts';

/** What is looked at. */
export interface Examined {
  /** Every text that was read, kustomizations among them. */
  streams: readonly TextStream[];
  objects: readonly InputObject[];
  /** RGDs from elsewhere. */
  definitions: readonly InputObject[];
  onPending: OnPending;
}
