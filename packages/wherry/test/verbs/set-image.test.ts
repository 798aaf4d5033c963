/** `set image`. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { CronJob, Deployment } from '@wherry/kubeapi';
import { Served } from './served.ts';

let served: Served;

const containers = [
  { name: 'app', image: 'app:1' },
  { name: 'side', image: 'side:1' },
];
const deployment = (name: string) => ({
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, labels: { app: name } } },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers, initContainers: [{ name: 'init', image: 'init:1' }] },
    },
  },
});

before(async () => {
  served = await Served.start();
  for (const name of ['web', 'other']) await served.client.create(deployment(name));
  await served.addOthers();
});
after(() => served?.close());

const said = (stdout: string) => ({ code: 0, stdout, stderr: '' });
const failed = (stderr: string) => ({ code: 1, stdout: '', stderr: `${stderr}\n` });

async function imagesOf(name: string): Promise<(string | undefined)[]> {
  const { spec } = await served.client.get<Deployment>(`Deployment/${name}`);
  const { containers = [], initContainers = [] } = spec?.template.spec ?? {};
  return [...containers, ...initContainers].map(({ image }) => image);
}

test('set image gives containers other images by their names, or all of them', async () => {
  const updated = said('deployment.apps/web image updated\n');
  assert.deepEqual(await served.run('set image deploy/web app=app:2 init=init:2'), updated);
  assert.deepEqual(await imagesOf('web'), ['app:2', 'side:1', 'init:2']);
  assert.deepEqual(await served.run('set image deployment web *=all:1'), updated);
  assert.deepEqual(await imagesOf('web'), ['all:1', 'all:1', 'all:1']);
  assert.deepEqual(await served.run('set image deploy/web app=all:1'), said(''));
  assert.deepEqual(
    await served.run('set image cj/tick tick=tick:2'),
    said('cronjob.batch/tick image updated\n'),
  );
  const { spec } = await served.client.get<CronJob>('CronJob/tick');
  assert.equal(spec?.jobTemplate.spec?.template.spec?.containers[0]?.image, 'tick:2');
});

test('set image changes all of a type, or those of a label selector', async () => {
  await served.run('set image deploy app=app:3 -l app=other');
  assert.deepEqual(await imagesOf('other'), ['app:3', 'side:1', 'init:1']);
  assert.deepEqual(
    await served.run('set image deploy app=app:4 --all'),
    said('deployment.apps/other image updated\ndeployment.apps/web image updated\n'),
  );
});

test('set image changes nothing in a dry run, and prints what it would be', async () => {
  const before = await imagesOf('other');
  for (const [where, words] of [
    ['client', 'dry run'],
    ['server', 'server dry run'],
  ]) {
    const line = `set image deploy/other app=app:9 --dry-run=${where}`;
    assert.deepEqual(await served.run(line), said(`deployment.apps/other image updated (${words})\n`));
    const { stdout } = await served.run(`${line} -o json`);
    assert.equal((JSON.parse(stdout) as Deployment).spec?.template.spec?.containers[0]?.image, 'app:9');
  }
  assert.deepEqual(await imagesOf('other'), before);
});

test('set image --local changes what a file holds', async () => {
  const file = served.file('web.json', deployment('nowhere'));
  const { stdout } = await served.run(`set image -f ${file} app=app:7 --local -o json`);
  const { spec } = JSON.parse(stdout) as Deployment;
  assert.deepEqual(
    spec?.template.spec?.containers.map(({ image }) => image),
    ['app:7', 'side:1'],
  );
  assert.deepEqual(
    await served.run(`set image -f ${file} app=app:7`),
    failed('Error from server (NotFound): deployments.apps "nowhere" not found'),
  );
});

test('set image refuses what it can not do, and changes nothing while one object is missing', async () => {
  const before = await imagesOf('web');
  for (const [line, says] of [
    ['deploy/nope deploy/web app=x', 'Error from server (NotFound): deployments.apps "nope" not found'],
    ['deploy/web nope=x', 'error: unable to find container named "nope"'],
    [
      'cm/one c=x',
      'error: configmaps/one the object is not a pod or does not have a pod template: *v1.ConfigMap',
    ],
    ['deploy app=x', 'error: resource(s) were provided, but no name was specified'],
    ['deploy/web', 'error: at least one image update is required'],
    ['deploy/web app-', 'error: invalid image format: app-'],
    [
      'deploy/web app=x *=y',
      'error: all containers are already specified by *, but saw more than one container_name=container_image pairs',
    ],
    ['deploy/web app=x cm/one', 'error: all resources must be specified before image changes: cm/one'],
    [
      'deploy/web app=x --local',
      "error: you must specify resources by --filename when --local is set.\nExample resource specifications include:\n   '-f rsrc.yaml'\n   '--filename=rsrc.json'",
    ],
  ] as const)
    assert.deepEqual(await served.run(`set image ${line}`), failed(says), line);
  assert.deepEqual(await imagesOf('web'), before);
});
