/** `certificate approve` and `certificate deny`. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { type CertificateSigningRequest, hasReason } from '@wherry/kubeapi';
import { json, startScriptedServer } from '../../../client/test/scripted-server.ts';
import { inProcess } from '../in-process.ts';
import { Served } from './served.ts';

let served: Served;

before(async () => {
  served = await Served.start();
  await served.client.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
});
after(() => served?.close());
beforeEach(async () => {
  for (const name of ['ann', 'bob']) {
    await served.client.delete(`CertificateSigningRequest/${name}`).catch((error: unknown) => {
      assert.ok(hasReason(error, 'NotFound'));
    });
    await served.client.create(requestOf(name));
  }
});

const pem = '-----BEGIN CERTIFICATE REQUEST-----\nMAcwBQIBADAA\n-----END CERTIFICATE REQUEST-----\n';
const requestOf = (name: string) => ({
  ...{ apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: { name } },
  spec: {
    request: Buffer.from(pem).toString('base64'),
    signerName: 'example.com/signer',
    usages: ['client auth'],
  },
});
const certificate = (line: string) => served.run(`certificate ${line}`);
const requestNamed = (name: string) =>
  served.client.get<CertificateSigningRequest>(`CertificateSigningRequest/${name}`);
const conditionsOf = async (name: string) =>
  ((await requestNamed(name)).status?.conditions ?? []).map(
    ({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`,
  );
const line = (name: string, done: string) =>
  `certificatesigningrequest.certificates.k8s.io/${name}${done === '' ? '' : ` ${done}`}\n`;
const said = (...lines: string[]) => ({ code: 0, stdout: lines.join(''), stderr: '' });
const failed = (stderr: string, stdout = '') => ({ code: 1, stdout, stderr: `${stderr}\n` });

test('certificate approve and deny say so in a condition, once', async () => {
  const approved = ['Approved True WherryApprove: This CSR was approved by wherry certificate approve.'];
  assert.deepEqual(await certificate('approve ann'), said(line('ann', 'approved')));
  assert.deepEqual(await conditionsOf('ann'), approved);
  const { resourceVersion } = (await requestNamed('ann')).metadata;
  assert.deepEqual(await certificate('approve csr/ann'), said(line('ann', 'approved')));
  assert.deepEqual(await certificate('approve ann --force'), said(line('ann', 'approved')));
  assert.equal((await requestNamed('ann')).metadata.resourceVersion, resourceVersion);
  assert.deepEqual(await certificate('deny bob'), said(line('bob', 'denied')));
  assert.deepEqual(await conditionsOf('bob'), [
    'Denied True WherryDeny: This CSR was denied by wherry certificate deny.',
  ]);
});

test('certificate goes on with sound files behind broken ones', async () => {
  const broken = join(served.server.folder, 'broken.yaml');
  writeFileSync(broken, 'a: [\n');
  const { code, stdout, stderr } = await certificate(
    `approve -f ${broken} -f ${served.file('bob.json', requestOf('bob'))}`,
  );
  assert.deepEqual([code, stdout], [1, line('bob', 'approved')]);
  assert.match(stderr, /^error: .*broken\.yaml:2: Flow sequence/);
});

test('certificate never says the opposite, not even by force, and goes on with the others', async () => {
  await certificate('approve ann');
  assert.deepEqual(
    await certificate('deny ann no-such bob --force'),
    failed(
      'certificate signing request "ann" is already Approved\n' +
        'Error from server (NotFound): certificatesigningrequests.certificates.k8s.io "no-such" not found',
      line('bob', 'denied'),
    ),
  );
  assert.deepEqual(
    await certificate('approve bob'),
    failed('error: certificate signing request "bob" is already Denied'),
  );
  assert.equal((await conditionsOf('ann')).length, 1);
});

test('certificate takes requests from files, and prints them as they were', async () => {
  const file = served.file('requests.yaml', requestOf('ann'), requestOf('bob'));
  const { stdout } = await certificate('deny ann -o json');
  const printed = JSON.parse(stdout);
  assert.deepEqual([printed.kind, printed.status], ['CertificateSigningRequest', {}]);
  assert.deepEqual(await certificate(`deny -f ${file} -o name`), said(line('ann', ''), line('bob', '')));
  assert.equal((await conditionsOf('bob')).length, 1);
  assert.deepEqual(
    await certificate(`deny -f ${file} ann`),
    failed('error: resource/name arguments cannot be provided when a path is specified'),
  );
});

test('certificate refuses what is no request, and words that it does not know', async () => {
  const only = 'can only handle CertificateSigningRequest.certificates.k8s.io objects';
  for (const [words, says] of [
    ['approve', 'one or more CSRs must be specified as <name> or -f <filename>'],
    ['approve node/n', `${only}, got Node`],
    ['approve cm/one', 'namespace may not be empty when retrieving a resource by name'],
    ['deny a/b/c', 'arguments in resource/name form may not have more than one slash'],
    ['approve ann --dry-run', "unknown flag: --dry-run\nSee 'wherry certificate approve --help' for usage."],
  ])
    assert.deepEqual(await certificate(`${words}`), failed(`error: ${says}`), words);
  assert.deepEqual(await conditionsOf('ann'), []);
  const { code, stdout } = await inProcess(['certificate']);
  assert.equal(code, 0);
  assert.match(stdout, /^ +approve /m);
  assert.match(stdout, /^ +deny /m);
});

test('certificate tries again when somebody else was faster, and with --force writes what is there', async (context) => {
  const certificates = {
    metadata: { name: 'certificates.k8s.io' },
    versions: [
      {
        version: 'v1',
        resources: [
          {
            ...{ resource: 'certificatesigningrequests', scope: 'Cluster', verbs: ['get'] },
            responseKind: { kind: 'CertificateSigningRequest' },
          },
        ],
      },
    ],
  };
  let conflicts = 2;
  let written = 0;
  const { port } = await startScriptedServer(context, [
    (response, request) => {
      const { method, url = '' } = request;
      if (url.startsWith('/api')) {
        const isRoot = url === '/api' || url === '/apis';
        const groups = { kind: 'APIGroupDiscoveryList', items: url === '/apis' ? [certificates] : [] };
        if (isRoot) return json(groups)(response, request);
      }
      if (method === 'PUT' && conflicts > 0) {
        conflicts -= 1;
        return json({ kind: 'Status', reason: 'Conflict', code: 409, message: 'late' }, 409)(
          response,
          request,
        );
      }
      if (method === 'PUT') written += 1;
      const status = { conditions: written > 0 ? [{ type: 'Approved', status: 'True' }] : [] };
      return json({ ...requestOf('ann'), status })(response, request);
    },
  ]);
  const run = (...flags: string[]) =>
    inProcess(['certificate', 'approve', 'ann', `--server=http://127.0.0.1:${port}`, ...flags]);
  assert.deepEqual(await run(), said(line('ann', 'approved')));
  assert.deepEqual([conflicts, written], [0, 1]);
  await run();
  assert.equal(written, 1);
  await run('--force');
  assert.equal(written, 2);
  conflicts = 12;
  assert.deepEqual(await run('--force'), failed('Error from server (Conflict): late'));
  assert.equal(conflicts, 1);
});
