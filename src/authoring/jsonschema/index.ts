/** JSON Schemas, for editors and for checks without render-rgd. */

export { toJsonSchema } from './convert.ts';
export { editorJsonSchema, editorSchemas } from './editor.ts';
export { DIALECT, instanceJsonSchema } from './instance.ts';
export { rgdJsonSchema } from './rgd.ts';
