import type { InputObject } from '../../core/model/object.ts';
import type { OnPending } from '../../core/model/render.ts';
import type { TextStream } from '../../yaml/parse/index.ts';

/** The input of doctor. */
export interface Examined {
  /** All texts, including kustomizations. */
  streams: readonly TextStream[];
  objects: readonly InputObject[];
  /** RGDs of other folders. */
  definitions: readonly InputObject[];
  onPending: OnPending;
}
