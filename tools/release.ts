/**
 * Makes what a release consists of: `npm run release -- --dry-run --out DIR [--repository URL]`. DIR gets a tarball of each package, what
 * CHANGELOG.md says of the version, and where the tarballs come from (provenance.json). The same commit gives the same
 * files. What is not committed is refused, and so is a package larger than its package.json allows. Nothing is
 * published: `npm publish DIR/NAME.tgz` does that. URL is where the sources are published, `git+https://HOST/PATH.git`;
 * without it neither packages nor provenance name a place.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { changelogOf } from './release/changelog.ts';
import { lastCommit, uncommitted } from './release/git.ts';
import { provenanceOf } from './release/provenance.ts';
import { makeTarballs, oversized } from './release/tarballs.ts';

const root = process.cwd();
const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean' }, out: { type: 'string' }, repository: { type: 'string' } },
});
const { repository } = values;

async function release(out: string): Promise<void> {
  const changes = uncommitted(root);
  if (changes) throw new Error(`only what is committed can be released; commit or remove:\n${changes}`);
  const tarballs = await makeTarballs(root, out, { repository });
  const named = tarballs.find(({ manifest }) => manifest.name === 'wherry');
  if (!named) throw new Error('packages/wherry: its version names the release, and it is not there');
  const changelog = changelogOf(named.manifest.version, readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  writeFileSync(join(out, 'CHANGELOG.md'), changelog);
  const origin = { version: named.manifest.version, repository, commit: lastCommit(root), root };
  const provenance = provenanceOf(tarballs, origin);
  writeFileSync(join(out, 'provenance.json'), `${JSON.stringify(provenance, null, 2)}\n`);
  for (const { manifest, sizeBytes, unpackedBytes } of tarballs) {
    const [packed, unpacked] = [sizeBytes, unpackedBytes].map((bytes) => Math.ceil(bytes / 1024));
    console.log(`${manifest.name}@${manifest.version}: ${packed} KiB packed, ${unpacked} KiB unpacked`);
  }
  const complaints = oversized(tarballs);
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
}

try {
  if (!values['dry-run'] || !values.out)
    throw new Error(
      'usage: npm run release -- --dry-run --out DIR [--repository URL]; publishing is npm publish DIR/NAME.tgz',
    );
  await release(resolve(values.out));
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
