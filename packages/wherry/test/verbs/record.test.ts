/** `--record`, and the real kubectl. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { unlessKubectlHas } from '../../../../e2e/kubectl-version.ts';
import { BesideKubectl } from './beside-kubectl.ts';

const skip = unlessKubectlHas('--record as it is since it is deprecated');

let both: BesideKubectl;

const deployment = (name: string) => ({
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, labels: { app: name } } },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'app', image: 'app:1' }] },
    },
  },
});
const service = {
  ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'front' } },
  spec: { clusterIP: 'None', selector: { app: 'a' }, ports: [{ port: 80 }] },
};
const configMap = (name: string, data = {}) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
  data,
});

before(async () => {
  both = await BesideKubectl.start([
    ...['a', 'b', 'c', 'd', 'e', 'f'].map(deployment),
    service,
    ...['one', 'two', 'three'].map((name) => configMap(name)),
  ]);
});
after(() => both?.close());

/** What wherry has written down. */
async function causeOf(type: string, name: string): Promise<string> {
  const { stdout } = await both.wherry.run(`get ${type} ${name} -o json`);
  return JSON.parse(stdout).metadata.annotations['kubernetes.io/change-cause'];
}

test('commands that change objects write their line down with them', { skip }, async () => {
  for (const line of [
    'annotate cm one x=y --record',
    'annotate cm one --record=true x=y',
    'annotate cm one x=z --overwrite -l= --record',
    'annotate cm two kubernetes.io/change-cause=mine --record',
    'annotate cm two y=z --record --dry-run=server -o json',
    'label cm one x=y --record',
    'label --record cm two -l x=y more=',
    'patch cm three --record -p {"data":{"a":"b"}}',
    'patch cm three --type=json --record -p [{"op":"add","path":"/data/c","value":"d"}] -o json',
    'set image deploy/a app=app:2 --record',
    'set image deploy/b app=app:1 --record --v=0',
    'set resources deploy a --limits=cpu=1 --record -c app',
    'set serviceaccount deploy/a robot --record',
    'set selector service front app=b --record',
    'scale deploy/c --replicas=2 --record',
    'scale --replicas 3 deploy/d deploy/e --record=true --record=false',
    'expose deploy a --port=80 --record --cluster-ip=None',
    'expose deploy b --port=80 --record --dry-run=client -o json',
    'autoscale deploy a --max=3 --record',
    'run pod --image=app:1 --record',
    'run shown --image=app:1 --record --dry-run=client -o json --port=80 -- sh -c true',
  ])
    await both.typeLine(line);
  await both.compareObjects('ConfigMap', 'Deployment', 'Service', 'Pod');
  assert.match(
    await causeOf('hpa', 'a'),
    /^wherry autoscale deploy a --kubeconfig=\S+ --max=3 --record=true$/,
  );
});

test('so do those that take files', { skip }, async () => {
  const created = both.file('created.json', {
    ...{ apiVersion: 'v1', kind: 'List' },
    items: [configMap('created'), configMap('second')],
  });
  const replaced = both.file('replaced.json', configMap('created', { a: 'b' }));
  for (const [line, own] of [
    [`create -f ${created} --record --save-config`],
    [`apply -f ${replaced} --record`, `apply -f ${replaced} --record --server-side=false`],
    [`apply --server-side --record -f ${both.file('applied.json', configMap('applied'))}`],
  ] as const)
    await both.typeLine(line, own);
  assert.match(
    await causeOf('cm', 'created'),
    /^wherry apply --kubeconfig=\S+ --filename=\S+ --record=true --server-side=false$/,
  );
  // kubectl has it of late.
  await both.wherry.run(`replace --record -f ${replaced}`);
  assert.match(
    await causeOf('cm', 'created'),
    /^wherry replace --kubeconfig=\S+ --record=true --filename=\S+$/,
  );
  // What is typed otherwise is recorded otherwise.
  await both.typeLine('delete cm created');
  await both.compareObjects('ConfigMap');
});

test('edit writes its line down with what was saved', { skip }, async () => {
  process.env['KUBE_EDITOR'] = "sed -i 's/^data: {}/data: {a: b}/; s/^metadata:/data: {a: b}\\nmetadata:/'";
  assert.equal((await both.wherry.run('edit cm one --record')).stdout, 'configmap/one edited\n');
  assert.match(await causeOf('cm', 'one'), /^wherry edit cm one --kubeconfig=\S+ --record=true$/);
});

test('what is said of tokens and passwords is not written down', async () => {
  const { stdout } = await both.wherry.run(
    'run pod --image=app:1 --record --dry-run=client -o json --token=abc --password def',
  );
  assert.match(stdout, /--token=CLASSIFIED --password=CLASSIFIED/);
});

test('commands without --record refuse it', { skip }, async () => {
  for (const line of ['set env deploy/a A=b --record', 'create deployment x --image=y --record'])
    assert.equal((await both.wherry.run(line)).stderr.split('\n')[0], 'error: unknown flag: --record');
});
