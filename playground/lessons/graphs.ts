import { file, instance, type Lesson, rgd } from './lesson.ts';

const chain = (selector: string): string =>
  rgd(
    'App',
    'spec:\n  port: integer | default=80',
    `- id: server
  template:
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: \${schema.metadata.name}
    spec:
      selector:
        matchLabels:
          app: \${schema.metadata.name}-v1
      template:
        metadata:
          labels:
            app: \${schema.metadata.name}-v1
        spec:
          containers:
            - name: web
              image: nginx:1.27
- id: service
  template:
    apiVersion: v1
    kind: Service
    metadata:
      name: \${schema.metadata.name}
    spec:
      selector: ${selector}
      ports:
        - port: \${schema.spec.port}`,
  );

const chaining: Lesson = {
  id: 'chaining',
  title: 'Chaining: a node reads another one',
  about: [
    'An expression may read the objects of other nodes by their ids: server.metadata.name. The graph follows from what is read; nobody writes it down.',
  ],
  task: 'The Service selects the wrong pods. Let it take the whole selector of the Deployment, spec.selector.matchLabels.',
  files: [
    file('app.rgd.yaml', chain('{app: "${schema.metadata.name}"}')),
    file('shop.yaml', instance('App', 'shop', 'port: 8080')),
  ],
  expected: [{ object: 'Service/shop', line: 'app: shop-v1' }],
  count: 2,
  solution: chain('${server.spec.selector.matchLabels}'),
};

const database = (status: string): string =>
  rgd(
    'Database',
    `spec:\n  port: integer | default=5432${status}`,
    `- id: service
  template:
    apiVersion: v1
    kind: Service
    metadata:
      name: \${schema.metadata.name}-db
    spec:
      ports:
        - port: \${schema.spec.port}`,
  );

const consumer = (address: string): string =>
  rgd(
    'Shop',
    'spec:\n  title: string',
    `- id: database
  template:
    apiVersion: kro.run/v1alpha1
    kind: Database
    metadata:
      name: \${schema.metadata.name}
    spec:
      port: 5433
- id: settings
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: \${schema.metadata.name}
    data:
      database: ${address}`,
  );

const ADDRESS = '${database.status.address}';
const STATUS = '\nstatus:\n  address: ${service.metadata.name + ":" + string(service.spec.ports[0].port)}';

const status: Lesson = {
  id: 'status',
  title: 'Status: what a kind tells about itself',
  about: [
    'spec.schema.status says in expressions what users of a kind may read of its instances. Its types follow from the expressions.',
    'The shop reads database.status.address, which no one has written yet.',
  ],
  task: 'Give Database a status with an address of the form NAME:PORT, made of its Service.',
  files: [
    file('database.rgd.yaml', database('')),
    file('shop.rgd.yaml', consumer(ADDRESS)),
    file('books.yaml', instance('Shop', 'books', 'title: Books')),
  ],
  expected: [{ object: 'ConfigMap/books', line: 'database: books-db:5433' }],
  count: 2,
  solution: database(STATUS),
};

const nested: Lesson = {
  id: 'nested',
  title: 'Nested RGDs: a node that is an instance',
  about: [
    'A template may make an instance of another RGD. It is rendered in its place, and its status can be read like that of any node.',
  ],
  task: 'Let the shop use the database that it makes: put its address into the ConfigMap.',
  files: [
    file('shop.rgd.yaml', consumer('localhost')),
    file('database.rgd.yaml', database(STATUS)),
    file('books.yaml', instance('Shop', 'books', 'title: Books')),
  ],
  expected: [{ object: 'ConfigMap/books', line: 'database: books-db:5433' }],
  count: 2,
  solution: consumer(ADDRESS),
};

const reader = (reference: string, zone: string): string =>
  rgd(
    'Record',
    'spec:\n  host: string',
    `${reference}- id: record
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: \${schema.metadata.name}
    data:
      name: ${zone}`,
  );

const references: Lesson = {
  id: 'references',
  title: 'References: objects that are already there',
  about: [
    'externalRef names an object that somebody else owns, by name or by selector. It is read from the package or from observed objects, and never rendered.',
  ],
  task: 'Read the ConfigMap platform of the namespace default through a node with the id platform, and make the name HOST.ZONE of it, with its data.zone.',
  files: [
    file('record.rgd.yaml', reader('', '${schema.spec.host}')),
    file('www.yaml', instance('Record', 'www', 'host: www')),
    file(
      'observed.yaml',
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: platform\n  namespace: default\ndata:\n  zone: example.com\n',
      'observed',
    ),
  ],
  expected: [{ object: 'ConfigMap/www', line: 'name: www.example.com' }],
  count: 1,
  solution: reader(
    '- id: platform\n  externalRef:\n    apiVersion: v1\n    kind: ConfigMap\n    metadata:\n      name: platform\n      namespace: default\n',
    '${schema.spec.host}.${platform.data.zone}',
  ),
};

export const graphs: readonly Lesson[] = [chaining, status, references, nested];
