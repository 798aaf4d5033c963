/** Checks what neither the compiler nor the linter can: rules that need types, or that look at whole files. */
import { abortListeners, usesAbortHelpers } from './rules/abort-listeners.ts';
import { builtUrls } from './rules/built-urls.ts';
import { entryPaths, worksInForeignFolders } from './rules/entry-paths.ts';
import { givenTime, judgeGivenTime } from './rules/given-time.ts';
import { ownKeys } from './rules/own-keys.ts';
import { shownValues } from './rules/shown-values.ts';
import { Sources } from './rules/source.ts';

const isShipped = (path: string) => /^packages\/[^/]+\/src\//.test(path) && !path.endsWith('.test.ts');
const sources = new Sources(process.cwd());
const breaches = [
  ...sources.check(ownKeys, isShipped),
  ...sources.check(shownValues, isShipped),
  ...sources.check(entryPaths, worksInForeignFolders),
  ...judgeGivenTime(sources.check(givenTime, isShipped)),
  ...sources.check(abortListeners, usesAbortHelpers),
];
sources.close();
for (const { file, line, message } of breaches) console.error(`${file}:${line}: ${message}`);
const complaints = builtUrls(process.cwd());
for (const complaint of complaints) console.error(complaint);
process.exitCode = breaches.length + complaints.length > 0 ? 1 : 0;
