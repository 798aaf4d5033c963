/** Checks what neither the compiler nor the linter can: rules that need types, or that look at whole files. */
import { abortListeners, usesAbortHelpers } from './rules/abort-listeners.ts';
import { builtUrls } from './rules/built-urls.ts';
import { endsOfTexts } from './rules/ends-of-texts.ts';
import { entryPaths, worksInForeignFolders } from './rules/entry-paths.ts';
import { givenTime, judgeGivenTime } from './rules/given-time.ts';
import { moduleEffects } from './rules/module-effects.ts';
import { ownKeys } from './rules/own-keys.ts';
import { pairedItems } from './rules/paired-items.ts';
import { shownValues } from './rules/shown-values.ts';
import { Sources } from './rules/source.ts';

const isShipped = (path: string) => /^packages\/[^/]+\/src\//.test(path) && !path.endsWith('.test.ts');
/** Objects that clients send; files of configuration are their administrators'. */
const judgesObjects = (path: string) => isShipped(path) && path.startsWith('packages/kubeapi/');
const isOfPage = (path: string) => isShipped(path) && path.startsWith(`${page}/`);
const sources = new Sources(process.cwd());
// Its sources know a browser, and so have a project of their own.
const page = 'packages/console/src/page';
const pageSources = new Sources(process.cwd(), page);
const breaches = [
  ...sources.check(ownKeys, isShipped),
  ...pageSources.check(ownKeys, isOfPage),
  ...sources.check(shownValues, isShipped),
  ...pageSources.check(shownValues, isOfPage),
  ...sources.check(pairedItems, judgesObjects),
  ...sources.check(endsOfTexts, judgesObjects),
  ...sources.check(entryPaths, worksInForeignFolders),
  ...judgeGivenTime([...sources.check(givenTime, isShipped), ...pageSources.check(givenTime, isOfPage)]),
  ...sources.check(abortListeners, usesAbortHelpers),
];
sources.close();
pageSources.close();
for (const { file, line, message } of breaches) console.error(`${file}:${line}: ${message}`);
const complaints = [...builtUrls(process.cwd()), ...moduleEffects(process.cwd())];
for (const complaint of complaints) console.error(complaint);
process.exitCode = breaches.length + complaints.length > 0 ? 1 : 0;
