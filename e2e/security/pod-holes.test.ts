/** Holes that kubelets and container runtimes had, tried by pods of a running node. docs/SECURITY.md says what each was. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createKubeClient, openAttach } from '@wherry/client';
import { archiveOf, imageOf } from '../../packages/images/test/image-delivery.ts';
import { rawTar } from '../../packages/images/test/raw-tar.ts';
import { buildTestImage } from '../image.ts';
import { eventually, podOf, scriptPod, TestNode, wherry } from '../node.ts';
import { stretched } from '../slowness.ts';

const mebibyte = 1024 * 1024;
const userImage = 'wherry-test-user:latest';
const corePattern = '/proc/sys/kernel/core_pattern';

describe('a pod of wherry up', { timeout: stretched(400_000) }, () => {
  let node: TestNode;
  before(async () => {
    node = await TestNode.start('pod-holes');
    await buildTestImage(node.dataDir, userImage, '1234:1234');
  });
  after(() => node?.remove());

  const statusOf = async (name: string) =>
    JSON.parse(await node.kubectlOk(['get', 'pod', name, '-o', 'json'])).status;
  const inPod = (name: string, script: string) => node.kubectlOk(['exec', name, '--', 'sh', '-c', script]);
  const create = (pod: object) => node.kubectlOk(['create', '-f', '-'], { stdin: JSON.stringify(pod) });
  const footprint = async (role: string) => {
    const pid = await node.pidOf(role);
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const number = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
    return {
      ...{ files: readdirSync(`/proc/${pid}/fd`).length, threads: number('Threads') },
      ...{ mebibytes: number('VmRSS') / 1024, mostMebibytes: number('VmHWM') / 1024 },
    };
  };

  it("CVE-2019-11245: runs as its image's user at every start", async () => {
    const script = 'id -u >> /v/users; test $(wc -l < /v/users) -ge 3 && exec sleep 1000; exit 1';
    const volumeMounts = [{ name: 'v', mountPath: '/v' }];
    const spec = { volumes: [{ name: 'v', emptyDir: {} }] };
    const container = { image: userImage, command: ['sh', '-c', script], volumeMounts };
    await create(podOf('again', container, spec));
    await eventually(
      'the third start',
      async () => {
        const [state] = (await statusOf('again')).containerStatuses ?? [];
        return state?.restartCount >= 2 && state.state.running !== undefined;
      },
      90_000,
    );
    assert.equal(await inPod('again', 'cat /v/users; id -u'), '1234\n'.repeat(4));
  });

  it("CVE-2022-0811: smuggles no second sysctl past the node's", async () => {
    const before = readFileSync(corePattern, 'utf8');
    const smuggled = [
      { name: 'kernel.shm_rmid_forced', value: '1+kernel.core_pattern=|/evil' },
      { name: 'kernel.shm_rmid_forced', value: '1\nkernel.core_pattern=|/evil' },
      { name: 'kernel/shm_rmid_forced/../core_pattern', value: '|/evil' },
      { name: 'net.ipv4.ping_group_range/../../../kernel/core_pattern', value: '|/evil' },
    ];
    for (const [index, sysctl] of smuggled.entries()) {
      const name = `smuggler-${index}`;
      const pod = podOf(name, {}, { securityContext: { sysctls: [sysctl] } });
      const { code } = await node.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(pod) });
      if (code !== 0) continue;
      await eventually(`the end of ${name}`, async () => {
        const { phase } = await statusOf(name);
        const events = await node.kubectlOk([
          ...['get', 'events', '--field-selector', `involvedObject.name=${name}`],
          ...['-o', 'jsonpath={.items[*].reason}'],
        ]);
        return phase === 'Failed' || /FailedCreatePodSandBox/.test(events);
      });
      await node.kubectlOk(['delete', 'pod', name, '--wait=false']);
    }
    assert.equal(readFileSync(corePattern, 'utf8'), before);
  });

  it('CVE-2022-1708 CVE-2022-31030: fills nobody’s memory by what its probe prints', async () => {
    const roles = ['runtime', 'monitor', 'kubelet'];
    const earlier = await Promise.all(roles.map(footprint));
    const exec = { command: ['head', '-c', String(512 * mebibyte), '/dev/zero'] };
    const readinessProbe = { exec, periodSeconds: 1, timeoutSeconds: 60 };
    await node.apply(podOf('talker', { readinessProbe }));
    const later = await Promise.all(roles.map(footprint));
    for (const [index, role] of roles.entries()) {
      const growth = (later[index]?.mostMebibytes ?? 0) - (earlier[index]?.mebibytes ?? 0);
      assert.ok(growth < 250, `${role} took ${growth.toFixed(0)} MiB`);
    }
    await node.kubectlOk(['delete', 'pod', 'talker', '--now']);
  });

  it('CVE-2022-23648: gets no folder of the node by the volumes that its image declares', async () => {
    const outside = join(node.dataDir, 'outside');
    writeFileSync(outside, 'of the node');
    const content = readFileSync('/bin/busybox');
    const programs = ['sh', 'sleep', 'cat'].map((name) => ({ path: `bin/${name}`, mode: 0o755, content }));
    const plain = rawTar([{ path: 'bin/', flag: '5', mode: 0o755 }, ...programs]);
    const up = '/../../../../../../../../../../..';
    const volumes = [`${up}${node.dataDir}`, `/data${up}${node.dataDir}/pki`];
    const config = { Volumes: Object.fromEntries(volumes.map((path) => [path, {}])) };
    const archive = join(node.dataDir, 'hostile.tar');
    writeFileSync(archive, archiveOf(imageOf([{ plain }], { config }), 'hostile.test/image:v1'));
    const loaded = await wherry(['image', 'load', archive, '--data-dir', node.dataDir]);
    assert.equal(loaded.code, 0, loaded.stderr);
    await node.apply(podOf('volumes', { image: 'hostile.test/image:v1' }));
    for (const path of ['outside', 'pki/ca.key', 'kubeconfig']) {
      const { code, stdout } = await node.kubectl(['exec', 'volumes', '--', 'cat', join(node.dataDir, path)]);
      assert.equal(`${code} ${stdout}`, '1 ', path);
    }
  });

  it('CVE-2023-2431: does not run without a filter when its profile has no name', async () => {
    const securityContext = { seccompProfile: { type: 'Localhost', localhostProfile: '' } };
    const stdin = JSON.stringify(podOf('unnamed', { securityContext }));
    const created = await node.kubectl(['create', '-f', '-'], { stdin });
    assert.equal(created.code, 0, created.stderr);
    const waiting = await eventually('the refusal', async () => {
      const state = (await statusOf('unnamed')).containerStatuses?.[0]?.state?.waiting;
      return state?.reason === 'CreateContainerConfigError' && state;
    });
    assert.equal(waiting.message, 'localhostProfile must be set if seccompProfile type is Localhost.');
    const { type } = securityContext.seccompProfile;
    const absent = podOf('absent', { securityContext: { seccompProfile: { type } } });
    const { stderr } = await node.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(absent) });
    assert.match(stderr, /localhostProfile: Required value: must be set when seccomp type is Localhost/);
  });

  it('CVE-2024-10220: is refused by name when it wants a gitRepo volume', async () => {
    const gitRepo = { repository: 'https://git.example/hooks.git', directory: '.git', revision: 'main' };
    const volumeMounts = [{ name: 'v', mountPath: '/v' }];
    await create(podOf('cloner', { volumeMounts }, { volumes: [{ name: 'v', gitRepo }] }));
    const status = await eventually('the refusal', async () => {
      const found = await statusOf('cloner');
      return found.phase === 'Failed' && found;
    });
    assert.match(status.message, /spec\.volumes\[0\]\.gitRepo: /);
  });

  it('CVE-2025-64329: leaves nothing in the monitor of clients that attach and go away', async () => {
    await node.apply(scriptPod('attached', 'while true; do echo tick; sleep 0.2; done'));
    const client = createKubeClient({ kubeconfig: node.kubeconfig });
    const attachAndGo = async () => {
      const controller = new AbortController();
      const options = { namespace: 'default', pod: 'attached', stdin: false, stdout: true, stderr: true };
      const session = await openAttach(client, { ...options, signal: controller.signal });
      session.stdout?.receive({ data() {}, end() {}, closed() {} });
      session.exitCode.catch(() => {});
      controller.abort(new Error('gone'));
    };
    const wave = (count: number) => Promise.all(Array.from({ length: count }, attachAndGo));
    try {
      await wave(20);
      const roles = ['apiserver', 'kubelet', 'runtime', 'monitor'];
      const earlier = await Promise.all(roles.map(footprint));
      for (let round = 0; round < 15; round++) await wave(20);
      await eventually('what 300 clients held is free', async () => {
        const later = await Promise.all(roles.map(footprint));
        return later.every(({ files, threads }, index) => {
          const before = earlier[index] ?? { files: 0, threads: 0 };
          return files <= before.files + 5 && threads <= before.threads + 5;
        });
      });
    } finally {
      client.close();
    }
  });
});
