import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Informer, kinds } from '@wherry/client';
import type { ConfigMap, Pod } from '@wherry/kubeapi';
import { startApiServer, TestingError } from '@wherry/testing';
import { leftIn, startProgram, tracesOfHost, untilNothingIsLeft } from './machine.ts';

const run = promisify(execFile);
const mapOf = (name: string, data: Record<string, string> = {}): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});
const eventOf = (reason: string) => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: reason, namespace: 'default' },
  involvedObject: { kind: 'ConfigMap', name: 'kept', namespace: 'default' },
  reason,
});
const withCode = (code: string) => (error: unknown) => error instanceof TestingError && error.code === code;

describe('startApiServer', () => {
  it('gives a server that takes objects, lists, text, files and folders, and kubectl', async (test) => {
    await using server = await startApiServer({ manifests: [mapOf('first')] });
    const folder = mkdtempSync(join(tmpdir(), 'wherry-manifests-'));
    test.after(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'third.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: third}\n');
    writeFileSync(join(folder, 'fourth.json'), JSON.stringify(mapOf('fourth')));
    const applied = [
      ...(await server.apply([mapOf('second', { a: '1' })])),
      ...(await server.apply(folder)),
      ...(await server.apply('{apiVersion: v1, kind: ConfigMap, metadata: {name: fifth}}\n---\n')),
    ];
    const names = ['second', 'fourth', 'third', 'fifth'];
    assert.deepEqual(
      applied.map(({ metadata }) => metadata?.name),
      names,
    );
    await server.apply(mapOf('second', { b: '2' }));
    const second = await server.waitFor(mapOf('second'), ({ data }) => data?.['b'] === '2');
    assert.deepEqual(second.data, { b: '2' });
    const words = ['--kubeconfig', server.kubeconfig.path, 'get', 'configmap', 'first', '-o', 'name'];
    assert.equal((await run('kubectl', words)).stdout, 'configmap/first\n');
    assert.equal(server.kubeconfig.object.clusters.size, 1);
  });

  it('runs several side by side, of which none knows of another, and removes each with its files', async () => {
    const [left, right] = await Promise.all([startApiServer(), startApiServer({ controllers: false })]);
    await left.apply(mapOf('mine'));
    await assert.rejects(right.client.resource(kinds.configMaps).get({ name: 'mine' }), /not found/);
    // Without controllers nobody makes what a namespace comes with.
    await assert.rejects(right.waitFor('ServiceAccount/default', 'create', { timeoutMs: 300 }), {
      code: 'timed-out',
    });
    await left.waitFor('ServiceAccount/default', 'create');
    await left.close();
    assert.ok(!existsSync(dirname(left.kubeconfig.path)));
    await right.apply(mapOf('still-here'));
    await right.close();
    await right.close();
    assert.ok(!existsSync(dirname(right.kubeconfig.path)));
  });

  it('goes back to a snapshot under watches that go on', async () => {
    await using server = await startApiServer({ manifests: [mapOf('kept', { a: '1' }), mapOf('deleted')] });
    const resource = server.client.resource(kinds.configMaps);
    const { uid } = (await resource.get({ name: 'deleted' })).metadata ?? {};
    const seen = new Map<string, string | undefined>();
    const note = ({ metadata, data }: ConfigMap) => seen.set(metadata?.name ?? '', data?.['a']);
    const informer = new Informer<ConfigMap>({
      resource,
      namespace: 'default',
      handlers: { added: note, updated: note, deleted: ({ metadata }) => seen.delete(metadata?.name ?? '') },
    });
    informer.start();
    try {
      await server.client.create(eventOf('earlier'));
      const before = await server.snapshot();
      await server.apply([mapOf('kept', { a: '2' }), mapOf('later')]);
      await resource.delete({ name: 'deleted' });
      await server.client.create(eventOf('later'));
      await server.waitFor('ConfigMap/deleted', 'delete');
      await server.restore(before);
      assert.deepEqual((await resource.get({ name: 'kept' })).data, { a: '1' });
      assert.equal((await resource.get({ name: 'deleted' })).metadata?.uid, uid);
      await assert.rejects(resource.get({ name: 'later' }), /not found/);
      const events = await server.client.list('Event').toArray();
      assert.deepEqual(
        events.map(({ reason }) => reason),
        ['earlier'],
      );
      const last = await server.waitFor(
        'ConfigMap/kept',
        () => seen.get('kept') === '1' && !seen.has('later'),
      );
      assert.ok(seen.has('deleted') && last);
      await server.restore(before);
    } finally {
      await informer.close();
    }
    await using other = await startApiServer({ controllers: false });
    await assert.rejects(other.restore(await server.snapshot()), withCode('bad-argument'));
  });

  it('ends what waits and follows when it is closed', async () => {
    const server = await startApiServer({ controllers: false });
    const informer = server.client.informer(kinds.configMaps).start();
    await informer.synced();
    const waiting = assert.rejects(server.waitFor('ConfigMap/never', 'create'), { code: 'closed' });
    await server.close();
    await waiting;
    await informer.close();
  });

  it('says what it can not do', async () => {
    await using server = await startApiServer({ controllers: false });
    await assert.rejects(server.apply('apiVersion: v1\nkind: ConfigMap\n'), /no metadata\.name|name/);
    await assert.rejects(server.apply('/nowhere.yaml'), withCode('bad-argument'));
    const nothing = [
      '',
      ' \n',
      '# nothing\n---\n',
      undefined,
      null,
      7,
      true,
      [undefined],
      [[]],
      {},
      [{ kind: 'Pod' }],
    ];
    for (const manifest of nothing)
      await assert.rejects(
        server.apply(manifest as unknown as string),
        (error) => withCode('bad-argument')(error) && /manifest|text/.test(String(error)),
        JSON.stringify(manifest),
      );
    assert.deepEqual(await server.apply([]), []);
    const gadget = { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g' } };
    await assert.rejects(server.apply(gadget), /Gadget/);
    await assert.rejects(server.waitFor('ConfigMap/x', 'sometime'), { code: 'bad-argument' });
    await assert.rejects(server.waitFor('ConfigMap/x', 'jsonpath={.data.a'), { code: 'bad-argument' });
    const late = (async () => false) as unknown as () => boolean;
    await assert.rejects(server.waitFor('Namespace/default', late), /answers a promise/);
    await assert.rejects(
      server.waitFor('ConfigMap/x', 'Ready', { timeoutMs: 50 }),
      /configmaps\/x: Ready did not come/,
    );
    const isBad = (message: RegExp) => (error: unknown) =>
      withCode('bad-argument')(error) && message.test(String(error));
    await assert.rejects(
      startApiServer({ runtimeConfig: { 'apps/v9': true } }),
      isBad(/"apps\/v9" is nothing/),
    );
    await assert.rejects(startApiServer({ controllers: ['nobody'] }), isBad(/"nobody" is not in the list/));
    const flags = { 'secure-port': 1 };
    await assert.rejects(startApiServer({ apiserverFlags: flags }), isBad(/--secure-port can't be set/));
  });

  it('takes flags of kube-apiserver', async () => {
    const apiserverFlags = {
      'default-not-ready-toleration-seconds': 7,
      'default-unreachable-toleration-seconds': '8',
    };
    await using server = await startApiServer({ apiserverFlags });
    await server.waitFor('ServiceAccount/default', 'create');
    const [pod] = await server.apply({
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'one' } },
      spec: { containers: [{ name: 'a', image: 'a' }] },
    });
    assert.deepEqual(
      (pod as Pod).spec?.tolerations?.map(({ tolerationSeconds }) => tolerationSeconds),
      [7, 8],
    );
  });

  it('gives up at its signal', async () => {
    await assert.rejects(startApiServer({ signal: AbortSignal.abort(new Error('enough')) }), /enough/);
    const controller = new AbortController();
    const starting = startApiServer({ signal: controller.signal });
    controller.abort(new Error('too slow'));
    await assert.rejects(starting, /too slow/);
  });

  it('needs no root', async (test) => {
    const home = mkdtempSync(join(tmpdir(), 'wherry-nobody-'));
    chmodSync(home, 0o777);
    test.after(() => rmSync(home, { recursive: true, force: true }));
    const program = `
      import { startApiServer, startNode } from '@wherry/testing';
      await using server = await startApiServer();
      await server.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'mine' } });
      const refusal = await startNode().catch(({ code }) => code);
      console.log(process.geteuid(), refusal);`;
    const words = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath];
    const { stdout } = await run('setpriv', [...words, '--input-type=module', '-e', program], {
      cwd: import.meta.dirname,
      env: { PATH: process.env['PATH'], HOME: home, TMPDIR: home },
    });
    assert.equal(stdout, '65534 needs-root\n');
  });

  it('leaves nothing when the test process is killed', async () => {
    const program = join(import.meta.dirname, 'waiting-program.ts');
    const { child, ended, said } = await startProgram<{ folder: string }>(program, ['api', 'api']);
    const during = leftIn(await tracesOfHost(said.folder));
    assert.deepEqual(during, ['processes', 'files']);
    child.kill('SIGKILL');
    await ended;
    assert.deepEqual(leftIn(await untilNothingIsLeft(said.folder, [], 20_000)), []);
  });
});
