/** Checks what neither the compiler nor the linter can: rules that need types. */
import { ownKeys } from './rules/own-keys.ts';
import { Sources } from './rules/source.ts';

const isShipped = (path: string) => /^packages\/[^/]+\/src\//.test(path) && !path.endsWith('.test.ts');
const sources = new Sources(process.cwd());
const breaches = sources.check(ownKeys, isShipped);
sources.close();
for (const { file, line, message } of breaches) console.error(`${file}:${line}: ${message}`);
process.exitCode = breaches.length > 0 ? 1 : 0;
