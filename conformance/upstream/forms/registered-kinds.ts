/** Kinds of which the server itself takes note. Both servers work on their objects meanwhile, so that they are only tried. */
import type { PatchedKind } from '../patches/kinds.ts';

/** One of them, whose objects' names follow from what they say. */
export interface RegisteredKind extends PatchedKind {
  /** Of the object that a word stands for, which is `«word»` in what it says. */
  nameOf(word: string): string;
}

const version = (name: string, more: object = {}) => ({
  ...{ name, served: true, storage: name === 'v1' },
  schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  ...more,
});

const definition: RegisteredKind = {
  ...{ apiVersions: ['apiextensions.k8s.io/v1'], kind: 'CustomResourceDefinition', namespaced: false },
  plural: 'customresourcedefinitions',
  nameOf: (word) => `${word}s.forms.example.com`,
  base: {
    spec: {
      group: 'forms.example.com',
      names: { kind: '«word»', plural: '«word»s' },
      scope: 'Namespaced',
      versions: [version('v1')],
    },
  },
  ways: [
    {
      spec: {
        names: { singular: '«word»', shortNames: ['f', 'g'], categories: ['all'], listKind: 'Words' },
        scope: 'Cluster',
        versions: [
          version('v1', {
            schema: {
              openAPIV3Schema: {
                ...{ type: 'object', description: 'd', required: ['spec'] },
                properties: {
                  spec: {
                    type: 'object',
                    properties: {
                      size: { type: 'integer', minimum: 0, maximum: 9, default: 3, format: 'int32' },
                      ratio: { type: 'number', multipleOf: 0.5, exclusiveMinimum: true, nullable: true },
                      mode: { type: 'string', enum: ['a', 'b'], pattern: '^a', maxLength: 3 },
                      list: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
                      port: { 'x-kubernetes-int-or-string': true },
                    },
                    'x-kubernetes-validations': [
                      { rule: 'self.size > 1', message: 'm', reason: 'FieldValueInvalid' },
                    ],
                  },
                },
              },
            },
            subresources: {
              status: {},
              scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' },
            },
            additionalPrinterColumns: [
              { name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 1 },
            ],
            selectableFields: [{ jsonPath: '.spec.mode' }],
          }),
        ],
      },
    },
    {
      spec: {
        preserveUnknownFields: false,
        conversion: {
          strategy: 'Webhook',
          webhook: {
            conversionReviewVersions: ['v1'],
            clientConfig: { service: { namespace: 'n', name: 's', path: '/p', port: 444 } },
          },
        },
        versions: [version('v1'), version('v2', { deprecated: true, deprecationWarning: 'old' })],
      },
    },
  ],
};

const apiService: RegisteredKind = {
  ...{ apiVersions: ['apiregistration.k8s.io/v1'], kind: 'APIService', namespaced: false },
  plural: 'apiservices',
  nameOf: (word) => `v1.${word}.example.com`,
  base: {
    spec: { group: '«word».example.com', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 10 },
  },
  ways: [
    { spec: { service: { namespace: 'n', name: 's', port: 444 }, insecureSkipTLSVerify: true } },
    { spec: { service: { namespace: 'n', name: 't' }, versionPriority: 5, groupPriorityMinimum: 2000 } },
  ],
};

/** All of them. */
export const registeredKinds: readonly RegisteredKind[] = [definition, apiService];
