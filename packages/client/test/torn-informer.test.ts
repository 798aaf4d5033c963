import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { TestServer } from '../../apiserver/test/test-server.ts';
import { accessFrom, createKubeClient, KubeClient, kinds, loadKubeconfig } from '../src/index.ts';
import { startRelay } from './relay.ts';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server?.close());

for (const streamsList of [false, true]) {
  test(`an informer whose connections are torn every few milliseconds knows everything in the end${streamsList ? ', from a streamed list' : ''}`, async (context) => {
    const writer = createKubeClient({ kubeconfig: server.kubeconfig });
    const { close, tear, port } = await startRelay(server.apiserver.port);
    const config = loadKubeconfig(server.kubeconfig);
    const access = accessFrom(config, { server: `https://127.0.0.1:${port}`, tlsServerName: '127.0.0.1' });
    const reader = new KubeClient({
      access: { ...access, tls: { ...access.tls, ...accessFrom(config).tls } },
    });
    context.after(() => {
      writer.close();
      reader.close();
      close();
    });
    const told = new Map<string, string>();
    const mistakes: string[] = [];
    const namespace = `torn-${streamsList}`;
    await writer.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const expect = (name: string, before: boolean, what: string) => {
      if (told.has(name) !== before) mistakes.push(`${what} ${name}`);
    };
    await using informer = reader.informer(kinds.configMaps, {
      namespace,
      handlers: {
        added({ metadata: { name = '', resourceVersion = '' } }) {
          expect(name, false, 'added twice:');
          told.set(name, resourceVersion);
        },
        updated({ metadata: { name = '', resourceVersion = '' } }) {
          expect(name, true, 'updated before it was added:');
          told.set(name, resourceVersion);
        },
        deleted({ metadata: { name = '' } }) {
          expect(name, true, 'deleted before it was added:');
          told.delete(name);
        },
      },
    });
    informer.start();
    let isWriting = true;
    const tearing = (async () => {
      for (let at = 0; isWriting; at += 1) {
        await delay(5 + ((at * 37) % 60));
        tear();
      }
    })();
    for (let round = 0; round < 120; round += 1) {
      const name = `object-${round % 17}`;
      const object = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name },
        data: { round: String(round) },
      };
      if (round % 5 === 4) await writer.delete(`ConfigMap/${name}`, { namespace }).catch(() => {});
      else await writer.apply(object, { namespace });
    }
    isWriting = false;
    await tearing;
    const versions = async () =>
      (await writer.list('ConfigMap', { namespace }).toArray())
        .map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`)
        .sort();
    const wanted = await versions();
    const known = () => [...told].map(([name, version]) => `${name}@${version}`).sort();
    // A connection that was torn in its first moment may be seen to be dead after 5 s alone.
    for (let turns = 0; known().join() !== wanted.join() && turns < 3000; turns += 1) await delay(10);
    assert.deepEqual(known(), wanted);
    assert.deepEqual(
      [...informer.objects.values()].map(({ metadata: m }) => `${m.name}@${m.resourceVersion}`).sort(),
      wanted,
    );
    assert.deepEqual(mistakes, []);
  });
}
