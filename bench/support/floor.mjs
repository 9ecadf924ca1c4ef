// Reads the input and writes the same objects with js-yaml alone: floor.mjs INPUT.yaml OBJECTS.json
import { readFileSync } from 'node:fs';
import { dump, loadAll } from 'js-yaml';

const [input, objects] = process.argv.slice(2).map((file) => readFileSync(file, 'utf8'));
loadAll(input);
process.stdout.write(
  JSON.parse(objects)
    .map((object) => dump(object))
    .join('---\n'),
);
