import { cpSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { compilePackages, needsTypesOfNode } from './compile.ts';
import { extraFolders, packedManifest } from './packed-manifest.ts';
import { shipBundle } from './shipped-bundle.ts';
import { isOfPage, shipPage } from './shipped-page.ts';
import { type Member, releasedMembers, workspaceManifest } from './workspace.ts';

/** What a release says of itself. */
export interface ReleaseOptions {
  /** Where its sources are published: `git+https://HOST/PATH.git`. Default: packages name no place. */
  repository?: string | undefined;
}

/** A package as its tarball will hold it. */
export interface StagedPackage extends Member {
  /** Absolute path of the folder that holds its files. */
  stage: string;
}

/**
 * Compiles the packages of the workspace at `root` and lays each out in a folder below `into` as it will be installed:
 * compiled code with declarations and maps, the sources that these lead to, README, LICENSE and a package.json of its own.
 */
export async function stagePackages(
  root: string,
  into: string,
  { repository }: ReleaseOptions,
): Promise<StagedPackage[]> {
  compilePackages(root, into);
  const workspace = workspaceManifest(root);
  const members = releasedMembers(root);
  const staged: StagedPackage[] = [];
  for (const member of members) {
    const stage = join(into, basename(member.folder));
    renameSync(join(stage, 'src'), join(stage, 'dist'));
    const home = join(root, member.folder);
    for (const file of globSync('src/**/*', { cwd: home, withFileTypes: true })) {
      if (!file.isFile() || file.name.endsWith('.test.ts') || isOfPage(member, file.parentPath)) continue;
      const from = join(file.parentPath, file.name);
      const path = relative(home, from);
      copy(from, join(stage, path));
      // What code reads beside itself lies beside the compiled code too.
      if (!file.name.endsWith('.ts')) copy(from, join(stage, path.replace('src', 'dist')));
    }
    for (const folder of extraFolders(member.manifest.files)) copy(join(home, folder), join(stage, folder));
    copy(join(home, 'README.md'), join(stage, 'README.md'));
    copy(join(root, 'LICENSE'), join(stage, 'LICENSE'));
    const typesFrom = typesNamedIn(join(stage, 'dist'));
    const bundled = await shipBundle(root, stage, { member, members });
    await shipPage(root, stage, member);
    const manifest = packedManifest(member, { workspace, repository, members, typesFrom, bundled });
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    staged.push({ ...member, stage });
  }
  return staged;
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true });
}

function typesNamedIn(folder: string): Set<string> {
  const names = new Set<string>();
  for (const file of globSync('**/*.d.ts', { cwd: folder })) {
    const text = readFileSync(join(folder, file), 'utf8');
    if (needsTypesOfNode(text)) names.add('node');
    for (const [, name = ''] of text.matchAll(/\b(?:from|import\()\s*'([a-z][^':./]*)['/]/g)) names.add(name);
  }
  return names;
}
