/** `set serviceaccount`. */
import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { after, before, test } from 'node:test';
import type { CronJob, Deployment } from '@wherry/kubeapi';
import { Served } from './served.ts';

let served: Served;

function deployment(name: string) {
  const labels = { app: name };
  const spec = { containers: [{ name: 'app', image: 'app:1' }] };
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, labels } },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

before(async () => {
  served = await Served.start();
  for (const name of ['web', 'other']) await served.client.create(deployment(name));
  await served.addOthers();
});
after(() => served?.close());

const said = (stdout: string) => ({ code: 0, stdout, stderr: '' });
const failed = (stderr: string, stdout = '') => ({ code: 1, stdout, stderr: `${stderr}\n` });
const setAccount = (line: string, ...more: string[]) => served.run(`set serviceaccount ${line}`, ...more);
const updated = (...names: string[]) =>
  said(names.map((name) => `deployment.apps/${name} serviceaccount updated\n`).join(''));

async function accountOf(name: string): Promise<unknown[]> {
  const { spec } = await served.client.get<Deployment>(`Deployment/${name}`);
  return [spec?.template.spec?.serviceAccountName, spec?.template.spec?.serviceAccount];
}

test('set serviceaccount gives pods to come an account, and says so of one that they have', async () => {
  assert.deepEqual(await setAccount('deploy/web robot'), updated('web'));
  assert.deepEqual(await accountOf('web'), ['robot', 'robot']);
  assert.deepEqual(await served.run('set sa deploy web other robot'), updated('web', 'other'));
  assert.deepEqual(await accountOf('other'), ['robot', 'robot']);
  assert.deepEqual(await setAccount('deploy robot2 --all'), updated('other', 'web'));
  assert.deepEqual(await setAccount('cj/tick robot'), said('cronjob.batch/tick serviceaccount updated\n'));
  const { spec } = await served.client.get<CronJob>('CronJob/tick');
  assert.equal(spec?.jobTemplate.spec?.template.spec?.serviceAccountName, 'robot');
});

test('set serviceaccount changes what files name, and with --local what they hold', async () => {
  const file = served.file('web.json', deployment('web'), deployment('other'));
  assert.deepEqual(await setAccount(`-f ${file} robot3`), updated('web', 'other'));
  assert.deepEqual(await accountOf('other'), ['robot3', 'robot3']);
  const { stdout } = await setAccount(`-f ${served.file('one.json', deployment('x'))} here --local -o json`);
  assert.equal((JSON.parse(stdout) as Deployment).spec?.template.spec?.serviceAccountName, 'here');
});

test('set serviceaccount changes what a kustomization makes', async () => {
  const file = served.file('kustomization.yaml', { resources: ['pods.yaml'], namePrefix: 'a-' });
  served.file('pods.yaml', deployment('x'));
  const { stdout } = await setAccount(`-k ${dirname(file)} here --local -o json`);
  const { metadata, spec } = JSON.parse(stdout) as Deployment;
  assert.deepEqual([metadata?.name, spec?.template.spec?.serviceAccountName], ['a-x', 'here']);
});

test('a dry run of set serviceaccount changes nothing', async () => {
  const before = await accountOf('web');
  for (const [where, words] of [
    ['client', 'dry run'],
    ['server', 'server dry run'],
  ])
    assert.deepEqual(
      await setAccount(`deploy/web nobody --dry-run=${where}`),
      said(`deployment.apps/web serviceaccount updated (${words})\n`),
    );
  assert.deepEqual(await accountOf('web'), before);
});

test('set serviceaccount refuses what it can not do, and changes nothing while one object is missing', async () => {
  const before = await accountOf('web');
  const none =
    'You must provide one or more resources by argument or filename.\nExample resource specifications include:\n' +
    "   '-f rsrc.yaml'\n   '--filename=rsrc.json'\n   '<resource> <name>'\n   '<resource>'";
  const name =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
  for (const [line, says] of [
    ['deploy/web', none],
    ['deploy/web robot --local', none],
    ['deploy robot', 'resource(s) were provided, but no name was specified'],
    ['cm/one robot', 'configmaps/one the object is not a pod or does not have a pod template: *v1.ConfigMap'],
    [
      'deploy/web Not_A_Name',
      `failed to patch ServiceAccountName Deployment.apps "web" is invalid: spec.template.spec.serviceAccountName: Invalid value: "Not_A_Name": ${name}`,
    ],
    [
      '-f x robot --local --dry-run=server',
      'cannot specify --local and --dry-run=server - did you mean --dry-run=client?',
    ],
    [
      'deploy/web robot -l app=web',
      "unknown shorthand flag: 'l' in -l\nSee 'wherry set serviceaccount --help' for usage.",
    ],
  ])
    assert.deepEqual(await setAccount(`${line}`), failed(`error: ${says}`), line);
  assert.deepEqual(await served.run('set serviceaccount'), failed('error: serviceaccount is required'));
  assert.deepEqual(
    await setAccount('deploy/nope deploy/web late'),
    failed('Error from server (NotFound): deployments.apps "nope" not found'),
  );
  assert.deepEqual(await accountOf('web'), before);
});
