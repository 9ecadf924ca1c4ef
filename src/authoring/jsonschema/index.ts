/** JSON Schemas, for editors and for checks without render-rgd. */

export { editorJsonSchema, editorSchemas, rgdJsonSchema } from './editor.ts';
export { DIALECT, instanceJsonSchema } from './instance.ts';
