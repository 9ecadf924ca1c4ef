import { render, toYaml } from 'render-rgd';
import { evaluate } from 'render-rgd/cel';

const text = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: note}
spec:
  schema: {apiVersion: v1alpha1, kind: Note, spec: {text: string}}
  resources:
  - id: cm
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${schema.metadata.name}"}, data: {t: "\${schema.spec.text}"}}
---
apiVersion: kro.run/v1alpha1
kind: Note
metadata: {name: a, namespace: desk}
spec: {text: rendered in a page}
`;

try {
  const { objects, diagnostics } = render({ objects: [{ file: 'note.yaml', text }] });
  const { value } = evaluate('isIP(address)', { address: '192.0.2.1' });
  document.body.textContent = `${diagnostics.length} diagnostics, ${value}\n${toYaml(objects)}`;
} catch (error) {
  document.body.textContent = `failed: ${error.stack}`;
}
