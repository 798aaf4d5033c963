/** `set selector`. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Service } from '@wherry/kubeapi';
import { Served } from './served.ts';

let served: Served;

const service = (name: string) => ({
  ...{ apiVersion: 'v1', kind: 'Service', metadata: { name } },
  spec: { selector: { app: name, tier: 'x' }, ports: [{ port: 80 }] },
});
const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'map' } };

before(async () => {
  served = await Served.start();
  for (const each of [service('one'), service('two'), map]) await served.client.create(each);
});
after(() => served?.close());

const said = (stdout: string) => ({ code: 0, stdout, stderr: '' });
const failed = (stderr: string, stdout = '') => ({ code: 1, stdout, stderr: `${stderr}\n` });
const setSelector = (line: string, ...more: string[]) => served.run(`set selector ${line}`, ...more);
const updated = (...names: string[]) =>
  said(names.map((name) => `service/${name} selector updated\n`).join(''));
const selectorOf = async (name: string) =>
  (await served.client.get<Service>(`Service/${name}`)).spec?.selector;

test('set selector puts a selector in the place of the one that is there', async () => {
  assert.deepEqual(await setSelector('svc one app=x'), updated('one'));
  assert.deepEqual(await selectorOf('one'), { app: 'x' });
  assert.deepEqual(await setSelector('svc/one svc/two app==y,tier=z'), updated('one', 'two'));
  assert.deepEqual(await selectorOf('two'), { app: 'y', tier: 'z' });
  assert.deepEqual(await setSelector('svc/one app=y,tier=z'), updated('one'));
  assert.deepEqual(await setSelector('svc/one', ''), updated('one'));
  assert.equal(await selectorOf('one'), undefined);
  assert.deepEqual(await setSelector('svc app=all --all'), updated('kubernetes', 'one', 'two'));
  assert.deepEqual(await selectorOf('one'), { app: 'all' });
});

test('set selector goes on behind what is missing or is no service', async () => {
  assert.deepEqual(
    await setSelector('svc/nope svc/one app=go'),
    failed('Error from server (NotFound): services "nope" not found', updated('one').stdout),
  );
  assert.deepEqual(
    await setSelector('cm/map svc/one app=go'),
    failed('error: setting a selector is only supported for Services', updated('one').stdout),
  );
});

test('set selector --resource-version changes nothing that has changed meanwhile', async () => {
  const { metadata } = await served.client.get<Service>('Service/one');
  const line = `svc/one app=rv --resource-version=${metadata.resourceVersion}`;
  assert.deepEqual(await setSelector(line), updated('one'));
  assert.deepEqual(
    await setSelector(line.replace('app=rv', 'app=late')),
    failed(
      'Error from server (Conflict): Operation cannot be fulfilled on services "one": the object has been modified; please apply your changes to the latest version and try again',
    ),
  );
  assert.deepEqual(await selectorOf('one'), { app: 'rv' });
});

test('set selector changes what files name, and with --local what they hold', async () => {
  const file = served.file('two.json', service('two'));
  assert.deepEqual(await setSelector(`-f ${file} app=filed`), updated('two'));
  assert.deepEqual(await selectorOf('two'), { app: 'filed' });
  const { stdout } = await setSelector(`-f ${file} app=l --local -o json`);
  assert.deepEqual((JSON.parse(stdout) as Service).spec?.selector, { app: 'l' });
});

test('a dry run of set selector changes nothing', async () => {
  for (const [where, words] of [
    ['client', 'dry run'],
    ['server', 'server dry run'],
  ])
    assert.deepEqual(
      await setSelector(`svc/two app=dry --dry-run=${where}`),
      said(`service/two selector updated (${words})\n`),
    );
  assert.deepEqual(await selectorOf('two'), { app: 'filed' });
});

test('set selector refuses what a service can not have', async () => {
  for (const [line, says] of [
    ['svc/two app=y,tier!=z', '"!=" is not a valid label selector operator'],
    ['svc/two app,tier', 'match expression [{app Exists []} {tier Exists []}] not supported on this object'],
    ['svc/two !app', 'match expression [{app DoesNotExist []}] not supported on this object'],
    [
      'svc/two a=b=c',
      `couldn't parse the selector string "a=b=c": found '=', expected: ',' or 'end of string'`,
    ],
    ['svc app=x', 'resource(s) were provided, but no name was specified'],
    [
      'svc/two app=l --local',
      "you must specify resources by --filename when --local is set.\nExample resource specifications include:\n   '-f rsrc.yaml'\n   '--filename=rsrc.json'",
    ],
  ])
    assert.deepEqual(await setSelector(`${line}`), failed(`error: ${says}`), line);
  assert.deepEqual(
    await setSelector('svc/two', 'app in (a,b)'),
    failed('error: match expression [{app In [a b]}] not supported on this object'),
  );
  assert.deepEqual(await served.run('set selector'), failed('error: one selector is required'));
  assert.deepEqual(await selectorOf('two'), { app: 'filed' });
});
