import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasOwnRules, resources } from '@wherry/kubeapi';
import { servedKinds } from './index.ts';
import { servedResources } from './served-resources.ts';

/** Upstream looks at nothing but their metadata. */
const withoutRules = ['/ServiceAccount'];

describe('served resources', () => {
  it('that are stored have rules of their own, so that nothing is stored unlooked at', () => {
    const stored = servedResources().filter(({ verbs }) => verbs.includes('create') && verbs.includes('get'));
    const unchecked = stored
      .filter((facts) => !hasOwnRules(facts))
      .map(({ group, kind }) => `${group}/${kind}`);
    assert.deepEqual(unchecked, withoutRules);
  });

  it('are those that a node acts on, or that are stored for others alone', () => {
    const names = servedResources().map(({ group, plural }) => `${plural}.${group}`);
    assert.deepEqual(names.sort(), [
      ...[
        'bindings.',
        'clusterrolebindings.rbac.authorization.k8s.io',
        'clusterroles.rbac.authorization.k8s.io',
      ],
      ...['configmaps.', 'csidrivers.storage.k8s.io', 'csinodes.storage.k8s.io', 'endpoints.'],
      ...['endpointslices.discovery.k8s.io', 'events.', 'events.events.k8s.io', 'leases.coordination.k8s.io'],
      ...['localsubjectaccessreviews.authorization.k8s.io', 'namespaces.', 'nodes.', 'pods.'],
      ...['priorityclasses.scheduling.k8s.io', 'rolebindings.rbac.authorization.k8s.io'],
      ...['roles.rbac.authorization.k8s.io', 'runtimeclasses.node.k8s.io', 'secrets.'],
      ...['selfsubjectaccessreviews.authorization.k8s.io', 'selfsubjectreviews.authentication.k8s.io'],
      ...['selfsubjectrulesreviews.authorization.k8s.io', 'serviceaccounts.', 'services.'],
      ...['subjectaccessreviews.authorization.k8s.io', 'tokenreviews.authentication.k8s.io'],
    ]);
  });

  it('are defined once each, under a kind and with sub-resources that exist', () => {
    const names = servedKinds.map(({ group, kind }) => `${group}/${kind}`);
    assert.deepEqual([...new Set(names)], names);
    for (const { group, kind, unanswered = [] } of servedKinds) {
      const facts = resources.filter((entry) => entry.group === group && entry.kind === kind);
      assert.notEqual(facts.length, 0, `${group}/${kind}`);
      const subresources = facts.flatMap((entry) => entry.subresources ?? []).map(({ name }) => name);
      for (const name of unanswered) assert.ok(subresources.includes(name), `${group}/${kind}/${name}`);
    }
  });
});
