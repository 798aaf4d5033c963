/** Policies in CEL and their bindings. */
import type { JsonObject } from '@wherry/kubeapi';

const metadata = { name: 'web' };
const rule: JsonObject = {
  apiGroups: ['', 'apps'],
  apiVersions: ['v1'],
  operations: ['CREATE', 'UPDATE'],
  resources: ['configmaps', 'deployments'],
  resourceNames: ['a', 'b'],
};
const group = 'admissionregistration.k8s.io/v1';

export const policies: Readonly<Record<string, readonly JsonObject[]>> = {
  [`${group}/ValidatingAdmissionPolicy`]: [
    {
      metadata,
      spec: {
        matchConstraints: { resourceRules: [{ ...rule, resourceNames: [] }] },
        validations: [{ expression: 'has(object.data)' }],
      },
    },
    {
      metadata,
      spec: {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        failurePolicy: 'Ignore',
        matchConstraints: {
          resourceRules: [rule],
          excludeResourceRules: [{ ...rule, scope: 'Namespaced' }],
          matchPolicy: 'Exact',
          namespaceSelector: { matchLabels: { a: 'b' } },
          objectSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
        },
        matchConditions: [
          { name: 'first', expression: "request.operation == 'CREATE'" },
          { name: 'example.com/second', expression: 'params != null' },
        ],
        variables: [
          { name: 'size', expression: 'size(object.data)' },
          { name: 'most', expression: 'int(params.data.most)' },
        ],
        validations: [
          {
            expression: 'variables.size <= variables.most',
            messageExpression: "'at most ' + string(variables.most)",
            reason: 'Forbidden',
          },
          { expression: "namespaceObject.metadata.name != 'x'", message: 'not there' },
        ],
        auditAnnotations: [
          { key: 'size', valueExpression: 'string(variables.size)' },
          { key: 'who', valueExpression: 'request.userInfo.username' },
        ],
      },
      status: {
        observedGeneration: 1,
        typeChecking: {
          expressionWarnings: [{ fieldRef: 'spec.validations[0].expression', warning: 'no such field' }],
        },
        conditions: [
          {
            ...{ type: 'Ready', status: 'True', reason: 'Checked', message: '' },
            lastTransitionTime: '2026-01-01T00:00:00Z',
          },
        ],
      },
    },
  ],
  [`${group}/ValidatingAdmissionPolicyBinding`]: [
    { metadata, spec: { policyName: 'web', validationActions: ['Deny', 'Audit'] } },
    {
      metadata,
      spec: {
        policyName: 'web',
        paramRef: { name: 'limits', namespace: 'default', parameterNotFoundAction: 'Deny' },
        matchResources: { resourceRules: [rule], objectSelector: { matchLabels: { a: 'b' } } },
        validationActions: ['Warn'],
      },
    },
    {
      metadata,
      spec: {
        policyName: 'web',
        paramRef: { selector: { matchLabels: { a: 'b' } }, parameterNotFoundAction: 'Allow' },
        validationActions: ['Audit'],
      },
    },
  ],
  [`${group}/MutatingAdmissionPolicy`]: [
    {
      metadata,
      spec: {
        matchConstraints: { resourceRules: [rule] },
        ...{ reinvocationPolicy: 'Never', failurePolicy: 'Ignore' },
        mutations: [
          {
            patchType: 'ApplyConfiguration',
            applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"a": "b"}}}' },
          },
        ],
      },
    },
    {
      metadata,
      spec: {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        matchConstraints: { resourceRules: [{ ...rule, resourceNames: [] }], matchPolicy: 'Exact' },
        matchConditions: [{ name: 'first', expression: 'params != null' }],
        variables: [{ name: 'colour', expression: 'params.data.colour' }],
        reinvocationPolicy: 'IfNeeded',
        mutations: [
          {
            patchType: 'JSONPatch',
            jsonPatch: {
              expression:
                '[JSONPatch{op: "add", path: "/data/" + jsonpatch.escapeKey("a"), value: variables.colour}]',
            },
          },
        ],
      },
    },
  ],
  [`${group}/MutatingAdmissionPolicyBinding`]: [
    {
      metadata,
      spec: {
        policyName: 'web',
        paramRef: { name: 'a', namespace: 'default', parameterNotFoundAction: 'Deny' },
        matchResources: { resourceRules: [rule] },
      },
    },
  ],
};
