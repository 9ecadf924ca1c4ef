import { file, instance, type Lesson, rgd } from './lesson.ts';

const front = rgd(
  'Front',
  'spec:\n  port: integer | default=80',
  `- id: service
  template:
    apiVersion: v1
    kind: Service
    metadata:
      name: \${schema.metadata.name}
    spec:
      type: LoadBalancer
      ports:
        - port: \${schema.spec.port}
- id: settings
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: \${schema.metadata.name}
    data:
      address: \${service.status.loadBalancer.ingress[0].ip}`,
);

const pending: Lesson = {
  id: 'pending',
  title: 'Pending values: what only a cluster knows',
  about: [
    'The address of a load balancer exists once a controller has written it. Until then the node that reads it is pending.',
    'The view Objects has a field for each such value. What you fill in there goes into a file of observed objects, as kubectl get would print them.',
  ],
  task: 'Fill in the address 203.0.113.7.',
  files: [file('front.rgd.yaml', front), file('blog.yaml', instance('Front', 'blog', 'port: 80'))],
  expected: [{ object: 'ConfigMap/blog', line: 'address: "203.0.113.7"' }],
  count: 2,
  solution: front,
  added: file(
    'observed.yaml',
    'apiVersion: v1\nkind: Service\nmetadata:\n  name: blog\n  namespace: default\nstatus:\n  loadBalancer:\n    ingress:\n      - ip: 203.0.113.7\n',
    'observed',
  ),
};

const set = (quota: string): string => `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata:
  name: teams
  namespace: default
spec:
  inputs:
    - team: web
      pods: "20"
    - team: data
      pods: "50"
  resources:
    - apiVersion: v1
      kind: Namespace
      metadata:
        name: << inputs.team >>
${quota}`;

const resourceSet: Lesson = {
  id: 'resource-set',
  title: 'A ResourceSet of Flux',
  about: [
    "A ResourceSet renders its resources once for each of its inputs. Its templates stand between << and >>: Go's text/template, with the functions of slim-sprig.",
  ],
  task: 'Add a ConfigMap named limits to the namespace of every team, with data.pods from the inputs. Quote it: values of a ConfigMap are texts.',
  files: [file('teams.yaml', set(''))],
  expected: [{ object: 'ConfigMap/limits', line: 'pods: "20"' }],
  count: 4,
  solution: set(`    - apiVersion: v1
      kind: ConfigMap
      metadata:
        name: limits
        namespace: << inputs.team >>
      data:
        pods: << inputs.pods | quote >>
`),
};

const policy = (team: string, name: string): string =>
  rgd(
    'Bucket',
    `spec:\n  team: string | ${team}`,
    `- id: bucket
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: ${name}
    data:
      team: \${schema.spec.team}`,
  );

const naming: Lesson = {
  id: 'naming',
  title: 'Policies of naming',
  about: [
    'Names of objects are lower-case in Kubernetes. An RGD can refuse what does not fit, with markers such as pattern and maxLength, or make it fit in an expression.',
  ],
  task: 'Make the name of the bucket of its team and its instance in lower case, such as team-data-raw, and allow at most 20 characters for a team.',
  files: [
    file('bucket.rgd.yaml', policy('required=true', '${schema.spec.team}-${schema.metadata.name}')),
    file('raw.yaml', instance('Bucket', 'raw', 'team: Data')),
  ],
  expected: [{ object: 'ConfigMap/team-data-raw', line: 'team: Data' }],
  count: 1,
  solution: policy('required=true maxLength=20', 'team-${schema.spec.team.lowerAscii()}-${schema.metadata.name}'),
};

export const clusters: readonly Lesson[] = [pending, resourceSet, naming];
