/** Writes the public types of each package into its api.txt: `npm run api`. A test says when one is stale. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageApis } from './release/api-reports.ts';

const root = join(import.meta.dirname, '..');
for (const { file, text } of packageApis(root)) writeFileSync(join(root, file), text);
