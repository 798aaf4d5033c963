import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Tarball } from './tarballs.ts';

/** What a release was made of and by. */
export interface Origin {
  /** The version of the release. */
  version: string;
  /** Where the sources are published; nothing where the commit alone says what they are. */
  repository?: string | undefined;
  /** The commit: forty hexadecimal digits. */
  commit: string;
  /** The root of the workspace, whose lock file names what took part. */
  root: string;
}

/** The npm packages that decide about the bytes of a tarball. */
const builders = ['node', 'typescript', 'tar-stream'];

/**
 * An in-toto statement with SLSA's provenance 1.0 (slsa.dev/spec/v1.0/provenance): which tarballs came of which commit by
 * which tools. It names no time and no machine, so that who builds the same commit gets the same file.
 */
export function provenanceOf(
  tarballs: readonly Tarball[],
  { version, repository, commit, root }: Origin,
): object {
  const lock = readFileSync(join(root, 'package-lock.json'));
  const { packages }: { packages: Record<string, { version: string; integrity: string }> } = JSON.parse(
    lock.toString(),
  );
  const uri = repository && `${repository}@${commit}`;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: tarballs.map(({ file, digest }) => ({ name: basename(file), digest })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${repository ?? `pkg:npm/wherry@${version}`}#npm-run-release`,
        externalParameters: { ...(repository && { repository }), commit },
        internalParameters: {},
        resolvedDependencies: [
          { ...(uri && { uri }), digest: { gitCommit: commit } },
          ...builders.map((name) => material(name, packages[`node_modules/${name}`])),
        ],
      },
      runDetails: { builder: { id: `${uri ?? `pkg:npm/wherry@${version}`}#tools/release.ts` } },
    },
  };
}

function material(name: string, locked: { version: string; integrity: string } | undefined): object {
  const [algorithm = '', base64 = ''] = locked?.integrity?.split('-', 2) ?? [];
  if (!locked || algorithm !== 'sha512') throw new Error(`package-lock.json: no sha512 of "${name}"`);
  const sha512 = Buffer.from(base64, 'base64').toString('hex');
  return { uri: `pkg:npm/${name}@${locked.version}`, digest: { sha512 } };
}
