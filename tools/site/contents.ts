import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { releasedMembers } from '../release/workspace.ts';

/** A page's place in the table of contents. */
export interface Entry {
  /** Of the page's source, from the repository's root. */
  path: string;
  title: string;
}

/** A heading of the table of contents, and what stands below it. */
export interface Group {
  title: string;
  entries: Entry[];
}

/** Page → its title in the table of contents. */
type Titles = Readonly<Record<string, string>>;

const start: Titles = { 'README.md': 'What wherry is', 'docs/tutorial.md': 'Tutorial' };

const guides: Titles = {
  'docs/testing-your-operator.md': 'Test your operator',
  'docs/running.md': 'Where it runs',
  'docs/gateways.md': 'Gateways',
  'docs/connections.md': 'From keyboard to kernel',
  'docs/EXTENDING.md': 'Extend it',
  'CONTRIBUTING.md': 'Contribute',
};

const reference: Titles = {
  'docs/ARCHITECTURE.md': 'Architecture',
  'docs/COMPATIBILITY.md': 'Compatibility',
  'docs/LIMITS.md': 'Limits',
  'docs/SECURITY.md': 'Security',
  'docs/client-comparison.md': 'Beside client-node',
  'bench/README.md': 'Benchmarks',
  'CHANGELOG.md': 'Changelog',
};

/** The path that the page of a package's public types has in place of a source. */
export const apiPath = (folder: string): string => `${folder}/api.md`;

/** All that the table of contents leads to. */
export function contents(root: string): Group[] {
  const packages = releasedMembers(root).map(({ folder, manifest }) => ({ folder, title: manifest.name }));
  return [
    { title: 'Start', entries: entriesOf(root, start) },
    { title: 'Guides', entries: entriesOf(root, guides) },
    { title: 'Reference', entries: [...entriesOf(root, reference), ...fieldTables(root)] },
    {
      title: 'Packages',
      entries: packages.map(({ folder, title }) => ({ path: join(folder, 'README.md'), title })),
    },
    {
      title: 'Public types',
      entries: packages.map(({ folder, title }) => ({ path: apiPath(folder), title })),
    },
  ];
}

const entriesOf = (root: string, titles: Titles): Entry[] =>
  Object.entries(titles)
    .filter(([path]) => existsSync(join(root, path)))
    .map(([path, title]) => ({ path, title }));

/** What is made of each field of an object or message. */
const fieldTables = (root: string): Entry[] =>
  globSync('docs/fields/*.md', { cwd: root })
    .sort()
    .map((path) => ({ path, title: titleOf(root, path) }));

function titleOf(root: string, path: string): string {
  const heading = readFileSync(join(root, path), 'utf8').match(/^# (.+)$/m)?.[1];
  return heading ?? dirname(path);
}
