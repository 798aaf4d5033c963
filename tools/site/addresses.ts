import { existsSync, statSync } from 'node:fs';
import { dirname, join, normalize, posix } from 'node:path';

/** Where the page of a source lies in the site: `docs/LIMITS.md` → `docs/LIMITS.html`, `x/README.md` → `x/index.html`. */
export function addressOf(path: string): string {
  if (path.endsWith('/')) return `${path}index.html`;
  if (!path.endsWith('.md')) return `${path}.html`;
  return path.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '.html');
}

/** From one page of the site to another, as a relative link, so that the site works under any path. */
export function linkBetween(from: string, to: string): string {
  const link = posix.relative(posix.dirname(from), to);
  return link === '' ? posix.basename(to) : link;
}

/** What a link in the repository's markdown leads to. */
export interface Target {
  /** The source, from the repository's root: a markdown page, another file, or a folder with a slash at its end. */
  path: string;
  /** Behind the #, without it. */
  fragment: string;
}

/**
 * What the link `href` of the page `from` leads to: undefined for one that leaves the repository, null for one to nothing. A
 * folder means its README, where it has one.
 */
export function targetOf(root: string, from: string, href: string): Target | undefined | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return undefined;
  const [place = '', fragment = ''] = href.split('#');
  const path =
    place === ''
      ? from
      : normalize(join(from.endsWith('/') ? from : dirname(from), decodeURIComponent(place)));
  if (path.startsWith('..') || !existsSync(join(root, path))) return null;
  if (!statSync(join(root, path)).isDirectory()) return { path, fragment };
  const readme = join(path, 'README.md');
  return { path: existsSync(join(root, readme)) ? readme : `${path.replace(/\/$/, '')}/`, fragment };
}
