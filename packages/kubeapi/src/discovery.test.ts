import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aggregatedDiscovery, apiGroup, apiGroupList, apiResourceList, apiVersions } from './discovery.ts';
import { findResource, findResourceOfKind, parseApiVersion, resources } from './schema/resources.ts';
import { messageNames, messageSchema, schemaOfKind } from './schema/schema.ts';

describe('discovery', () => {
  it('lists pods with their short name and sub-resources', () => {
    const list = apiResourceList('', 'v1', resources)!;
    assert.equal(list.groupVersion, 'v1');
    const pods = list.resources.find(({ name }) => name === 'pods')!;
    assert.deepEqual(pods.shortNames, ['po']);
    assert.deepEqual(pods.categories, ['all']);
    const eviction = list.resources.find(({ name }) => name === 'pods/eviction')!;
    assert.deepEqual(eviction, {
      ...{ name: 'pods/eviction', singularName: '', namespaced: true },
      ...{ group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] },
    });
  });

  it('prefers the newest stable version of a group', () => {
    assert.equal(apiGroup('autoscaling', resources)!.preferredVersion?.version, 'v2');
    assert.deepEqual(
      apiGroup('autoscaling', resources)!.versions.map(({ groupVersion }) => groupVersion),
      ['autoscaling/v2', 'autoscaling/v1'],
    );
  });

  it('knows only what is served', () => {
    const served = resources.filter(({ group }) => group === 'apps');
    assert.deepEqual(
      apiGroupList(served).groups.map(({ name }) => name),
      ['apps'],
    );
    assert.equal(apiResourceList('', 'v1', served), undefined);
    assert.equal(apiGroup('batch', served), undefined);
  });

  it('says the same in one document', () => {
    for (const version of ['v2', 'v2beta1'] as const) {
      const document = aggregatedDiscovery(resources, { root: '/api', version });
      assert.equal(document['apiVersion'], `apidiscovery.k8s.io/${version}`);
      const text = JSON.stringify(document);
      assert.match(
        text,
        /"resource":"pods","responseKind":\{"group":"","version":"v1","kind":"Pod"\},"scope":"Namespaced"/,
      );
      assert.match(text, /"subresource":"exec"/);
    }
    assert.equal(apiVersions('127.0.0.1:6443').versions[0], 'v1');
  });
});

describe('the table of resources', () => {
  it('finds resources by path and by kind', () => {
    assert.equal(findResource('apps', 'v1', 'deployments')?.kind, 'Deployment');
    assert.equal(findResourceOfKind({ group: '', version: 'v1', kind: 'Pod' })?.plural, 'pods');
    assert.equal(findResource('', 'v1', 'nothing'), undefined);
  });

  it('has a schema for every kind and list it names', () => {
    for (const { group, version, kind, verbs, subresources = [] } of resources) {
      assert.ok(schemaOfKind({ group, version, kind }), `${group}/${version} ${kind}`);
      if (verbs.includes('list'))
        assert.ok(schemaOfKind({ group, version, kind: `${kind}List` }), `${kind}List`);
      for (const child of subresources) assert.ok(schemaOfKind(child), `${kind}/${child.name}`);
    }
  });

  it('reads API versions', () => {
    assert.deepEqual(parseApiVersion('v1'), { group: '', version: 'v1' });
    assert.deepEqual(parseApiVersion('apps/v1'), { group: 'apps', version: 'v1' });
    assert.equal(parseApiVersion('a/b/c'), undefined);
  });
});

describe('the schema', () => {
  it('refers to messages that exist, with numbers that are given once', () => {
    for (const name of messageNames) {
      const { fields } = messageSchema(name);
      const numbers = fields.map(({ number }) => number).filter((number) => number > 0);
      assert.equal(new Set(numbers).size, numbers.length, name);
      for (const { message } of fields) if (message !== undefined) messageSchema(message);
    }
  });

  it('knows options in every group', () => {
    assert.equal(
      schemaOfKind({ group: 'apps', version: 'v1', kind: 'DeleteOptions' })?.name,
      'DeleteOptions',
    );
    assert.equal(schemaOfKind({ group: 'apps', version: 'v1', kind: 'Nothing' }), undefined);
  });

  it('keeps merge keys and list types', () => {
    const containers = messageSchema('PodSpec').jsonFields.get('containers')!;
    assert.equal(containers.patchMergeKey, 'name');
    assert.deepEqual(containers.listMapKeys, ['name']);
    assert.deepEqual(messageSchema('Container').jsonFields.get('ports')!.listMapKeys, [
      'containerPort',
      'protocol',
    ]);
    assert.deepEqual(messageSchema('PodSpec').jsonFields.get('volumes')!.patchStrategies, [
      'merge',
      'retainKeys',
    ]);
  });
});
