import type { Manifest, Member, Target, WorkspaceManifest } from './workspace.ts';

/** The package.json that goes into a tarball. */
export interface PackedManifest
  extends Omit<Manifest, 'packedKibibytesMax' | 'bundledProgram' | 'bundledPage' | 'devDependencies'> {
  repository?: { type: 'git'; url: string; directory: string };
  type: 'module';
}

/** What a package.json needs beside the committed one. */
export interface PackingFacts {
  workspace: WorkspaceManifest;
  /** Where the sources are published; nothing where they are not, or nobody said. */
  repository: string | undefined;
  /** All released packages. */
  members: readonly Member[];
  /** The packages that its declarations import, `node` for Node's own modules. */
  typesFrom: ReadonlySet<string>;
  /** What its bundle needs, if it ships one. */
  bundled: Readonly<Record<string, string>>;
}

/**
 * The package.json of a tarball, made from the committed one: what leads to a TypeScript file leads to what was compiled
 * from it and to its declarations, and types that its declarations need are dependencies. Throws where a field is missing,
 * or where a package of ours is asked for that this release would not give. What only a clone needs stays at home.
 */
export function packedManifest({ folder, manifest }: Member, facts: PackingFacts): PackedManifest {
  for (const field of ['version', 'description', 'keywords', 'license', 'engines', 'exports'] as const)
    if (!manifest[field]) throw new Error(`${folder}/package.json: "${field}" is missing`);
  for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
    const neighbour = facts.members.find((member) => member.manifest.name === name);
    if (!neighbour) continue;
    checkRange({ folder, name, range }, neighbour.manifest.version);
  }
  const {
    packedKibibytesMax: _,
    bundledProgram,
    bundledPage,
    devDependencies: __,
    files,
    exports,
    imports,
    dependencies,
    ...kept
  } = manifest;
  return {
    ...kept,
    type: 'module',
    ...(facts.repository && { repository: { type: 'git', url: facts.repository, directory: folder } }),
    exports: { ...mapTargets(exports), './package.json': './package.json' },
    ...(imports && { imports: mapTargets(imports) }),
    files: [
      'dist',
      'src',
      ...(bundledProgram ? ['bundle'] : []),
      ...(bundledPage ? ['page'] : []),
      ...extraFolders(files),
    ],
    dependencies: sorted({ ...facts.bundled, ...dependencies, ...typeDependencies(facts) }),
  };
}

/** The folders that a package brings beside `src`. */
export function extraFolders(files: readonly string[] = []): string[] {
  return files.filter((name) => name !== 'src' && name !== 'README.md');
}

const mapTargets = (targets: Record<string, Target> = {}): Record<string, Target> =>
  Object.fromEntries(Object.entries(targets).map(([name, target]) => [name, mapTarget(target)]));

function mapTarget(target: Target): Target {
  if (target === null) return null;
  if (typeof target === 'object') return mapTargets(target);
  const [, stem] = /^\.\/src\/(.+)\.ts$/.exec(target) ?? [];
  return stem ? { types: `./dist/${stem}.d.ts`, default: `./dist/${stem}.js` } : target;
}

/** The first versions of Node's types that know all that declarations name; any newer one is as good. */
const typesOfNode = '>=22';

function typeDependencies({ workspace, typesFrom }: PackingFacts): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of typesFrom) {
    const range = workspace.devDependencies[`@types/${name}`];
    if (range) found[`@types/${name}`] = name === 'node' ? typesOfNode : range;
  }
  return found;
}

/** Ranges between our packages begin with a caret, so that a patch of one needs no release of the others. */
function checkRange(
  { folder, name, range }: Record<'folder' | 'name' | 'range', string>,
  version: string,
): void {
  if (!isCaretRangeOf(range, version))
    throw new Error(
      `${folder}/package.json: "${name}": "${range}" does not take ${version}; write "^${version}"`,
    );
}

function isCaretRangeOf(range: string, version: string): boolean {
  const parts = (text: string) => text.split('.').map(Number);
  if (!range.startsWith('^')) return false;
  const [major = 0, minor = 0, patch = 0] = parts(range.slice(1));
  const [ownMajor = 0, ownMinor = 0, ownPatch = 0] = parts(version);
  if (major !== ownMajor) return false;
  if (major === 0) return minor === ownMinor && patch <= ownPatch;
  return minor < ownMinor || (minor === ownMinor && patch <= ownPatch);
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
