import { application } from './repository.ts';

export const app = (name: string, more = ''): string =>
  application(name, `{ path: apps/${name} }`).replace(
    `{ name: ${name} }`,
    `{ name: ${name}, finalizers: [resources-finalizer.argocd.argoproj.io]${more} }`,
  );
export const map = (name: string, value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { a: ${value} }\n`;
export const server = (image: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec:\n  replicas: 2\n  selector: { matchLabels: { a: b } }\n  template:\n    metadata: { labels: { a: b } }\n    spec: { containers: [{ name: web, image: "${image}" }] }\n`;
export const claim =
  'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: db }\nspec: { resources: { requests: { storage: 10Gi } } }\n';
