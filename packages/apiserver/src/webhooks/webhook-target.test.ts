import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EndpointSlice, Service } from '@wherry/kubeapi';
import { DialGuard } from '../dialing/dial-guard.ts';
import type { ObjectCache } from '../objects/object-cache.ts';
import { type TargetSources, webhookTarget } from './webhook-target.ts';

const { signal } = new AbortController();
const names: Record<string, string[]> = {
  'hook.example.com': ['192.0.2.7'],
  'evil.example.com': ['169.254.169.254'],
};
const guard = new DialGuard({
  ownPort: () => 6443,
  ownAddresses: [],
  lookup: async (name) => names[name] ?? [],
});

function sourcesOf(service: object | undefined, slices: readonly object[] = []): TargetSources {
  const services = new Map(service ? [['team/hook', { spec: service } as Service]] : []);
  return {
    guard,
    services: services as unknown as ObjectCache<Service>,
    slicesOf: async () => slices as EndpointSlice[],
  };
}

const reference = { namespace: 'team', name: 'hook', path: '/a/b', port: 443 };
const find = (sources: TargetSources) => webhookTarget({ service: reference }, sources, signal);

describe('where a webhook is dialled', () => {
  it('is a ready endpoint of its service, at the port that the endpoints have, under the service’s name', async () => {
    const slice = {
      ports: [
        { name: 'metrics', port: 1 },
        { name: 'https', port: 9443 },
      ],
      endpoints: [
        { addresses: ['10.0.0.1'], conditions: { ready: false } },
        { addresses: ['10.0.0.2'], conditions: { ready: true } },
      ],
    };
    const ports = [{ name: 'https', port: 443, targetPort: 'x' }];
    const { url, shownUrl, host, servername } = await find(sourcesOf({ ports }, [slice]));
    assert.deepEqual(
      [url.href, shownUrl, host, servername],
      ['https://10.0.0.2:9443/a/b', 'https://hook.team.svc:443/a/b', 'hook.team.svc:443', 'hook.team.svc'],
    );
    await assert.rejects(find(sourcesOf({ ports: [{ port: 80 }] }, [slice])), /no service port 443 found/);
    await assert.rejects(find(sourcesOf({ ports })), /no endpoints available for service "hook"/);
    await assert.rejects(find(sourcesOf(undefined)), /services "hook" not found/);
  });

  it('is asked for a clean path, whatever slashes its URL or its reference have', async () => {
    const pathOf = async (path: string) => {
      const url = `https://hook.example.com${path}`;
      return (await webhookTarget({ url }, sourcesOf(undefined), signal)).url.pathname;
    };
    assert.deepEqual(await Promise.all(['', '/', '//a/b', '/a//b/'].map(pathOf)), ['/', '/', '/a/b', '/a/b']);
    const slice = { ports: [{ port: 443 }], endpoints: [{ addresses: ['10.0.0.2'] }] };
    const service = { ...reference, path: '//a' };
    const found = await webhookTarget({ service }, sourcesOf({ ports: [{ port: 443 }] }, [slice]), signal);
    assert.equal(found.url.pathname, '/a');
  });

  it('is never this machine or its link when a service says so', async () => {
    for (const address of ['127.0.0.1', '::1', '169.254.169.254']) {
      const slice = { ports: [{ port: 443 }], endpoints: [{ addresses: [address] }] };
      await assert.rejects(find(sourcesOf({ ports: [{ port: 443 }] }, [slice])), /address not allowed/);
    }
    const external = (externalName: string) => sourcesOf({ type: 'ExternalName', externalName });
    await assert.rejects(find(external('evil.example.com')), /address not allowed/);
    assert.equal((await find(external('hook.example.com'))).url.href, 'https://192.0.2.7/a/b');
  });

  it('may be this machine when its URL says so, but not the server itself, nor metadata services', async () => {
    const dial = (url: string) => webhookTarget({ url }, sourcesOf(undefined), signal);
    const { url, servername, host } = await dial('https://127.0.0.1:9443/x%20y');
    assert.deepEqual(
      [url.href, servername, host],
      ['https://127.0.0.1:9443/x%20y', undefined, '127.0.0.1:9443'],
    );
    assert.equal((await dial('https://hook.example.com')).servername, 'hook.example.com');
    for (const bad of ['https://127.0.0.1:6443/', 'https://[fe80::1]/', 'https://evil.example.com/'])
      await assert.rejects(dial(bad), /address not allowed/);
  });
});
