import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestOf } from '../layers/digest.ts';
import { mediaTypes, parseManifest } from './manifest.ts';

const manifestWith = (config: string, more: object = {}) => {
  const descriptor = (mediaType: string) => ({ mediaType, digest: digestOf(mediaType), size: 2 });
  const layers = [descriptor('application/octet-stream')];
  return Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: mediaTypes.manifest,
      config: descriptor(config),
      layers,
      ...more,
    }),
  );
};

test('an OCI artifact is refused by the type that it says it has', () => {
  const chart = manifestWith('application/vnd.cncf.helm.config.v1+json');
  assert.throws(() => parseManifest(chart), {
    code: 'UNIMPLEMENTED',
    message: /OCI artifact of the type "application\/vnd\.cncf\.helm\.config\.v1\+json"/,
  });
  const model = manifestWith('application/vnd.oci.empty.v1+json', { artifactType: 'application/x.model' });
  assert.throws(() => parseManifest(model), { code: 'UNIMPLEMENTED', message: /"application\/x\.model"/ });
});

test('configurations of images are taken by each of their media types', () => {
  for (const type of [mediaTypes.config, mediaTypes.dockerConfig, 'application/octet-stream', ''])
    assert.equal(parseManifest(manifestWith(type)).kind, 'manifest');
});
