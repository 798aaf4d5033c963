import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documentedTypes } from '../release/api-reports.ts';
import { releasedMembers } from '../release/workspace.ts';
import { addressOf, linkBetween, targetOf } from './addresses.ts';
import { apiPage } from './api-page.ts';
import { apiPath, contents } from './contents.ts';
import { page } from './frame.ts';
import { escapeHtml, type Rendered, render } from './markdown.ts';
import { type Searchable, searchIndex } from './search-index.ts';

/** What came of making the site. */
export interface Built {
  pages: number;
  /** `PAGE: LINK: why`, of each link that leads nowhere. */
  deadLinks: string[];
}

/** Makes the site of the repository at `root` in the folder `out`. */
export async function buildSite(root: string, out: string): Promise<Built> {
  const groups = contents(root);
  const made = apiPages(root);
  const pages = new Map<string, Rendered>();
  const links: { from: string; href: string; path: string; fragment: string }[] = [];
  const deadLinks: string[] = [];
  const queue = groups.flatMap(({ entries }) => entries.map(({ path }) => path));
  // What pages lead to joins the queue: other pages, and sources, which are shown as they stand.
  for (const path of queue) {
    if (pages.has(path)) continue;
    const text = made.get(path) ?? sourceOf(join(root, path));
    const follow = (href: string): string => {
      const target = targetOf(root, path, href);
      if (target === undefined) return href;
      if (target === null) {
        deadLinks.push(`${path}: ${href}: nothing is there`);
        return href;
      }
      queue.push(target.path);
      links.push({ from: path, href, ...target });
      const fragment = target.fragment === '' ? '' : `#${target.fragment}`;
      return `${linkBetween(addressOf(path), addressOf(target.path))}${fragment}`;
    };
    const isMarkdown = /(\.md|\/)$/.test(path);
    pages.set(path, isMarkdown ? render(text, follow) : asItStands(path, text));
  }
  for (const { from, href, path, fragment } of links) {
    const isThere = fragment === '' || pages.get(path)?.html.includes(`id="${fragment}"`);
    if (!isThere) deadLinks.push(`${from}: ${href}: ${path} has no such part`);
  }
  const searchable: Searchable[] = [];
  for (const [path, { html, title, sections }] of pages) {
    const address = addressOf(path);
    write(join(out, address), page({ address, title, html, groups }));
    if (path.endsWith('.md')) searchable.push({ address, title, sections });
  }
  write(join(out, 'search-index.json'), searchIndex(searchable));
  copyAssets(out);
  return { pages: pages.size, deadLinks };
}

/** The pages that are made of doc comments, by the path that they have in place of a source. */
function apiPages(root: string): Map<string, string> {
  const types = documentedTypes(root);
  return new Map(
    releasedMembers(root).flatMap(({ folder, manifest }) => {
      const own = types.get(folder);
      return own ? [[apiPath(folder), apiPage(manifest.name, own)] as const] : [];
    }),
  );
}

/** What stands in a file; of a folder its files, as markdown. */
function sourceOf(path: string): string {
  if (!path.endsWith('/')) return readFileSync(path, 'utf8');
  const names = readdirSync(path).sort();
  return `# ${basename(path)}\n\n${names.map((name) => `* [${name}](${encodeURIComponent(name)})`).join('\n')}\n`;
}

const asItStands = (path: string, text: string): Rendered => ({
  title: path,
  html: `<h1>${escapeHtml(path)}</h1>\n<pre><code>${escapeHtml(text)}</code></pre>`,
  sections: [],
});

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function copyAssets(out: string): void {
  for (const name of ['site.css', 'search.js'])
    copyFileSync(join(import.meta.dirname, 'assets', name), join(out, name));
  copyFileSync(fileURLToPath(import.meta.resolve('minisearch')), join(out, 'minisearch.js'));
}
