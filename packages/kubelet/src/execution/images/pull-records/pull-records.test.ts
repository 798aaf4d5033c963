import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { MetricsRegistry, silentLogger } from '@wherry/telemetry';
import { decodeConfiguration } from '../../../configuration/decode-configuration.ts';
import type { PullSecret } from './pull-record.ts';
import { PullRecordFiles } from './pull-record-files.ts';
import { type PodPullCredentials, PullRecords } from './pull-records.ts';
import { verificationPolicy } from './verification-policy.ts';

const image = 'r.example/team/app:1';
const ref = 'sha256:0123';
const secret = (name: string, credentialHash = `hash-${name}`): PullSecret => ({
  ...{ uid: `uid-${name}`, namespace: 'ns', name, credentialHash },
});
const own =
  (...secrets: PullSecret[]) =>
  async (): Promise<PodPullCredentials> => ({
    secrets,
    serviceAccount: undefined,
  });
const account = (name: string) => ({ uid: `uid-${name}`, namespace: 'ns', name });

let folder: string;
let clock: FakeClock;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pull-records-'));
  clock = new FakeClock({ nowMs: Date.parse('2026-01-31T12:00:00.700Z') });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** As after a start of the kubelet. */
function open(
  policy: Parameters<typeof verificationPolicy>[0] = decodeConfiguration({}).configuration,
  metrics = new MetricsRegistry(),
): PullRecords {
  const files = new PullRecordFiles(folder, silentLogger);
  return new PullRecords({ files, policy: verificationPolicy(policy), clock, logger: silentLogger, metrics });
}
const fileOf = (kind: 'pulled' | 'pulling', key: string) =>
  join(folder, kind, `sha256-${createHash('sha256').update(key).digest('hex')}`);

test('a record is a file of upstream’s name and form, which nobody else may read', () => {
  const records = open();
  records.begin(image);
  assert.deepEqual(JSON.parse(readFileSync(fileOf('pulling', image), 'utf8')), {
    ...{ kind: 'ImagePullIntent', apiVersion: 'kubelet.config.k8s.io/v1beta1', image },
  });
  records.pulled(image, ref, { kubernetesSecrets: [secret('a')] });
  assert.deepEqual(readdirSync(join(folder, 'pulling')), []);
  const path = fileOf('pulled', ref);
  assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), {
    ...{ kind: 'ImagePulledRecord', apiVersion: 'kubelet.config.k8s.io/v1beta1' },
    ...{ lastUpdatedTime: '2026-01-31T12:00:00Z', imageRef: ref },
    credentialMapping: { 'r.example/team/app': { kubernetesSecrets: [secret('a')] } },
  });
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(join(folder, 'pulled')).mode & 0o777, 0o700);
});

test('an image that came by a secret is for pods that have it, also after a restart', async () => {
  const records = open();
  records.begin(image);
  records.pulled(image, ref, { kubernetesSecrets: [secret('a')] });
  for (const each of [records, open()]) {
    assert.equal(await each.mustPull(image, ref, own()), true);
    assert.equal(await each.mustPull(image, ref, own(secret('b'))), true);
    assert.equal(await each.mustPull(image, ref, own(secret('b'), secret('a'))), false);
    assert.equal(await each.mustPull('r.example/team/app:2', ref, own(secret('a'))), false);
    assert.equal(await each.mustPull('r.example/other:1', ref, own(secret('a'))), true, 'another name');
  }
});

test('the same login in another secret will do, and that secret does from then on, whatever it says', async () => {
  const records = open();
  records.begin(image);
  records.pulled(image, ref, { kubernetesSecrets: [secret('a', 'login')] });
  assert.equal(await records.mustPull(image, ref, own(secret('copy', 'login'))), false);
  assert.equal(await records.mustPull(image, ref, own(secret('copy', 'changed'))), false);
  assert.equal(await records.mustPull(image, ref, own({ ...secret('copy', 'other'), uid: 'new' })), true);
  assert.equal(await records.mustPull(image, ref, own(secret('x', ''))), true, 'no login is like no other');
});

test('an image that needed no credentials, or the node’s own, is for all pods', async () => {
  const records = open();
  records.begin(image);
  records.pulled(image, ref, { kubernetesSecrets: [secret('a')] });
  records.begin(image);
  records.pulled(image, ref, { nodePodsAccessible: true });
  assert.equal(await records.mustPull(image, ref, own()), false);
});

test('an image that came by a service account is for pods of that account', async () => {
  const records = open();
  records.begin(image);
  records.pulled(image, ref, { kubernetesServiceAccounts: [account('a')] });
  const as = (name: string) => async () => ({ secrets: [], serviceAccount: account(name) });
  assert.equal(await records.mustPull(image, ref, as('a')), false);
  assert.equal(await records.mustPull(image, ref, as('b')), true);
  assert.equal(await records.mustPull(image, ref, own(secret('a'))), true);
});

