import type { RenderInput, RenderOptions, RenderOutput } from './model/render.ts';

/** Renders a package: parse, compile, admit, expand, label. Pure; printing is the caller's. */
export declare function renderPackage(input: RenderInput, options: RenderOptions): RenderOutput;
