/** `set resources`. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { CronJob, Deployment, ResourceRequirements } from '@wherry/kubeapi';
import { Served } from './served.ts';

let served: Served;

const sideResources = { limits: { cpu: '1', memory: '64Mi' }, requests: { cpu: '250m' } };

function deployment(name: string) {
  const labels = { app: name };
  const containers = [
    { name: 'app', image: 'app:1' },
    { name: 'side', image: 'side:1', resources: sideResources },
  ];
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, labels } },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers, initContainers: [{ name: 'init', image: 'init:1' }] },
      },
    },
  };
}

before(async () => {
  served = await Served.start();
  for (const name of ['web', 'other', 'refused']) await served.client.create(deployment(name));
  await served.addOthers();
});
after(() => served?.close());

const said = (stdout: string) => ({ code: 0, stdout, stderr: '' });
const failed = (stderr: string, stdout = '') => ({ code: 1, stdout, stderr: `${stderr}\n` });
const setResources = (line: string) => served.run(`set resources ${line}`);
const updated = (...names: string[]) =>
  said(names.map((name) => `deployment.apps/${name} resource requirements updated\n`).join(''));

async function resourcesOf(name: string): Promise<(ResourceRequirements | undefined)[]> {
  const { spec } = await served.client.get<Deployment>(`Deployment/${name}`);
  const { containers = [], initContainers = [] } = spec?.template.spec ?? {};
  return [...containers, ...initContainers].map(({ resources }) => resources);
}

test('set resources gives containers limits and requests beside those that they have', async () => {
  const line = 'deploy/web --limits=cpu=2,memory=0.5Gi --requests=cpu=0.1';
  assert.deepEqual(await setResources(line), updated('web'));
  const given = { limits: { cpu: '2', memory: '512Mi' }, requests: { cpu: '100m' } };
  assert.deepEqual(await resourcesOf('web'), [given, given, given]);
  assert.deepEqual(await setResources(line), said(''));
  assert.deepEqual(await setResources('deploy/web --limits=cpu=1,cpu=2000m'), said(''));
  assert.deepEqual(await setResources('deploy/web --requests=memory=1Mi -c s*e'), updated('web'));
  const more = { ...given, requests: { cpu: '100m', memory: '1Mi' } };
  assert.deepEqual(await resourcesOf('web'), [given, more, given]);
  assert.deepEqual(await setResources('deploy/web --limits=cpu=0 --requests=cpu=0 -c init'), updated('web'));
  const none = { limits: { cpu: '0', memory: '512Mi' }, requests: { cpu: '0' } };
  assert.deepEqual((await resourcesOf('web')).at(-1), none);
});

test('set resources changes all of a type, those of a label selector, those of a file, and jobs to come', async () => {
  assert.deepEqual(await setResources('deploy --limits=cpu=3 -l app=other'), updated('other'));
  assert.deepEqual(await setResources('deploy --limits=cpu=4 --all'), updated('other', 'refused', 'web'));
  const file = served.file('other.json', deployment('other'));
  assert.deepEqual(await setResources(`-f ${file} --limits=cpu=5`), updated('other'));
  assert.deepEqual(
    await setResources('cj/tick --limits=cpu=1'),
    said('cronjob.batch/tick resource requirements updated\n'),
  );
  const { spec } = await served.client.get<CronJob>('CronJob/tick');
  const [container] = spec?.jobTemplate.spec?.template.spec?.containers ?? [];
  assert.deepEqual(container?.resources, { limits: { cpu: '1' } });
});

test('set resources --local changes what a file holds', async () => {
  const file = served.file('nowhere.json', deployment('nowhere'));
  const { stdout } = await setResources(`-f ${file} --limits=cpu=5 --local -o json`);
  const { spec, status } = JSON.parse(stdout) as Deployment;
  assert.deepEqual(
    spec?.template.spec?.containers.map(({ resources }) => resources),
    [{ limits: { cpu: '5' } }, { limits: { cpu: '5', memory: '64Mi' }, requests: { cpu: '250m' } }],
  );
  // As one that is stored is printed.
  assert.deepEqual([spec?.strategy, status], [{}, {}]);
});

test('a dry run of set resources changes nothing', async () => {
  const before = await resourcesOf('other');
  for (const [where, words] of [
    ['client', 'dry run'],
    ['server', 'server dry run'],
  ])
    assert.deepEqual(
      await setResources(`deploy/other --limits=cpu=9 --dry-run=${where}`),
      said(`deployment.apps/other resource requirements updated (${words})\n`),
    );
  assert.deepEqual(await resourcesOf('other'), before);
});

test('set resources refuses what it can not do', async () => {
  const before = await resourcesOf('refused');
  const file = served.file('refused.json', deployment('refused'));
  const quantity =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  for (const [line, says] of [
    [
      'deploy/refused',
      'you must specify an update to requests or limits (in the form of --requests/--limits)',
    ],
    [
      'deploy/refused --limits=',
      'you must specify an update to requests or limits (in the form of --requests/--limits)',
    ],
    ['deploy/refused --limits=cpu', 'Invalid argument syntax cpu, expected <resource>=<value>'],
    ['deploy/refused --limits=cpu=1=2', 'Invalid argument syntax cpu=1=2, expected <resource>=<value>'],
    ['deploy/refused --limits=cpu=x', quantity],
    ['deploy/refused --limits=cpu=1 -c nope', 'unable to find container named nope'],
    [
      'deploy/refused --requests=cpu=8 -c app',
      'failed to patch resources update to pod template Deployment.apps "refused" is invalid: spec.template.spec.containers[0].resources.requests: Invalid value: "8": must be less than or equal to cpu limit of 4',
    ],
    ['deploy --limits=cpu=1', 'resource(s) were provided, but no name was specified'],
    ['deploy --limits=cpu=1 --all -l app=x', 'cannot set --all and --selector at the same time'],
    [
      'cm/one --limits=cpu=1',
      'configmaps/one the object is not a pod or does not have a pod template: *v1.ConfigMap',
    ],
    [
      `-f ${file} --limits=cpu=1 --local --dry-run=server`,
      'cannot specify --local and --dry-run=server - did you mean --dry-run=client?',
    ],
    [
      'deploy/refused --limits=cpu=1 --local',
      "you must specify resources by --filename when --local is set.\nExample resource specifications include:\n   '-f rsrc.yaml'\n   '--filename=rsrc.json'",
    ],
  ])
    assert.deepEqual(await setResources(`${line}`), failed(`error: ${says}`), line);
  assert.deepEqual(
    await setResources('deploy/nope'),
    failed('Error from server (NotFound): deployments.apps "nope" not found'),
  );
  assert.deepEqual(
    await setResources('deploy/web deploy/refused --limits=cpu=1 -c nope'),
    failed('error: unable to find container named nope\nerror: unable to find container named nope'),
  );
  assert.deepEqual(await resourcesOf('refused'), before);
});
