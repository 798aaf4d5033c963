import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Pod, VolumeAttachment } from '@wherry/kubeapi';
import { heldEvent, newsOf } from './attach-news.ts';

it('a pod is told who has its volume on another node, by name in its own namespace alone', () => {
  const pod = (namespace: string, name: string): Pod => ({
    metadata: { namespace, name },
    spec: { containers: [] },
  });
  const words = (...holders: Pod[]) =>
    heldEvent('disk', pod('here', 'waiting'), holders).message.replace(
      /^Multi-Attach error for volume "disk" Volume is already /,
      '',
    );
  const [one, two, stranger] = [pod('here', 'one'), pod('here', 'two'), pod('there', 'secret')];
  assert.equal(words(), "exclusively attached to one node and can't be attached to another");
  assert.equal(words(one, two), 'used by pod(s) one, two');
  assert.equal(words(stranger), 'used by 1 pod(s) in different namespaces');
  assert.equal(words(one, stranger), 'used by pod(s) one and 1 pod(s) in different namespaces');
});

it('that an attacher is silent is told every two minutes, until it answers', () => {
  const startMs = Date.parse('2026-01-01T00:00:00Z');
  const attachment = (status?: VolumeAttachment['status']): VolumeAttachment => ({
    metadata: { uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { attacher: 'disks.example', nodeName: 'n', source: { persistentVolumeName: 'disk' } },
    ...(status ? { status } : {}),
  });
  const at = (seconds: number, status?: VolumeAttachment['status']) =>
    newsOf(attachment(status), { name: 'disk', handle: 'h-1' }, startMs + seconds * 1_000);
  assert.deepEqual([at(0).event, at(119).event, at(119).againMs], [undefined, undefined, 1_000]);
  assert.equal(
    at(120).event?.message,
    'AttachVolume.Attach failed for volume "disk" : timed out waiting for external-attacher of disks.example CSI driver to attach volume h-1',
  );
  assert.equal(at(120).subject, at(239).subject);
  assert.notEqual(at(120).subject, at(240).subject);
  assert.equal(at(120).againMs, 120_000);
  const refused = at(500, { attached: false, attachError: { message: 'no slot' } });
  assert.equal(refused.event?.message, 'AttachVolume.Attach failed for volume "disk" : no slot');
  const { event, againMs } = at(500, { attached: true });
  assert.deepEqual([event?.reason, againMs], ['SuccessfulAttachVolume', undefined]);
});
