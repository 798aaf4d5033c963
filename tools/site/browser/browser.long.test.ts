/** The documentation's site as a reader on a phone has it: in a headless Chromium. */
import assert from 'node:assert/strict';
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { buildSite } from '../build.ts';
import { Browser } from './browser.ts';
import { type Served, serve } from './serve.ts';

const root = join(import.meta.dirname, '../../..');
const phone = { width: 360, height: 740 };
const out = mkdtempSync(join(tmpdir(), 'wherry-site-'));
let site: Served;
let browser: Browser;

before(async () => {
  await buildSite(root, out);
  site = await serve(out);
  browser = await Browser.start();
  await browser.resize(phone.width, phone.height);
});
after(async () => {
  await browser?.close();
  site?.close();
  rmSync(out, { recursive: true });
});

/** What a page is, looked at in the browser. */
interface Seen {
  /** By how much it is wider than the window. */
  overhang: number;
  ids: string[];
  links: string[];
}

const look = `({
  overhang: document.documentElement.scrollWidth - innerWidth,
  ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
  links: [...document.links].map(({ href }) => href),
})`;

test('every page fits a phone, and every link leads to a place that is there', async () => {
  const pages = new Map<string, Seen>();
  for (const path of globSync('**/*.html', { cwd: out })) {
    const url = new URL(path, site.url).href;
    await browser.open(url);
    pages.set(url, await browser.evaluate<Seen>(look));
  }
  assert.ok(pages.size > 40);
  assert.deepEqual(site.missed, []);
  const wide = [...pages].filter(([, { overhang }]) => overhang > 0).map(([url]) => url);
  assert.deepEqual(wide, [], 'pages that scroll sideways');
  const dead = [...pages].flatMap(([url, { links }]) =>
    links
      .filter((link) => link.startsWith(site.url) && !leadsSomewhere(link, pages))
      .map((link) => `${url} → ${link}`),
  );
  assert.deepEqual(dead, []);
});

function leadsSomewhere(link: string, pages: ReadonlyMap<string, Seen>): boolean {
  const [page = '', fragment = ''] = link.split('#');
  const file = page.endsWith('/') ? `${page}index.html` : page;
  // Sources that a page leads to are there as they are.
  if (!file.endsWith('.html')) return existsSync(join(out, decodeURIComponent(new URL(file).pathname)));
  const seen = pages.get(file);
  return seen !== undefined && (fragment === '' || seen.ids.includes(decodeURIComponent(fragment)));
}

test('who types port-forward into the search is led to its package', async () => {
  await browser.open(`${site.url}docs/tutorial.html`);
  await browser.evaluate(`document.querySelector('#search').focus()`);
  await browser.type('port-forward');
  await browser.waitFor(`document.querySelector('#found a') !== null`);
  const found = await browser.evaluate<string[]>(
    `[...document.querySelectorAll('#found a')].map((a) => a.href)`,
  );
  assert.ok(
    found.some((url) => url.includes('/packages/portforward/')),
    found.join(' '),
  );
  await browser.evaluate(`document.querySelector('#found a').click()`);
  await browser.waitFor(`location.href === ${JSON.stringify(found[0])}`);
  assert.deepEqual(site.missed, []);
});
