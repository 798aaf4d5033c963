import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestOf } from '../layers/digest.ts';
import { mediaTypes, parseManifest } from './manifest.ts';
import { choosePlatform } from './platform.ts';

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

test('a digest or size that says itself how it becomes a text is shown as it came', () => {
  for (const name of ['digest', 'size']) {
    const config = { digest: digestOf(''), size: 2, mediaType: mediaTypes.config, [name]: { toString: 1 } };
    assert.throws(() => parseManifest(manifestWith('', { config })), {
      code: 'INVALID_ARGUMENT',
      message: new RegExp(`has the ${name} "\\{"toString":1\\}"`),
    });
  }
});

test('a platform whose words are no texts is one that no machine has, and is told without them', () => {
  const manifest = { mediaType: mediaTypes.manifest, digest: digestOf(''), size: 2 };
  for (const architecture of [5, null, { toString: 1 }, ['amd64']]) {
    const manifests = [{ ...manifest, platform: { os: 'linux', architecture, variant: { toString: 1 } } }];
    const index = parseManifest(
      Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.index, manifests })),
    );
    assert.ok(index.kind === 'index');
    assert.throws(() => choosePlatform(index, { architecture: 'amd64', variant: '' }), {
      code: 'NOT_FOUND',
      message: 'image is not made for linux/amd64, only for linux',
    });
  }
});
