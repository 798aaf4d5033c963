/** The sources of an earlier version, as they are in the history of this clone, with what is installed here. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const clone = dirname(import.meta.dirname);

/** False, or why there is no such tree: clones may have the newest commit alone. */
export function unlessHistoryHas(commit: string): string | false {
  const { status } = spawnSync('git', ['-C', clone, 'cat-file', '-e', `${commit}^{commit}`]);
  return status === 0 ? false : `the history of this clone does not reach to ${commit}`;
}

/** Lays the tree of a commit out in a folder of its own. */
export function layEarlierTree(commit: string): { entry: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-earlier-'));
  const archive = execFileSync(
    'git',
    ['-C', clone, 'archive', '--format=tar', commit, 'packages', 'package.json'],
    {
      maxBuffer: 1 << 30,
    },
  );
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const packages = readdirSync(join(folder, 'packages'));
  const into = (to: string, names: readonly string[], from: (name: string) => string) => {
    mkdirSync(to, { recursive: true });
    for (const name of names) symlinkSync(from(name), join(to, name));
  };
  const installed = join(clone, 'node_modules');
  into(
    join(folder, 'node_modules'),
    readdirSync(installed).filter((name) => name !== '@wherry'),
    (name) => join(installed, name),
  );
  into(join(folder, 'node_modules/@wherry'), packages, (name) => join(folder, 'packages', name));
  for (const name of packages) {
    const own = join(clone, 'packages', name, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(folder, 'packages', name, 'node_modules'));
  }
  return {
    entry: join(folder, 'packages/wherry/bin/wherry.cjs'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
