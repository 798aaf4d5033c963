import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findResource, type ResourceFacts, resources } from '@wherry/kubeapi';
import { TestServer } from '../../test/test-server.ts';

const pods = findResource('', 'v1', 'pods')!;

describe('the start of the API server', () => {
  it('fails when a sub-resource is advertised that has no handler', async () => {
    const { subresources = [] } = pods;
    const teleport = { name: 'teleport', group: '', version: 'v1', kind: 'Pod', verbs: ['create' as const] };
    pods.subresources = [...subresources, teleport];
    try {
      await assert.rejects(TestServer.start(), /tells of what nothing answers: \/v1\/pods\/teleport$/);
    } finally {
      pods.subresources = subresources;
    }
  });

  it('fails when a verb is advertised that its handler does not know', async () => {
    const log = pods.subresources!.find(({ name }) => name === 'log')!;
    log.verbs.push('patch');
    try {
      await assert.rejects(TestServer.start(), /nothing answers: patch of \/v1\/pods\/log$/);
    } finally {
      log.verbs.pop();
    }
  });

  it('fails when a route would be authorized as another one', async () => {
    // Its path reads as that of a namespace's sub-resource.
    const astray: ResourceFacts = { ...findResource('', 'v1', 'configmaps')!, plural: 'finalize' };
    const all = resources as ResourceFacts[];
    all.push({ ...astray, verbs: ['get', 'list'] });
    try {
      await assert.rejects(TestServer.start(), /attributes of their own: get of \/v1\/finalize, list of /);
    } finally {
      all.pop();
    }
  });

  it('succeeds with everything switched on', async () => {
    const server = await TestServer.start({ runtimeConfig: { 'api/all': true } });
    await server.close();
  });
});
