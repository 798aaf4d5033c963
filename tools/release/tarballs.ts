import { createHash } from 'node:crypto';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { type ReleaseOptions, type StagedPackage, stagePackages } from './stage.ts';
import { type Member, standardKibibytesMax } from './workspace.ts';

/** A package that is ready to be installed or published. */
export interface Tarball extends Member {
  /** Absolute path. */
  file: string;
  sizeBytes: number;
  unpackedBytes: number;
  /** Hexadecimal. */
  digest: { sha256: string; sha512: string };
}

/** All files of a tarball carry this time, as those that npm makes do. */
const fileTime = new Date('1985-10-26T08:15:00.000Z');

/**
 * Compiles the packages of the workspace at `root` and writes a tarball of each into the folder `out`. The same sources,
 * Node and npm packages give the same bytes. Throws where a package does not compile or says less than a release needs.
 */
export async function makeTarballs(
  root: string,
  out: string,
  options: ReleaseOptions = {},
): Promise<Tarball[]> {
  mkdirSync(out, { recursive: true });
  const stage = mkdtempSync(join(tmpdir(), 'wherry-release-'));
  try {
    const tarballs: Tarball[] = [];
    for (const staged of await stagePackages(root, stage, options)) tarballs.push(await packOne(staged, out));
    return tarballs;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** What is larger than its package.json allows: one line each. */
export function oversized(tarballs: readonly Tarball[]): string[] {
  return tarballs.flatMap(({ manifest, folder, sizeBytes }) => {
    const most = manifest.packedKibibytesMax ?? standardKibibytesMax;
    const found = Math.ceil(sizeBytes / 1024);
    if (found <= most) return [];
    return [
      `${manifest.name}: ${found} KiB packed, ${most} allowed; make it smaller, or raise "packedKibibytesMax" in ${folder}/package.json`,
    ];
  });
}

async function packOne({ stage, ...member }: StagedPackage, out: string): Promise<Tarball> {
  const archive = pack();
  let unpackedBytes = 0;
  const files = globSync('**/*', { cwd: stage, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(stage.length + 1))
    .sort();
  for (const name of files) {
    const content = readFileSync(join(stage, name));
    unpackedBytes += content.length;
    const mode = name.startsWith('bin/') ? 0o755 : 0o644;
    archive.entry({ name: `package/${name}`, mode, mtime: fileTime }, content);
  }
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  const bytes = gzipSync(Buffer.concat(chunks), { level: 9 });
  const { name, version } = member.manifest;
  const file = join(out, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  writeFileSync(file, bytes);
  const digest = { sha256: hash('sha256', bytes), sha512: hash('sha512', bytes) };
  return { ...member, file, sizeBytes: bytes.length, unpackedBytes, digest };
}

const hash = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes).digest('hex');
