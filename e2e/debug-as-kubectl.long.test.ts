/** `wherry debug` beside kubectl: the same words, and the same objects in an API server that runs nothing. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Pod } from '@wherry/kubeapi';
import { Served } from '../packages/wherry/test/verbs/served.ts';
import { run } from './command.ts';
import { kubectlMinor, unlessKubectlHas } from './kubectl-version.ts';

const skip = unlessKubectlHas('the flags and words of 1.32');

let served: Served;
let files: Record<'pod' | 'map' | 'custom' | 'limits' | 'fixed', string>;

before(async () => {
  served = await Served.start();
  await served.client.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
  await served.client.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } });
  // Of a file whose pod has no security context kubectl panics.
  const pod = podOf('web', { securityContext: {} });
  const limits = {
    env: [{ name: 'A', value: 'theirs' }],
    securityContext: { runAsUser: 0, capabilities: { drop: ['ALL'] } },
    resources: { limits: { memory: '64Mi' } },
    ...{ tty: false, workingDir: null, args: [] },
  };
  const volumeMounts = [{ name: 'data', mountPath: '/data' }];
  files = {
    pod: served.file('pod.json', pod),
    map: served.file('map.json', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } }),
    custom: served.file('custom.json', { ...limits, volumeMounts }),
    limits: served.file('limits.json', limits),
    fixed: served.file('fixed.json', { image: 'other' }),
  };
});
after(() => served?.close());
beforeEach(reset);

const probe = { httpGet: { path: '/', port: 80 } };

function podOf(name: string, spec: object = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: name }, annotations: { note: name } },
    spec: {
      nodeName: 'n',
      terminationGracePeriodSeconds: 0,
      initContainers: [{ name: 'first', image: 'first:1' }],
      containers: [
        {
          ...{ name: 'app', image: 'app:1', command: ['serve'], args: ['--all'], stdin: true },
          ...{ livenessProbe: probe, readinessProbe: probe, startupProbe: probe },
          env: [{ name: 'B', value: 'own' }],
          securityContext: { readOnlyRootFilesystem: true, capabilities: { add: ['CHOWN'] } },
        },
        { name: 'side', image: 'side:1' },
      ],
      volumes: [{ name: 'data', emptyDir: {} }],
      ...spec,
    },
  };
}

/** `web`, `user`, whose pod has another user, and `looked`, which has an ephemeral container, as they were at first. */
async function reset(): Promise<void> {
  const pods = await served.client.list<Pod>('Pod').toArray();
  for (const { metadata } of pods)
    await served.client.delete(`Pod/${metadata.name}`, { gracePeriodSeconds: 0 });
  await served.client.create(podOf('web'));
  await served.client.create(podOf('user', { securityContext: { runAsUser: 7 } }));
  const { metadata } = await served.client.create(podOf('looked'));
  const ephemeralContainers = [{ name: 'earlier', image: 'tools' }];
  const options = { subresource: 'ephemeralcontainers' };
  await served.client.patch(`Pod/${metadata.name}`, { spec: { ephemeralContainers } }, options);
}

/** What 1.36 says and makes beside what older ones do; of 1.36 all is compared. */
const isOlder = kubectlMinor < 36;
const asOlder = (stderr: string) =>
  stderr.replace(/^Warning: Non-root user .*\n/gm, '').replace(/^Error: /, 'error: ');
const withoutManager = (labels: Record<string, string> | undefined) =>
  labels?.['app.kubernetes.io/managed-by'] === 'kubectl-debug' ? undefined : labels;

const suffix = /\b((?:debugger|node-debugger-n|kube-api-access)-)[bcdfghjklmnpqrstvwxz2456789]{5}\b/g;

/** What is stored, without what no two objects share. */
async function stored(): Promise<object[]> {
  const items = await served.client.list<Pod>('Pod').toArray();
  const known = items.map(({ metadata, spec, status: _status }) => {
    const { name, labels, annotations, generation } = metadata;
    return { name, labels: isOlder ? withoutManager(labels) : labels, annotations, generation, spec };
  });
  return JSON.parse(JSON.stringify(known).replaceAll(suffix, '$1xxxxx'));
}

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
  pods: object[];
}

async function outcome(program: 'kubectl' | 'wherry', line: string): Promise<Outcome> {
  const env = { KUBECONFIG: served.server.kubeconfig, HOME: served.server.folder };
  const { code, stdout, stderr } =
    program === 'kubectl' ? await run('kubectl', line.split(' '), { env }) : await served.run(line);
  const plain = (text: string) => text.replaceAll(suffix, '$1xxxxx').replaceAll('kubectl', 'wherry');
  const said = isOlder ? asOlder(stderr) : stderr;
  return { code, stdout: plain(stdout), stderr: plain(said), pods: await stored() };
}

/** What both make of a line; each begins with the same pods. */
async function both(line: string): Promise<{ theirs: Outcome; ours: Outcome }> {
  const theirs = await outcome('kubectl', line);
  await reset();
  return { theirs, ours: await outcome('wherry', line) };
}

