/**
 * Makes the documentation's site from the repository's markdown and doc comments: `npm run site -- --out DIR`. DIR gets plain
 * files that any web server can serve, under any path. A link that leads nowhere fails it.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSite } from './site/build.ts';

const { values } = parseArgs({ options: { out: { type: 'string' } } });
if (!values.out) {
  console.error('usage: npm run site -- --out DIR');
  process.exit(1);
}
const { pages, deadLinks } = await buildSite(process.cwd(), resolve(values.out));
for (const link of deadLinks) console.error(link);
console.log(`${pages} pages in ${values.out}`);
process.exitCode = deadLinks.length === 0 ? 0 : 1;
