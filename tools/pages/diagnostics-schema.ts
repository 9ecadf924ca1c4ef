import { diagnosticsSchema } from '../../src/check/reports/index.ts';
import { DIALECT } from '../../src/describe/jsonschema/index.ts';
import { toJsonText } from '../../src/yaml/emit/index.ts';

/** Returns data/diagnostics.schema.json, which the package contains. */
export const diagnosticsSchemaFile = (): string => `${toJsonText(diagnosticsSchema(DIALECT), 2)}\n`;
