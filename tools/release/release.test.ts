import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { provenanceOf } from './provenance.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'wherry-release-test-'));
after(() => rmSync(folder, { recursive: true }));

it('what is not committed is not released', () => {
  const clone = join(folder, 'clone');
  const out = join(folder, 'out');
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', '--depth=1', `file://${root}`, clone]);
  writeFileSync(join(clone, 'packages/bytes/src/late.ts'), 'export {};\n');
  const words = [join(root, 'tools/release.ts'), '--dry-run', '--out', out];
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', cwd: clone });
  assert.equal(status, 1);
  assert.match(stderr, /only what is committed.*\n\?\? packages\/bytes\/src\/late\.ts/);
  assert.ok(!existsSync(out));
});

it('nothing is made without a folder, nor published', () => {
  for (const words of [[], ['--dry-run'], ['--out', folder]]) {
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'tools/release.ts'), ...words], {
      encoding: 'utf8',
    });
    assert.equal(status, 1);
    assert.match(stderr, /^release: usage: npm run release -- --dry-run --out DIR/);
  }
});

it('the provenance names tarballs by digest, the commit, and the tools by what the lock file says', () => {
  const bytes = Buffer.from('tarball');
  const digest = {
    sha256: createHash('sha256').update(bytes).digest('hex'),
    sha512: createHash('sha512').update(bytes).digest('hex'),
  };
  const manifest = { name: '@boats/hull', version: '0.1.0' };
  const tarball = {
    folder: 'packages/hull',
    manifest,
    file: '/out/boats-hull-0.1.0.tgz',
    sizeBytes: 7,
    unpackedBytes: 9,
    digest,
  };
  const commit = 'a'.repeat(40);
  const repository = 'git+https://example.com/boats.git';
  const statement = JSON.parse(
    JSON.stringify(provenanceOf([tarball], { version: '0.1.0', repository, commit, root })),
  );
  assert.equal(statement._type, 'https://in-toto.io/Statement/v1');
  assert.equal(statement.predicateType, 'https://slsa.dev/provenance/v1');
  assert.deepEqual(statement.subject, [{ name: 'boats-hull-0.1.0.tgz', digest }]);
  const [source, ...tools] = statement.predicate.buildDefinition.resolvedDependencies;
  assert.deepEqual(source, { uri: `${repository}@${commit}`, digest: { gitCommit: commit } });
  assert.deepEqual(
    tools.map(({ uri }: { uri: string }) => uri.replace(/@.*/, '')),
    ['pkg:npm/node', 'pkg:npm/typescript', 'pkg:npm/tar-stream'],
  );
  for (const { digest } of tools) assert.match(digest.sha512, /^[0-9a-f]{128}$/);
  const unpublished = JSON.stringify(provenanceOf([tarball], { version: '0.1.0', commit, root }));
  assert.match(unpublished, /"resolvedDependencies":\[\{"digest":\{"gitCommit":"a{40}"\}\}/);
  assert.doesNotMatch(unpublished, /undefined|example\.com/);
});
