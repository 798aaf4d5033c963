import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { ProcessPages } from './process-pages.ts';

const times = { startedMs: 0, nowMs: 90_061_999 };
const pages = new ProcessPages({
  ...{ component: 'kubelet', version: '1.36.2', emulationVersion: '1.36' },
  paths: ['/pods', '/logs', '/debug/pprof', '/debug/flags/v', '/', '/api/v1', '/openapi/v3'],
  flags: { v: '2', config: '/k.yaml' },
});
const form = (type: string, as: string, version = 'v1beta1') =>
  `${type};v=${version};g=config.k8s.io;as=${as}`;

test('/statusz tells start, age, versions and paths', () => {
  const { text, type } = pages.answer('/statusz', undefined, times)!;
  assert.equal(type, 'text/plain; charset=utf-8');
  assert.match(text, /^\nkubelet statusz\nWarning: /);
  assert.match(text, /\nStarted: Thu, 01 Jan 1970 00:00:00 GMT\nUp: 25 hr 01 min 01 sec\n/);
  assert.match(text, /\nBinary version: 1\.36\.2\nEmulation version: 1\.36\nPaths: \/debug \/logs \/pods\n$/);
});

test('/flagz has one flag a line, by name', () => {
  assert.match(
    pages.answer('/flagz', '*/*', times)!.text,
    /^\nkubelet flagz\nWarning: .*\nconfig=\/k\.yaml\nv=2\n$/,
  );
});

test('each is an object as well, in JSON or YAML', () => {
  const status = {
    ...{ kind: 'Statusz', apiVersion: 'config.k8s.io/v1beta1', metadata: { name: 'kubelet' } },
    ...{ startTime: '1970-01-01T00:00:00Z', uptimeSeconds: 90_061, goVersion: '', binaryVersion: '1.36.2' },
    ...{ emulationVersion: '1.36', paths: ['/debug', '/logs', '/pods'] },
  };
  const json = pages.answer('/statusz', form('application/json', 'Statusz'), times)!;
  assert.equal(json.type, 'application/json;g=config.k8s.io;v=v1beta1;as=Statusz');
  assert.equal(json.text, `${JSON.stringify(status)}\n`);
  const yaml = pages.answer('/flagz', form('application/yaml', 'Flagz', 'v1alpha1'), times)!;
  assert.equal(yaml.type, 'application/yaml;g=config.k8s.io;v=v1alpha1;as=Flagz');
  assert.equal(yaml.warning, 'This version of the flagz endpoint is deprecated. Please use a newer version.');
  assert.deepEqual(parse(yaml.text), {
    ...{ kind: 'Flagz', apiVersion: 'config.k8s.io/v1alpha1', metadata: { name: 'kubelet' } },
    flags: { config: '/k.yaml', v: '2' },
  });
});

test('what is taken first is answered, and what is nowhere taken is refused', () => {
  const typeOf = (accept: string) => pages.answer('/statusz', accept, times)!.type;
  for (const accept of ['', ' ', '*/*', 'application/json, */*', 'text/plain; q=0.9', 'TEXT/*'])
    assert.equal(typeOf(accept), 'text/plain; charset=utf-8', accept);
  assert.match(typeOf(`text/plain;q=0.1, ${form('application/*', 'Statusz')}`), /^application\/json;/);
  for (const accept of [
    ...['application/json', 'application/vnd.kubernetes.protobuf', 'text/html', 'text/plain;as=Statusz'],
    ...[form('application/json', 'Flagz'), form('application/json', 'Statusz', 'v1')],
    `${form('application/json', 'Statusz')};sv=v1`,
  ])
    assert.throws(() => pages.answer('/statusz', accept, times), { code: 406 }, accept);
});

test('there are no flags where none were given, and no other page', () => {
  const other = new ProcessPages({ component: 'apiserver', version: '1.36.2', paths: [] });
  assert.equal(other.answer('/flagz', undefined, times), undefined);
  assert.equal(other.answer('/configz', undefined, times), undefined);
});
