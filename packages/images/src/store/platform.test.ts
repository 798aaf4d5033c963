import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestOf } from '../layers/digest.ts';
import { choosePlatform } from './platform.ts';

/** An index of these platforms, `os/architecture[/variant]`, and which one a machine takes of it. */
function chosenOf(host: string, ...offered: string[]): string | undefined {
  const manifests = offered.map((text) => {
    const [os = '', architecture = '', variant] = text.split('/');
    return {
      mediaType: '',
      digest: digestOf(text),
      size: 1,
      platform: { os, architecture, ...(variant && { variant }) },
    };
  });
  const [architecture = '', variant = ''] = host.split('/');
  const { digest } = choosePlatform({ kind: 'index', manifests }, { architecture, variant });
  return offered.find((text) => digestOf(text) === digest);
}

test('a machine takes its own variant, else the next lower one, never a higher one', () => {
  const arms = ['linux/arm/v5', 'linux/arm/v7', 'linux/arm/v6', 'linux/arm64'];
  assert.equal(chosenOf('arm/v7', ...arms), 'linux/arm/v7');
  assert.equal(chosenOf('arm/v6', ...arms), 'linux/arm/v6');
  assert.equal(chosenOf('arm/v7', 'linux/arm/v6', 'linux/arm/v5'), 'linux/arm/v6');
  assert.equal(chosenOf('arm64', ...arms), 'linux/arm64');
  assert.throws(() => chosenOf('arm/v6', 'linux/arm/v7'), {
    code: 'NOT_FOUND',
    message: /only for linux\/arm\/v7/,
  });
});

test('a variant that is not said is the usual one, and architectures have other words', () => {
  assert.equal(chosenOf('arm/v7', 'linux/arm/v6', 'linux/arm'), 'linux/arm');
  assert.equal(chosenOf('arm64', 'linux/arm/v7', 'linux/aarch64/v8'), 'linux/aarch64/v8');
  assert.equal(chosenOf('amd64', 'linux/amd64/v3', 'linux/x86_64'), 'linux/x86_64');
  assert.equal(chosenOf('amd64', 'linux/amd64/v3', 'linux/amd64/v2'), 'linux/amd64/v2');
});

test('32-bit images of the same kin come last, those of another system never', () => {
  assert.equal(chosenOf('amd64', 'linux/386', 'linux/amd64'), 'linux/amd64');
  assert.equal(chosenOf('amd64', 'windows/amd64', 'linux/386'), 'linux/386');
  assert.equal(chosenOf('arm64', 'linux/arm/v6', 'linux/arm/v7'), 'linux/arm/v7');
  assert.throws(
    () => chosenOf('s390x', 'linux/amd64', 'unknown/unknown'),
    /not made for linux\/s390x, only for linux\/amd64$/,
  );
});
