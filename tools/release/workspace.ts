import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What `exports` and `imports` of a package.json lead to: a file, or one for each condition. */
export type Target = string | null | { [condition: string]: Target };

/** The part of a package.json that a release reads. */
export interface Manifest {
  name: string;
  version: string;
  description?: string;
  keywords?: string[];
  license?: string;
  private?: boolean;
  engines?: Record<string, string>;
  bin?: Record<string, string>;
  exports?: Record<string, Target>;
  imports?: Record<string, Target>;
  /** Folders that go with the package beside `src` and what is made of it. */
  files?: string[];
  dependencies?: Record<string, string>;
  /** What only a clone needs. Stays at home. */
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  optionalDependencies?: Record<string, string>;
  /** A TypeScript file that the package also ships as a bundle with all of our modules that it loads. Stays at home. */
  bundledProgram?: string;
  /** A folder of a page's sources, which the package ships as a built page in `page`. Stays at home. */
  bundledPage?: string;
  /** How many KiB the tarball may have; {@link standardKibibytesMax} unless it is named. Stays at home. */
  packedKibibytesMax?: number;
}

/** How many KiB the tarball of a package may have that names no other number. */
export const standardKibibytesMax = 64;

/** One package of the workspace. */
export interface Member {
  /** From the root: `packages/bytes`. */
  folder: string;
  manifest: Manifest;
}

/** What all packages share, from the package.json of the root. */
export interface WorkspaceManifest {
  devDependencies: Record<string, string>;
}

/** Reads the package.json of the root. */
export const workspaceManifest = (root: string): WorkspaceManifest => readManifest<WorkspaceManifest>(root);

/** The packages that are released, those first that others depend on. A private one is not among them. */
export function releasedMembers(root: string): Member[] {
  const members = globSync('packages/*/package.json', { cwd: root })
    .sort()
    .map((path) => ({ folder: dirname(path), manifest: readManifest<Manifest>(join(root, dirname(path))) }))
    .filter(({ manifest }) => !manifest.private);
  const ordered = new Set<Member>();
  const place = (member: Member) => {
    if (ordered.has(member)) return;
    for (const name of Object.keys(member.manifest.dependencies ?? {})) {
      const below = members.find(({ manifest }) => manifest.name === name);
      if (below) place(below);
    }
    ordered.add(member);
  };
  for (const member of members) place(member);
  return [...ordered];
}

/** The member of that name and all members that it needs, directly or not. Throws where there is none. */
export function membersFor<T extends Member>(members: readonly T[], name: string): T[] {
  const wanted = members.find(({ manifest }) => manifest.name === name);
  if (!wanted) throw new Error(`no released package is named "${name}"`);
  const needed = new Set([wanted]);
  for (const member of needed) {
    const names = Object.keys(member.manifest.dependencies ?? {});
    for (const below of members) if (names.includes(below.manifest.name)) needed.add(below);
  }
  return members.filter((member) => needed.has(member));
}

/** The members that run on Node `major` by what they say of themselves, and by what those say that they need. */
export function membersOn<T extends Member>(members: readonly T[], major: number): T[] {
  const runs = ({ manifest }: T) => Number(manifest.engines?.['node']?.replace('>=', '')) <= major;
  return members.filter(({ manifest }) => membersFor(members, manifest.name).every(runs));
}

function readManifest<T>(folder: string): T {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as T;
}
