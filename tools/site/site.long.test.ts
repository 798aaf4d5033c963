import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import MiniSearch from 'minisearch';
import { linkBetween, targetOf } from './addresses.ts';
import { buildSite } from './build.ts';
import { render } from './markdown.ts';
import { searchOptions } from './search-index.ts';

const root = join(import.meta.dirname, '../..');
const out = mkdtempSync(join(tmpdir(), 'wherry-site-'));
after(() => rmSync(out, { recursive: true }));

test('the site of the documentation has no dead link, and its search finds port-forward', async () => {
  const { deadLinks } = await buildSite(root, out);
  assert.deepEqual(deadLinks, []);
  const index = MiniSearch.loadJSON(readFileSync(join(out, 'search-index.json'), 'utf8'), searchOptions);
  const found = index.search('port-forward').map(({ address }) => String(address));
  assert.ok(
    found.some((address) => address.startsWith('packages/portforward/')),
    found.join(' '),
  );
  for (const address of found) assert.ok(existsSync(join(out, address.split('#')[0] ?? '')), address);
});

test('a page asks no other machine for anything', () => {
  const html = readFileSync(join(out, 'index.html'), 'utf8');
  assert.doesNotMatch(html, /(src|href)="[^"]*\/\/[^"]*\.(js|css|woff2?|png|svg)"/);
});

test('a link leads to what it names, wherever both pages lie', () => {
  assert.equal(linkBetween('docs/a.html', 'packages/b/index.html'), '../packages/b/index.html');
  assert.deepEqual(targetOf(root, 'docs/LIMITS.md', '../README.md#commands'), {
    path: 'README.md',
    fragment: 'commands',
  });
  assert.equal(targetOf(root, 'docs/LIMITS.md', '../../etc/passwd'), null);
  assert.equal(targetOf(root, 'docs/LIMITS.md', 'https://example.com/'), undefined);
});

test('headings have the ids that they have on GitHub, the second of a name too', () => {
  const { html, title } = render('# A `b` & c\n\n## Twice\n\n## Twice\n', (href) => href);
  assert.deepEqual(
    [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id),
    ['a-b--c', 'twice', 'twice-1'],
  );
  assert.equal(title, 'A b & c');
});
