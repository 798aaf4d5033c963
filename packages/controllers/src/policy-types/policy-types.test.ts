import assert from 'node:assert/strict';
import { it } from 'node:test';
import { kinds } from '@wherry/client';
import type { NamedRuleWithOperations, ValidatingAdmissionPolicySpec } from '@wherry/kubeapi';
import { eventually, TestCluster } from '../../test/cluster.ts';
import { kindsOfRules } from './policy-type-checker.ts';

const rule = (apiGroup: string, version: string, ...resources: string[]): NamedRuleWithOperations => ({
  ...{ apiGroups: [apiGroup], apiVersions: [version], operations: ['CREATE'], resources },
});

it('rules name kinds in order, each once, without sub-resources and what nobody serves, and * names none', () => {
  const served = { findResource: (apiVersion: string, plural: string) => known[`${apiVersion} ${plural}`] };
  const facts = { plural: '', namespaced: true, verbs: [], singular: '', shortNames: [], categories: [] };
  const resource = (group: string, version: string, kind: string) => ({ ...facts, group, version, kind });
  const known: Record<string, ReturnType<typeof resource>> = {
    'apps/v1 deployments': resource('apps', 'v1', 'Deployment'),
    'v1 pods': resource('', 'v1', 'Pod'),
  };
  const rules = [
    rule('apps', 'v1', 'deployments', 'deployments/scale', 'boats'),
    rule('', 'v1', 'pods'),
    rule('', 'v1', 'pods'),
    rule('*', 'v1', 'pods'),
    rule('apps', '*', 'deployments'),
  ];
  assert.deepEqual(
    kindsOfRules(rules, served).map(({ kind }) => kind),
    ['Pod', 'Deployment'],
  );
});

it('the status of a policy tells which expressions do not fit the types of built-in kinds, custom ones and parameters', async () => {
  const cluster = await TestCluster.start();
  try {
    await cluster.client.resource(kinds.customResourceDefinitions).create({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'boats.example.com' },
      spec: {
        group: 'example.com',
        names: { plural: 'boats', kind: 'Boat' },
        scope: 'Namespaced',
        versions: [
          {
            ...{ name: 'v1', served: true, storage: true },
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { spec: { type: 'object', properties: { oars: { type: 'integer' } } } },
              },
            },
          },
        ],
      },
    });
    const policies = cluster.client.resource(kinds.validatingAdmissionPolicies);
    const statusOf = async (name: string, spec: ValidatingAdmissionPolicySpec) => {
      await policies.create({
        ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicy' },
        ...{ metadata: { name }, spec },
      });
      return eventually(`${name} has been looked at`, async () => {
        const { metadata, status } = await policies.get({ name });
        return status?.observedGeneration === metadata.generation ? (status?.typeChecking ?? {}) : undefined;
      });
    };
    const matchConstraints = {
      resourceRules: [rule('apps', 'v1', 'deployments'), rule('example.com', 'v1', 'boats')],
    };
    const { expressionWarnings = [] } = await statusOf('rowing', {
      matchConstraints,
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      validations: [
        { expression: 'object.spec.replicas > 1' },
        { expression: 'object.spec.oars == "two"', messageExpression: 'string(params.dta.text)' },
      ],
    });
    assert.deepEqual(
      expressionWarnings.map(({ fieldRef }) => fieldRef),
      [
        'spec.validations[0].expression',
        'spec.validations[1].expression',
        'spec.validations[1].messageExpression',
      ],
    );
    const [replicas, oars, params] = expressionWarnings.map(({ warning }) => warning);
    assert.match(replicas!, /^example\.com\/v1, Kind=Boat: ERROR: <input>:1:12: undefined field 'replicas'/);
    assert.match(oars!, /^apps\/v1, Kind=Deployment: ERROR: .*undefined field 'oars'/);
    assert.match(
      oars!,
      /example\.com\/v1, Kind=Boat: ERROR: .*no matching overload for '_==_' applied to '\(int, string\)'/,
    );
    assert.match(params!, /undefined field 'dta'/);
    const fine = await statusOf('fine', {
      matchConstraints: { resourceRules: [rule('apps', 'v1', 'deployments')] },
      validations: [{ expression: 'object.spec.replicas > 1' }],
    });
    assert.deepEqual(fine, {});
  } finally {
    await cluster.close();
  }
});
