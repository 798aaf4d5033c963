/** Our API server calls admission webhooks that controller-runtime serves, as the users' operators do. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../e2e/node.ts';
import { writeFiles } from '../packages/apiserver/test/pki.ts';
import { TestServer } from '../packages/apiserver/test/test-server.ts';
import { buildGoPeer } from './peers/go-peer.ts';
import { type GoPeer, startGoPeer } from './peers/go-process.ts';

let server: TestServer;
let operator: GoPeer;
before(async () => {
  const program = await buildGoPeer('webhookserver');
  server = await TestServer.start();
  const folder = join(server.folder, 'webhook');
  mkdirSync(folder);
  const { cert, key } = await server.authority.issue({ name: 'webhook', hosts: ['127.0.0.1'] });
  writeFiles(folder, { 'tls.crt': cert, 'tls.key': key });
  operator = startGoPeer(program, [folder]);
  const port = (await operator.output(/\d+\n/)).trim();
  await configure(`https://127.0.0.1:${port}`);
});
after(async () => {
  await operator[Symbol.asyncDispose]();
  await server.close();
});

/** As kubebuilder's markers write it, applied by kubectl. */
async function configure(url: string): Promise<void> {
  const caBundle = Buffer.from(server.authority.cert).toString('base64');
  const rules = [
    {
      operations: ['CREATE', 'UPDATE', 'DELETE'],
      apiGroups: [''],
      apiVersions: ['v1'],
      resources: ['configmaps'],
    },
  ];
  const webhook = (path: string) => ({
    ...{ name: `${path}.example.com`, clientConfig: { url: `${url}/${path}`, caBundle }, rules },
    ...{ sideEffects: 'None', admissionReviewVersions: ['v1'], failurePolicy: 'Fail' },
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } },
  });
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const items = [
    {
      ...{ apiVersion, kind: 'MutatingWebhookConfiguration', metadata: { name: 'owner' } },
      webhooks: [
        { ...webhook('mutate.v1'), rules: rules.map((rule) => ({ ...rule, operations: ['CREATE'] })) },
      ],
    },
    {
      ...{ apiVersion, kind: 'ValidatingWebhookConfiguration', metadata: { name: 'judge' } },
      webhooks: [webhook('validate.v1')],
    },
  ];
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  await eventually('the webhooks listen', async () => {
    const applied = await server.kubectl(['apply', '-f', '-'], { input });
    assert.equal(applied.code, 0, applied.stderr);
    const tried = await server.kubectl(['create', 'configmap', 'try', '--dry-run=server']);
    return tried.code === 0;
  });
}

const create = (name: string, ...literals: string[]) =>
  server.kubectl(['create', 'configmap', name, ...literals.map((text) => `--from-literal=${text}`)]);

describe('webhooks of controller-runtime', () => {
  it('give an object what it lacks, and warn', async () => {
    const { code, stderr } = await create('warned', 'old=1');
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^Warning: data\.old is not read any more$/m);
    const { stdout } = await server.kubectl(['get', 'configmap', 'warned', '--show-labels']);
    assert.match(stdout, /owner=admin/);
  });

  it('refuse creations, changes and deletions in their own words', async () => {
    const long = await create('long', 'a=123456789');
    assert.match(
      long.stderr,
      /error: failed to create configmap: admission webhook "validate\.v1\.example\.com" denied the request: data\.a is longer than 8/,
    );
    assert.equal((await create('fixed', 'fixed=1', 'keep=1')).code, 0);
    const patched = await server.kubectl(['patch', 'configmap', 'fixed', '-p', '{"data":{"fixed":"2"}}']);
    assert.match(patched.stderr, /denied the request: data\.fixed may not change from "1"/);
    const gone = await server.kubectl(['delete', 'configmap', 'fixed']);
    assert.match(gone.stderr, /denied the request: fixed is kept/);
  });
});
