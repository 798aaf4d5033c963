/** Schemas in the manner of well-known definitions: of certificates, of monitors, of routes. */
import type { JsonObject } from '@wherry/kubeapi';

const text: JsonObject = { type: 'string' };
const name: JsonObject = {
  type: 'string',
  minLength: 1,
  maxLength: 12,
  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
};
const condition: JsonObject = {
  type: 'object',
  required: ['type', 'status'],
  properties: {
    type: text,
    status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
    lastTransitionTime: { type: 'string', format: 'date-time' },
  },
};
const status: JsonObject = {
  type: 'object',
  properties: {
    conditions: {
      ...{ type: 'array', items: condition },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
    },
  },
};
const whole = (spec: JsonObject): JsonObject => ({
  type: 'object',
  properties: { apiVersion: text, kind: text, metadata: { type: 'object' }, spec, status },
});

/** By a word for each. */
export const schemas: Readonly<Record<string, JsonObject>> = {
  certificates: whole({
    type: 'object',
    required: ['secretName', 'issuerRef'],
    properties: {
      secretName: name,
      dnsNames: { type: 'array', items: text, maxItems: 3, 'x-kubernetes-list-type': 'set' },
      duration: { type: 'string', format: 'duration' },
      emailAddresses: { type: 'array', items: { type: 'string', format: 'email' } },
      ipAddresses: { type: 'array', items: { type: 'string', format: 'ipv4' } },
      issuerRef: {
        type: 'object',
        required: ['name'],
        properties: { name: text, kind: { type: 'string', default: 'Issuer' }, group: text },
      },
      privateKey: {
        type: 'object',
        default: {},
        properties: {
          size: { type: 'integer', format: 'int32', default: 2048, minimum: 1024, maximum: 8192 },
        },
      },
      isCA: { type: 'boolean', nullable: true },
      revisionHistoryLimit: { type: 'integer', minimum: 0, exclusiveMinimum: true, multipleOf: 5 },
    },
  }),
  monitors: whole({
    type: 'object',
    properties: {
      endpoints: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: {
            port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
            path: { type: 'string', default: '/metrics' },
            params: {
              type: 'object',
              additionalProperties: { type: 'array', items: text },
              maxProperties: 2,
            },
            weight: { type: 'number', minimum: 0.5, maximum: 1.5 },
          },
        },
      },
      extra: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { known: text } },
      template: {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
    },
  }),
  routes: whole({
    type: 'object',
    properties: {
      rules: {
        type: 'array',
        'x-kubernetes-list-type': 'atomic',
        items: {
          type: 'object',
          properties: {
            matches: { type: 'array', items: { type: 'object', properties: { value: text, exact: text } } },
            timeout: { type: 'string', pattern: '^([0-9]{1,5}(h|m|s|ms)){1,4}$' },
            filter: {
              type: 'object',
              properties: { redirect: text, rewrite: text },
              oneOf: [{ required: ['redirect'] }, { required: ['rewrite'] }],
            },
          },
        },
      },
      matrix: { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
    },
  }),
};
