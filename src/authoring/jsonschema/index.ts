/** JSON Schemas, for editors and for checks without render-rgd. */

export { editorJsonSchema, editorSchemas } from './editor.ts';
export { DIALECT, instanceJsonSchema } from './instance.ts';
export { rgdJsonSchema } from './rgd.ts';
