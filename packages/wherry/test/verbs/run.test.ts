/** `run`, beside kubectl; what joins the container is in e2e. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Pod } from '@wherry/kubeapi';
import { BesideKubectl } from './beside-kubectl.ts';

let both: BesideKubectl;

// Without it each pod has a volume of its own name.
const account = {
  ...{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
  automountServiceAccountToken: false,
};

before(async () => {
  both = await BesideKubectl.start([account]);
});
after(() => both?.close());

test('run creates the pod that its flags say, and with --expose a service for it', async () => {
  for (const line of [
    'run bare --image=app',
    'run args --image=app -- a -b',
    'run loose --image=app a b',
    'run command --image=app --command -- sh -c x',
    'run full --image=reg.test:5000/app:1 --env=A=1 --env=B= --env=C=a=b -l a=b,c= --annotations=x=y=z --annotations=w= --port=80 --restart=Never --image-pull-policy=Never --privileged',
    'run input --image=app -i --attach=false',
    'run open --image=app -i -t --leave-stdin-open --attach=false',
    'run shown --image=app --port=80 --expose',
    'run labelled --image=app --port=81 --expose -l app=x,tier=y --annotations=n=1',
    'run named --image=app -o name',
    'run --image=app -- behind x',
    'run managed --image=app --field-manager=me',
    'run over --image=app --overrides={"spec":{"nodeName":"n"}}',
    'run shown --image=app --port=80 --expose',
    'run bare --image=app --dry-run=server',
  ])
    await both.typeLine(line);
  await both.compareObjects('Pod');
  const told = 'NAME:.metadata.name,LABELS:.metadata.labels,PORTS:.spec.ports,SELECTOR:.spec.selector';
  for (const name of ['shown', 'labelled'])
    await both.typeLine(`get service ${name} -o custom-columns=${told}`);
});

test('run --dry-run=client prints what it would create', async () => {
  for (const line of ['', ' -o name', ' --port=80 --expose', ' --port=80 --expose -o name', ' -n other'])
    await both.typeLine(`run dry --image=app --dry-run=client${line}`);
});

test('run --rm deletes as its flags of deletion say', async () => {
  const { wherry: served } = both;
  const run = (name: string, ...flags: string[]) =>
    served.run(
      `run ${name} --image=app --rm --attach --pod-running-timeout=10ms --overrides={"spec":{"nodeName":"n"}}`,
      ...flags,
    );
  assert.match(
    (await run('held', '--grace-period=7')).stdout,
    /^pod "held" deleted from default namespace$/m,
  );
  const { metadata } = await served.client.get<Pod>('Pod/held');
  assert.equal(metadata.deletionGracePeriodSeconds, 7);
  const forced = await run('forced', '--force', '--wait', '--timeout=20s');
  assert.match(forced.stdout, /^pod "forced" force deleted from default namespace$/m);
  await assert.rejects(served.client.get('Pod/forced'), { reason: 'NotFound' });
  const { stderr } = await run('awaited', '--wait', '--timeout=10ms');
  assert.match(stderr, /timed out waiting for pod "awaited" to be gone/);
});

test('run refuses what does not go together, and values that are none', async () => {
  for (const line of [
    'run --image=app',
    'run x --image=',
    'run x --image=App',
    'run x --image=app -t',
    'run x --image=app --expose',
    'run x --image=app --restart=Maybe',
    'run x --image=app --rm',
    'run x --image=app -i --dry-run=client',
    'run x --image=app --attach --dry-run=server',
    'run x --image=app --image-pull-policy=Maybe',
    'run x --image=app --port=x',
    'run x --image=app --port=x --expose',
    'run x --image=app --env=A',
    'run x --image=app --env=1A=b',
    'run x --image=app -l x',
    'run x --image=app -l =x',
    'run x --image=app --annotations=x --annotations==y',
    'run x_y --image=app',
  ])
    await both.typeLine(line);
});
