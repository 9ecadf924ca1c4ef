import type { JsonMap } from './types.ts';

/**
 * A kind with features that core kinds rarely have: int-or-string, keyed lists, preserved unknown fields, an embedded
 * object.
 */
export const widgets: JsonMap = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Widget', listKind: 'WidgetList', plural: 'widgets', singular: 'widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  size: { type: 'integer', format: 'int32' },
                  ratio: { type: 'number' },
                  title: { type: 'string' },
                  enabled: { type: 'boolean' },
                  tags: { type: 'array', items: { type: 'string' } },
                  marks: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
                  limits: { type: 'object', additionalProperties: { type: 'integer' } },
                  port: { 'x-kubernetes-int-or-string': true },
                  free: { 'x-kubernetes-preserve-unknown-fields': true },
                  open: {
                    type: 'object',
                    'x-kubernetes-preserve-unknown-fields': true,
                    properties: { known: { type: 'string' } },
                  },
                  rules: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: { name: { type: 'string' }, weight: { type: 'integer' } },
                    },
                  },
                  embedded: {
                    type: 'object',
                    'x-kubernetes-embedded-resource': true,
                    'x-kubernetes-preserve-unknown-fields': true,
                  },
                },
              },
              status: { type: 'object', properties: { phase: { type: 'string' }, ready: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
};
