/** What a pod finds in its container: volumes and their parts, owners and modes, users, logs; all on one node. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { replaceKubelet } from './changed-kubelet.ts';
import { buildTestImage, testImage } from './image.ts';
import { eventually, podOf, scriptPod, TestNode } from './node.ts';

const numericUser = 'docker.io/library/wherry-test-numeric:latest';
const namedUser = 'docker.io/library/wherry-test-named:latest';
const logBytesMax = 256 * 1_024;

let node: TestNode;
let kubelet: ChildProcess;

before(async () => {
  node = await TestNode.start('volumes');
  await buildTestImage(node.dataDir, numericUser, '1234:1234');
  await buildTestImage(node.dataDir, namedUser, 'operator');
  const rotation = { containerLogMaxSize: String(logBytesMax), containerLogMonitorInterval: '3s' };
  kubelet = await replaceKubelet(node, rotation);
});
after(async () => {
  kubelet?.kill('SIGKILL');
  await node?.remove();
});

const run = async (pod: string, script: string) =>
  (await node.kubectlOk(['exec', pod, '--', 'sh', '-c', script])).trim();
const podJson = async (name: string) => JSON.parse(await node.kubectlOk(['get', 'pod', name, '-o', 'json']));
const configMap = (name: string, data: object) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

describe('a part of a volume', () => {
  before(async () => {
    const mount = (name: string, mountPath: string, more: object) => ({ name, mountPath, ...more });
    const parts = {
      env: [{ name: 'PART', value: 'by-name' }],
      volumeMounts: [
        mount('config', '/one/key', { subPath: 'key' }),
        mount('config', '/nested', { subPath: 'folder/nested' }),
        mount('secret', '/secret', { subPath: 'password' }),
        mount('data', '/data', {}),
        mount('data', '/made', { subPath: 'deep/made' }),
        mount('data', '/expanded', { subPathExpr: 'of-$(PART)' }),
        mount('data', '/fixed', { subPath: 'fixed', readOnly: true }),
      ],
    };
    const items = [
      { key: 'key', path: 'key' },
      { key: 'key', path: 'folder/nested' },
    ];
    await node.apply(
      configMap('settings', { key: 'value', other: 'unseen' }),
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login' }, stringData: { password: 'hush' } },
      podOf('parts', parts, {
        securityContext: { fsGroup: 4242 },
        volumes: [
          { name: 'config', configMap: { name: 'settings', items } },
          { name: 'secret', secret: { secretName: 'login' } },
          { name: 'data', emptyDir: {} },
        ],
      }),
    );
  });

  test('of a ConfigMap or a Secret is one of its keys', async () => {
    assert.equal(await run('parts', 'cat /one/key /nested; ls /one'), 'valuevaluekey');
    assert.equal(await run('parts', 'cat /secret'), 'hush');
  });

  test('is a folder, made where it was missing, with the mode and the group of the volume', async () => {
    await run('parts', 'echo here > /made/file');
    assert.equal(await run('parts', 'cat /data/deep/made/file'), 'here');
    assert.equal(
      await run('parts', 'stat -c %a:%g /data /data/deep /made'),
      ['2777:4242', '2777:4242', '2777:4242'].join('\n'),
    );
  });

  test('is named by a variable', async () => {
    await run('parts', 'echo named > /expanded/file');
    assert.equal(await run('parts', 'cat /data/of-by-name/file'), 'named');
  });

  test('is read-only where that is asked for', async () => {
    const { code, stderr } = await node.kubectl(['exec', 'parts', '--', 'touch', '/fixed/file']);
    assert.notEqual(code, 0);
    assert.match(stderr, /Read-only file system/);
  });

  test('leads out of its volume nowhere, and the pod says that it can not be had', async () => {
    const link = {
      name: 'link',
      image: testImage,
      imagePullPolicy: 'Never',
      command: ['ln', '-s', '/etc', '/v/out'],
    };
    const volumeMounts = [{ name: 'v', mountPath: '/v' }];
    const part = podOf(
      'escape',
      { volumeMounts: [{ name: 'v', mountPath: '/part', subPath: 'out/wherry' }] },
      { volumes: [{ name: 'v', emptyDir: {} }], initContainers: [{ ...link, volumeMounts }] },
    );
    await node.kubectlOk(['apply', '-f', '-'], { stdin: JSON.stringify(part) });
    const waiting = await eventually('the refusal', async () => {
      const { status } = await podJson('escape');
      const state = status.containerStatuses?.[0]?.state?.waiting;
      return state?.reason === 'CreateContainerConfigError' && state;
    });
    assert.equal(waiting.message, 'failed to prepare subPath for volumeMount "v" of container "main"');
  });
});

test('the mode that a container gives to its emptyDir stays', async () => {
  const volumeMounts = [{ name: 'v', mountPath: '/v' }];
  const spec = { volumes: [{ name: 'v', emptyDir: {} }] };
  await node.apply(podOf('postgres', { volumeMounts }, spec));
  await run('postgres', 'chmod 700 /v; chown 999:999 /v');
  // A change of the pod makes the kubelet look at it again, before it has brought the next pod up.
  await node.kubectlOk(['label', 'pod', 'postgres', 'looked=again']);
  await node.apply(podOf('beside'));
  assert.equal(await run('postgres', 'stat -c %a:%u /v'), '700:999');
});

describe('users', () => {
  const nonRoot = { runAsNonRoot: true };

  test('an fsGroup may write to emptyDirs and read Secrets as any user', async () => {
    const volumeMounts = [
      { name: 'data', mountPath: '/data' },
      { name: 'memory', mountPath: '/memory' },
      { name: 'secret', mountPath: '/secret' },
    ];
    await node.apply(
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'private' }, stringData: { key: 'hush' } },
      podOf(
        'grouped',
        { volumeMounts },
        {
          securityContext: { runAsUser: 1000, runAsGroup: 1000, fsGroup: 4242 },
          volumes: [
            { name: 'data', emptyDir: {} },
            { name: 'memory', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } },
            { name: 'secret', secret: { secretName: 'private', defaultMode: 0o400 } },
          ],
        },
      ),
    );
    assert.match(await run('grouped', 'id'), /uid=1000 gid=1000 groups=(1000,)?4242/);
    assert.equal(
      await run('grouped', 'touch /data/f /memory/f && stat -c %g /data/f /memory/f && cat /secret/key'),
      '4242\n4242\nhush',
    );
    assert.equal(await run('grouped', 'stat -L -c %a:%g /secret/key'), '440:4242');
  });

  test('runAsNonRoot takes numbers, of the spec or of the image', async () => {
    await node.apply(
      podOf('by-spec', {}, { securityContext: { ...nonRoot, runAsUser: 1000 } }),
      podOf('by-image', { image: numericUser }, { securityContext: nonRoot }),
    );
    assert.equal(await run('by-spec', 'id -u'), '1000');
    assert.equal(await run('by-image', 'id -u'), '1234');
  });

  test('runAsNonRoot refuses root, and names that say nothing', async () => {
    const refusals: [name: string, image: string, security: object, message: RegExp][] = [
      ['root-image', testImage, nonRoot, /^container has runAsNonRoot and image will run as root \(pod: /],
      [
        'root-spec',
        testImage,
        { ...nonRoot, runAsUser: 0 },
        /^container's runAsUser breaks non-root policy \(pod: /,
      ],
      [
        'named-image',
        namedUser,
        nonRoot,
        /^container has runAsNonRoot and image has non-numeric user \(operator\), cannot verify user is non-root/,
      ],
    ];
    const pods = refusals.map(([name, image, securityContext]) => podOf(name, { image, securityContext }));
    const stdin = pods.map((pod) => JSON.stringify(pod)).join('\n');
    await node.kubectlOk(['apply', '-f', '-'], { stdin });
    for (const [name, , , message] of refusals) {
      const waiting = await eventually(`the refusal of ${name}`, async () => {
        const { status } = await podJson(name);
        const state = status.containerStatuses?.[0]?.state?.waiting;
        return state?.reason === 'CreateContainerConfigError' && state;
      });
      assert.match(waiting.message, message);
    }
  });

  test('a read-only root takes no file; an emptyDir in it does', async () => {
    const volumeMounts = [{ name: 'v', mountPath: '/tmp' }];
    const securityContext = { readOnlyRootFilesystem: true };
    const spec = { volumes: [{ name: 'v', emptyDir: {} }] };
    await node.apply(podOf('fixed-root', { volumeMounts, securityContext }, spec));
    const { code, stderr } = await node.kubectl(['exec', 'fixed-root', '--', 'touch', '/etc/file']);
    assert.notEqual(code, 0);
    assert.match(stderr, /Read-only file system/);
    assert.equal(await run('fixed-root', 'echo yes > /tmp/file; cat /tmp/file'), 'yes');
  });
});

describe('a pod with users of its own', () => {
  const volumeMounts = [
    { name: 'data', mountPath: '/data' },
    { name: 'memory', mountPath: '/memory' },
    { name: 'config', mountPath: '/config' },
    { name: 'config', mountPath: '/part', subPath: 'key' },
  ];
  const spec = {
    hostUsers: false,
    securityContext: { fsGroup: 4242 },
    volumes: [
      { name: 'data', emptyDir: {} },
      { name: 'memory', emptyDir: { medium: 'Memory' } },
      { name: 'config', configMap: { name: 'of-users' } },
    ],
  };
  const range = async (pod: string) =>
    (await run(pod, 'cat /proc/self/uid_map')).trim().split(/\s+/).map(Number);

  before(async () => {
    const securityContext = { procMount: 'Unmasked' };
    await node.apply(
      configMap('of-users', { key: 'value' }),
      podOf('users', { volumeMounts, securityContext }, spec),
      podOf('users-too', { volumeMounts }, spec),
    );
  });

  test('is root inside, and nobody of the machine or of another pod', async () => {
    const [first, second] = await Promise.all([range('users'), range('users-too')]);
    for (const [inside, outside, size] of [first, second]) {
      assert.deepEqual([inside, size], [0, 65_536]);
      assert.ok((outside ?? 0) > 0 && (outside ?? 0) % 65_536 === 0);
    }
    assert.notEqual(first[1], second[1]);
  });

  test('owns what its volumes hold as if there were no mapping', async () => {
    assert.equal(
      await run(
        'users',
        'cat /config/key /part; cat /var/run/secrets/kubernetes.io/serviceaccount/namespace',
      ),
      'valuevaluedefault',
    );
    const made = await run(
      'users',
      'for v in data memory; do echo x > /$v/file; stat -c %u:%g /$v/file; stat -c %g /$v; done',
    );
    assert.deepEqual(made.split('\n'), ['0:4242', '4242', '0:4242', '4242']);
    assert.equal(await run('users', 'stat -c %u:%g /etc/hosts /dev/termination-log | sort -u'), '0:0');
    assert.match(await run('users', 'grep -c " /proc/kcore " /proc/self/mounts || true'), /^0$/);
  });
});

test('a container has variables from a file that the one before it has written; without the key it says what is missing', async () => {
  const variable = (key: string, more = {}) => ({
    name: key,
    valueFrom: { fileKeyRef: { volumeName: 'shared', path: 'variables.env', key, ...more } },
  });
  const withVariables = (name: string, env: object[]) => {
    const pod = scriptPod(name, 'echo "one=$ONE two=$TWO"; sleep 100000') as {
      spec: Record<string, unknown>;
    };
    const [main] = pod.spec['containers'] as object[];
    const write = `printf "ONE='a b'\\nTWO='x\\ny'\\n" >/shared/variables.env`;
    const volumeMounts = [{ name: 'shared', mountPath: '/shared' }];
    pod.spec['volumes'] = [{ name: 'shared', emptyDir: {} }];
    pod.spec['initContainers'] = [{ ...main, name: 'writes', command: ['sh', '-c', write], volumeMounts }];
    pod.spec['containers'] = [{ ...main, env }];
    return pod;
  };
  await node.apply(
    withVariables('from-file', [variable('ONE'), variable('TWO'), variable('NONE', { optional: true })]),
  );
  const said = await eventually('what it says', async () => {
    const { stdout } = await node.kubectl(['logs', 'from-file']);
    return stdout.includes('one=') && stdout;
  });
  assert.equal(said, 'one=a b two=x\ny\n');
  const without = JSON.stringify(withVariables('no-key', [variable('NONE')]));
  await node.kubectlOk(['apply', '-f', '-'], { stdin: without });
  const waiting = await eventually('why it waits', async () => {
    const [status] = (await podJson('no-key')).status.containerStatuses ?? [];
    return status?.state?.waiting?.reason === 'CreateContainerConfigError' && status.state.waiting.message;
  });
  assert.match(
    waiting,
    /environment variable key "NONE" not found in file "variables.env" of volume "shared"/,
  );
});

test('the log of a running container is rotated at its size, and read as a whole', async () => {
  const line = 'x'.repeat(200);
  // Each round is longer than a file may be; the last lines are few.
  const [rounds, roundLines, lastLines] = [3, 1_500, 50];
  const write = (lines: number) =>
    `n=$((i+${lines})); while [ $i -lt $n ]; do echo $i ${line}; i=$((i+1)); done`;
  const asked = (round: number) => `until [ -e /round-${round} ]; do sleep 0.1; done`;
  const writing = Array.from({ length: rounds }, (_, round) => `${asked(round)}; ${write(roundLines)}`);
  const script = `i=0; ${writing.join('; ')}; ${asked(rounds)}; ${write(lastLines)}; sleep 100000`;
  await node.apply(scriptPod('talker', script));
  const ask = (round: number) => run('talker', `touch /round-${round}`);
  const uid = (await podJson('talker')).metadata.uid;
  const logs = (await node.kubectlOk(['get', '--raw', `/api/v1/nodes/${node.name}/proxy/configz`])).match(
    /"podLogsDir":"([^"]+)"/,
  )?.[1];
  const folder = `${logs}/default_talker_${uid}/main`;
  const rotated = () => readdirSync(folder).filter((name) => /^0\.log\.\d{8}-\d{6}(\.gz)?$/.test(name));
  for (let round = 0; round < rounds; round += 1) {
    await ask(round);
    await eventually(`${round + 1} rotated logs`, () => rotated().length > round);
  }
  await ask(rounds);
  const lines = rounds * roundLines + lastLines;
  const shown = await eventually('every line', async () => {
    const text = (await node.kubectlOk(['logs', 'talker'])).trimEnd().split('\n');
    return text.length === lines && text;
  });
  const wanted = Array.from({ length: lines }, (_, index) => `${index} ${line}`);
  assert.ok(shown.join() === wanted.join(), 'lines are missing or out of order');
  // While it was written a file could outgrow its size until the next look.
  await eventually(
    'no file beyond its size',
    () => (statSync(`${folder}/0.log`, { throwIfNoEntry: false })?.size ?? 0) < logBytesMax,
  );
  assert.deepEqual(
    readdirSync(folder)
      .filter((name) => name !== '0.log')
      .sort(),
    rotated().sort(),
  );
});
