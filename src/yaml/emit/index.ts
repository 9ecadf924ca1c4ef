export { jsonNumber, toJsonText, yamlNumber } from './json.ts';
export { doubleQuoted, yamlScalar } from './scalar.ts';
export { documentWriter, itemWriter, toYaml, writeYaml } from './yaml.ts';
