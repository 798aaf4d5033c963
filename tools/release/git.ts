import { execFileSync } from 'node:child_process';

const git = (root: string, ...words: string[]) =>
  execFileSync('git', ['-C', root, ...words], { encoding: 'utf8' }).trim();

/** What differs from the last commit, as `git status --porcelain` says it; nothing where all is committed. */
export const uncommitted = (root: string): string => git(root, 'status', '--porcelain');

/** The last commit: forty hexadecimal digits. */
export const lastCommit = (root: string): string => git(root, 'rev-parse', 'HEAD');
