import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { findResource } from '@wherry/kubeapi';
import { silentLogger } from '@wherry/telemetry';
import { TestAuthority } from '../../../test/pki.ts';
import { TestReviewWebhook } from '../../../test/test-review-webhook.ts';
import { userInfo } from '../../authentication/identity.ts';
import type { AdmissionRequest } from '../admission.ts';
import { imagePolicyWebhook } from './image-policy-webhook.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-image-policy-'));
let webhook: TestReviewWebhook;
before(async () => {
  webhook = await TestReviewWebhook.start(await TestAuthority.create('images'));
});
beforeEach(() => {
  webhook.asked.length = 0;
});
after(async () => {
  await webhook.close();
  rmSync(folder, { recursive: true });
});

function start(more: object, clock = new FakeClock()) {
  const plugin = imagePolicyWebhook({ clock, logger: silentLogger });
  const kubeConfigFile = webhook.kubeconfig(join(folder, 'images.json'));
  plugin.configure?.({ file: 'f', document: { imagePolicy: { kubeConfigFile, ...more } } });
  const audited: Record<string, string> = {};
  /** The refusal, where there is one. */
  const run = async (image: string) => {
    const request = {
      ...{ operation: 'CREATE', resource: findResource('', 'v1', 'pods'), subresource: '', namespace: 'a' },
      ...{ name: 'p', user: userInfo('ada', []), waited: () => {} },
      object: { metadata: {}, spec: { containers: [{ name: 'c', image }] } },
      annotate: (key: string, value: string) => {
        audited[key] = value;
      },
    };
    return Promise.resolve(plugin.validate?.(request as unknown as AdmissionRequest)).then(
      () => '',
      (error: Error) => error.message,
    );
  };
  return { plugin, run, audited, clock };
}

it('what a webhook says of images is remembered, a yes for longer than a no, and noted for the audit', async () => {
  const { plugin, run, audited, clock } = start({});
  webhook.answer = ({ review }) => ({
    status: { allowed: !JSON.stringify(review).includes('bad'), auditAnnotations: { seen: 'yes' } },
  });
  assert.equal(await run('good'), '');
  assert.equal(await run('bad'), 'pods "p" is forbidden: one or more images rejected by webhook backend');
  clock.advance(29_000);
  await run('good');
  await run('bad');
  assert.equal(webhook.asked.length, 2);
  clock.advance(2000);
  await run('good');
  await run('bad');
  assert.equal(webhook.asked.length, 3);
  assert.deepEqual(audited, { 'imagepolicywebhook.image-policy.k8s.io/seen': 'yes' });
  plugin.close?.();
});

it('a webhook that can not be asked keeps pods out, unless it is said that they may come', async () => {
  webhook.answer = () => ({ code: 404 });
  const strict = start({});
  assert.match(await strict.run('a'), /^pods "p" is forbidden: the webhook answers 404$/);
  const lenient = start({ defaultAllow: true });
  assert.equal(await lenient.run('a'), '');
  assert.deepEqual(lenient.audited, { 'imagepolicywebhook.image-policy.k8s.io/failed-open': 'true' });
  webhook.answer = () => ({ body: '{"kind":"Pod","apiVersion":"v1"}' });
  assert.match(await strict.run('a'), /answers no ImageReview/);
  for (const { plugin } of [strict, lenient]) plugin.close?.();
});