test('what a dying kubelet had begun to pull is nobody’s until it is pulled again', async () => {
  open().begin(image);
  const records = open();
  assert.equal(await records.mustPull(image, ref, own(secret('a'))), true);
  records.recover([{ id: ref, repoTags: [image], repoDigests: [] }]);
  assert.deepEqual(readdirSync(join(folder, 'pulling')), []);
  assert.equal(await records.mustPull(image, ref, own(secret('a'))), true);
  records.begin(image);
  records.pulled(image, ref, { kubernetesSecrets: [secret('a')] });
  assert.equal(await records.mustPull(image, ref, own(secret('a'))), false);
});

test('a pull that fails leaves no trace, unless another of the same image is under way', async () => {
  const records = open();
  records.begin(image);
  records.begin(image);
  records.failed(image);
  assert.equal(await records.mustPull(image, ref, own()), true);
  records.failed(image);
  assert.deepEqual(readdirSync(join(folder, 'pulling')), []);
  assert.equal(await records.mustPull(image, ref, own()), false, 'somebody else has put it there');
});

test('records of images that are gone are removed, but those that came meanwhile', async () => {
  const records = open();
  for (const name of ['kept', 'gone']) {
    records.begin(name);
    records.pulled(name, name, { kubernetesSecrets: [secret('a')] });
  }
  const startedMs = clock.nowMs() + 1_000;
  clock.advance(2_000);
  records.begin('new');
  records.pulled('new', 'new', { nodePodsAccessible: true });
  records.prune(new Set(['kept']), startedMs);
  const left = readdirSync(join(folder, 'pulled')).sort();
  assert.deepEqual(left, ['kept', 'new'].map((name) => fileOf('pulled', name).split('/').at(-1)).sort());
});

test('a record that can not be read makes pods pull, and is begun anew by that', async () => {
  const records = open();
  writeFileSync(
    fileOf('pulled', ref),
    '{"kind":"ImagePulledRecord","apiVersion":"kubelet.config.k8s.io/v1beta1"}',
  );
  assert.equal(await records.mustPull(image, ref, own(secret('a'))), true);
  records.begin(image);
  records.pulled(image, ref, { kubernetesSecrets: [secret('a')] });
  assert.equal(await records.mustPull(image, ref, own(secret('a'))), false);
});

test('names that JavaScript’s objects have of their own are names of images like others', async () => {
  const records = open();
  records.begin('constructor');
  records.pulled('constructor', ref, { nodePodsAccessible: true });
  assert.equal(await open().mustPull('constructor', ref, own()), false);
  assert.equal(await open().mustPull('valueof', ref, own()), true);
});

const policies = [
  ['NeverVerify', [], { there: false, pulled: false }],
  ['NeverVerifyPreloadedImages', [], { there: false, pulled: true }],
  ['AlwaysVerify', [], { there: true, pulled: true }],
  ['NeverVerifyAllowlistedImages', [], { there: true, pulled: true }],
  ['NeverVerifyAllowlistedImages', ['r.example/team/app'], { there: false, pulled: false }],
  ['NeverVerifyAllowlistedImages', ['r.example/*'], { there: false, pulled: false }],
  ['NeverVerifyAllowlistedImages', ['r.example/tea', 's.example/*'], { there: true, pulled: true }],
] as const;
for (const [
  imagePullCredentialsVerificationPolicy,
  preloadedImagesVerificationAllowlist,
  wanted,
] of policies) {
  const list = preloadedImagesVerificationAllowlist.join(', ');
  test(`${imagePullCredentialsVerificationPolicy} with [${list}]`, async () => {
    const policy = { imagePullCredentialsVerificationPolicy, preloadedImagesVerificationAllowlist };
    const records = open(policy);
    assert.equal(await records.mustPull(image, ref, own(secret('b'))), wanted.there);
    records.begin(image);
    records.pulled(image, ref, { kubernetesSecrets: [secret('a')] });
    assert.equal(await records.mustPull(image, ref, own(secret('b'))), wanted.pulled);
  });
}

test('how many pulls and images are noted on the disk is told', () => {
  const metrics = new MetricsRegistry();
  const records = open(undefined, metrics);
  for (const name of ['first', 'second', 'third']) records.begin(name);
  records.pulled('first', ref, { nodePodsAccessible: true });
  assert.match(metrics.render(), /^kubelet_imagemanager_ondisk_pullintents 2$/m);
  assert.match(metrics.render(), /^kubelet_imagemanager_ondisk_pulledrecords 1$/m);
});
