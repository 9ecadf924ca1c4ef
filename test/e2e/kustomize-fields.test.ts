import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { recorded } from '../cli/plugin/kustomize-fields.ts';
import { bundle, describeWith, execute } from './sandbox.ts';

describeWith('go', (go) => {
  it("the recorded fields are those of kustomize's own types", () => {
    const cwd = join(dirname(dirname(bundle)), 'tools/kustomize-fields');
    const { code, stdout, stderr } = execute(go, ['run', '.'], { cwd });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    // After an update of kustomize, run: go run . > ../../test/cli/plugin/kustomize-fields.json, and update
    // data/kustomize-fields.json.
    expect(JSON.parse(stdout)).toEqual(recorded);
  });
});
