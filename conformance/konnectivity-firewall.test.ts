/** A kubelet on a machine of its own to which the API server's machine can open no connection: what is there goes through Konnectivity. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Machines } from '../e2e/machines/cluster.ts';
import { kubectlOf } from '../e2e/machines/kubectl.ts';
import type { Machine } from '../e2e/machines/machine.ts';
import { eventually, scriptPod } from '../e2e/node.ts';
import { Konnectivity } from './konnectivity/konnectivity.ts';

describe('a node behind a firewall', { timeout: 500_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-firewall-'));
  const egressFile = join(folder, 'egress.json');
  let machines: Machines;
  let proxy: Konnectivity;
  let far: Machine;
  const { apply } = kubectlOf(() => machines.cluster);
  const kubectl = (words: readonly string[]) => machines.cluster.kubectl(words);

  before(async () => {
    // The first machine of a control plane has this address on every wire of a test process.
    const address = `10.97.${process.pid % 256}.1`;
    proxy = await Konnectivity.prepare(join(folder, 'k'), 'GRPC over a unix socket', [address]);
    proxy.writeConfiguration(egressFile, ['cluster']);
    machines = await Machines.start({
      nodes: ['far'],
      serverFlags: ['--egress-selector-config-file', egressFile],
    });
    far = machines.node('far');
    machines.plane.start('konnectivity-server', ...proxy.serverLine(machines.plane.address));
    const table = 'inet firewall';
    for (const rule of [
      `add table ${table}`,
      `add chain ${table} output { type filter hook output priority 0; }`,
      `add rule ${table} output ip daddr ${far.address} tcp flags & (syn|ack) == syn drop`,
      `add rule ${table} output ip daddr 10.94.0.0/16 drop`,
    ])
      await machines.plane.runOk(['nft', rule]);
    await apply(
      scriptPod(
        'a',
        'mkdir /www; echo page > /www/index.html; httpd -p 8080 -h /www; echo begun; sleep 100000',
      ),
    );
    await eventually('the pod', async () => {
      return (await kubectl(['get', 'pod', 'a', '-o', 'jsonpath={.status.phase}'])).stdout === 'Running';
    });
  });
  after(async () => {
    await machines?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is out of reach, as long as nobody has dialled from there', async () => {
    const tried = ['busybox', 'nc', '-w', '2', far.address, '10250'];
    assert.notEqual((await machines.plane.run(tried)).code, 0);
    const { code, stderr } = await kubectl(['exec', 'a', '--', 'true']);
    assert.notEqual(code, 0);
    assert.match(stderr, /[Nn]o agent available|no backend/);
  });

  it('is reached once its agent has: commands, logs, copies, and what its pods serve', async () => {
    far.start('konnectivity-agent', ...proxy.agentLine(machines.plane.address));
    await eventually('the agent', async () => (await kubectl(['exec', 'a', '--', 'true'])).code === 0);
    const ended = await kubectl(['exec', 'a', '--', 'sh', '-c', 'hostname; exit 9']);
    assert.deepEqual([ended.code, ended.stdout], [9, 'a\n']);
    assert.equal((await kubectl(['logs', 'a'])).stdout, 'begun\n');
    const bytes = randomBytes(4 << 20);
    writeFileSync(join(folder, 'there'), bytes);
    await machines.cluster.kubectlOk(['cp', join(folder, 'there'), 'a:/copied']);
    await machines.cluster.kubectlOk(['cp', 'a:/copied', join(folder, 'back')]);
    assert.ok(readFileSync(join(folder, 'back')).equals(bytes));
    const page = await kubectl(['get', '--raw', '/api/v1/namespaces/default/pods/a:8080/proxy/index.html']);
    assert.equal(page.stdout, 'page\n');
    assert.equal((await kubectl(['get', '--raw', '/api/v1/nodes/far/proxy/healthz'])).stdout, 'ok');
  });
});
