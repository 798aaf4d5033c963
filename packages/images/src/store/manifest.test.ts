import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestOf } from '../layers/digest.ts';
import { artifactFiles } from './artifact.ts';
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

test('an OCI artifact is told from an image, by the type that it says it has', () => {
  const typeOf = (bytes: Uint8Array) => {
    const manifest = parseManifest(bytes);
    return manifest.kind === 'manifest' ? manifest.artifactType : 'index';
  };
  const chart = 'application/vnd.cncf.helm.config.v1+json';
  assert.equal(typeOf(manifestWith(chart)), chart);
  const empty = 'application/vnd.oci.empty.v1+json';
  assert.equal(typeOf(manifestWith(empty, { artifactType: 'application/x.model' })), 'application/x.model');
  assert.equal(typeOf(manifestWith(mediaTypes.config, { artifactType: 'application/x.model' })), undefined);
});

test('files of an artifact that lead out, hide others or have one name are refused', () => {
  const files = (...titles: string[]) =>
    artifactFiles({
      layers: titles.map((title) => ({
        ...{ mediaType: '', digest: digestOf(title), size: 1 },
        annotations: { 'org.opencontainers.image.title': title },
      })),
    }).map(({ path }) => path);
  assert.deepEqual(files('a', './b/c'), ['a', 'b/c']);
  for (const title of ['../a', 'a/../../b', '/etc/passwd', '.', 'a\0b', '.wh.a', 'a/.wh..wh..opq'])
    assert.throws(
      () => files(title),
      /refused|no name below a folder|leads out|NUL|mark removed files/,
      title,
    );
  assert.throws(() => files('a', './a'), /two files "a"/);
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
