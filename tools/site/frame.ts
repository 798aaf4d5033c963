import { addressOf, linkBetween } from './addresses.ts';
import type { Group } from './contents.ts';
import { escapeHtml } from './markdown.ts';

/** What one page of the site is made of. */
export interface PageParts {
  /** In the site. */
  address: string;
  title: string;
  html: string;
  groups: readonly Group[];
}

/** A whole page: the table of contents, the search and the text. */
export function page({ address, title, html, groups }: PageParts): string {
  const to = (target: string) => linkBetween(address, target);
  const name = title === '' || title === 'wherry' ? 'wherry' : `${title} · wherry`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(name)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${to('site.css')}">
<script type="module" src="${to('search.js')}"></script>
</head>
<body data-root="${to('search.js').replace(/search\.js$/, '')}">
<header>
<a class="name" href="${to('index.html')}">wherry</a>
<label class="menu" for="menu">Contents</label>
<input id="search" type="search" placeholder="Search" aria-label="Search" autocomplete="off">
</header>
<ol id="found" hidden></ol>
<input id="menu" type="checkbox" hidden>
<nav>
${groups.map((group) => groupHtml(group, address)).join('\n')}
</nav>
<main>
${html}
</main>
</body>
</html>
`;
}

function groupHtml({ title, entries }: Group, address: string): string {
  const items = entries.map(({ path, title: name }) => {
    const own = addressOf(path);
    const current = own === address ? ' aria-current="page"' : '';
    return `<li><a href="${linkBetween(address, own)}"${current}>${escapeHtml(name)}</a></li>`;
  });
  return `<h2>${escapeHtml(title)}</h2>\n<ul>${items.join('')}</ul>`;
}
