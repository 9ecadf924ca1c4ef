/** A package of one RGD and an instance, for tests of the page. */
export const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: note
spec:
  schema:
    apiVersion: v1alpha1
    kind: Note
    spec:
      text: string
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: \${schema.metadata.name}
        data:
          text: \${schema.spec.text}
`;
export const NOTE = `apiVersion: kro.run/v1alpha1
kind: Note
metadata: {name: first, namespace: notes}
spec: {text: hello}
`;
export const NOTES = [
  { name: 'note.rgd.yaml', text: RGD },
  { name: 'first.yaml', text: NOTE },
];