const profiles = ['general', 'baseline', 'restricted', 'netadmin', 'sysadmin'];
const withProfiles = [
  'web --image=busybox',
  'web --copy-to=copy --image=busybox',
  'web --copy-to=copy -c app --image=busybox -- sh',
  'user --copy-to=copy -c side --image=busybox',
  'user --image=busybox',
  'node/n --image=busybox',
];

for (const profile of profiles) {
  test(`debug --profile=${profile} makes what kubectl makes of pods, copies and nodes`, {
    skip,
  }, async () => {
    for (const line of withProfiles) {
      const { theirs, ours } = await both(`debug --profile=${profile} ${line}`);
      assert.equal(theirs.code, 0, theirs.stderr);
      assert.deepEqual(ours, theirs, line);
      await reset();
    }
  });
}

test('debug --profile=legacy does, too, and is told to go', { skip }, async () => {
  for (const line of withProfiles) {
    const { theirs, ours } = await both(`debug --profile=legacy ${line}`);
    for (const { stderr } of [theirs, ours]) assert.match(stderr, /^--profile=legacy is deprecated/);
    assert.deepEqual({ ...ours, stderr: '' }, { ...theirs, stderr: '' }, line);
    await reset();
  }
});

/** `@custom` stands for the path of a file. */
const lines = {
  'an ephemeral container': [
    'web --image=busybox -c tool --target=app --env=A=1 -- sh -c true',
    'web --image=busybox -q -i -t --attach=false --image-pull-policy=Never',
    'web --image=busybox -q --arguments-only --env=A=x,y -- -x y',
    'web side --image=busybox',
    'web user --image=busybox',
    'looked --image=busybox',
    'web --image=busybox --custom=@custom',
    'user --image=busybox --custom=@custom',
    'pod/web --image=busybox -t -i --attach=false --custom=@limits',
    '-f @pod --image=busybox',
    'web --image=busybox -c app',
    'looked --image=busybox -c earlier',
  ],
  'a copy': [
    'web --copy-to=copy --set-image=*=other',
    'web --copy-to=copy --set-image=app=a:2,side=s:2 -i',
    'web --copy-to=copy --set-image=*=all:1 --set-image=side=s:2 -c app -- sh',
    'web --copy-to=copy --set-image=*=all:1 --image=busybox -q',
    'web --copy-to=copy --image=busybox --replace --same-node',
    'web --copy-to=copy --image=busybox --share-processes',
    'web --copy-to=copy --image=busybox --share-processes=false --keep-init-containers=false',
    'web --copy-to=copy --image=busybox --keep-labels --keep-annotations --keep-liveness --keep-readiness --keep-startup',
    'web --copy-to=copy -c first --image=busybox',
    'web --copy-to=copy -c first --image=busybox --custom=@custom',
    'web --copy-to=copy -c app --custom=@limits --arguments-only -- --few',
    'web --copy-to=copy -c app --env=A=1 --image-pull-policy=Always -- sh',
    'looked --copy-to=copy --image=busybox -c earlier',
    'web --copy-to=copy -c none -- sh',
    'web --copy-to=web --image=busybox',
    '-f @pod --copy-to=copy --image=busybox',
  ],
  'a node': [
    'node/n --image=busybox --env=A=1 -- ls /host',
    'nodes/n --image=busybox -c tool -q --arguments-only -- x',
    'no/n --image=busybox --custom=@custom',
    'node/none --image=busybox',
  ],
  'what can not be': [
    'web',
    '--image=busybox',
    'none --image=busybox',
    'cm/m --image=busybox',
    '-f @map --image=busybox',
    '-f @pod web --image=busybox',
    'pod/web/app --image=busybox',
    'pod/ --image=busybox',
    'web --image=Busybox',
    'web --image=busybox --profile=none',
    'web --image=busybox --image-pull-policy=Sometimes',
    'web --image=busybox -t',
    'web --image=busybox --replace',
    'web --image=busybox --same-node',
    'web --image=busybox --set-image=app=x',
    'web --image=busybox --target=app --copy-to=copy',
    'web --image=busybox --custom=@fixed',
    'web --copy-to=copy',
    'web --copy-to=copy -- sh',
    'web --copy-to=copy --set-image=app=X',
    'web --copy-to=copy --attach -- sh',
    'web --image=busybox --env=A',
    'web --image=busybox --bogus',
  ],
};

for (const [what, all] of Object.entries(lines)) {
  for (const line of all) {
    test(`${what} as kubectl has it: debug ${line}`, { skip }, async () => {
      const named = line.replace(/@(\w+)/, (_, name: keyof typeof files) => files[name]);
      const [words, behind] = named.split(' -- ');
      const profile = named.includes('--profile') ? '' : ' --profile=general';
      const { theirs, ours } = await both(`debug ${words}${profile}${behind ? ` -- ${behind}` : ''}`);
      assert.deepEqual(ours, theirs);
    });
  }
}
