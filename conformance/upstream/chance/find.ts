/**
 * Tells the stories of many seeds, and prints the requests that the two servers answer in different ways that are not known:
 * `node conformance/upstream/chance/find.ts requests|patches|forms FIRST COUNT [LENGTH]`. With `FIRST_ONLY=1` the first of each story.
 */
import { TwoServers } from '../two-servers.ts';
import { judgeStories } from './judge-stories.ts';
import { suiteOf } from './suites.ts';
import { prepare } from './tell.ts';

const [name, first = '1', count = '20', length = '40'] = process.argv.slice(2);
const suite = await suiteOf(name);
const port = Number(process.env['PORT'] ?? 16_489);
const shownMax = process.env['FIRST_ONLY'] === '1' ? 1 : Number.POSITIVE_INFINITY;
const two = await TwoServers.start({ port, etcdPort: port + 7_421 });
try {
  await prepare(two, suite.definitions);
  for (let seed = Number(first); seed < Number(first) + Number(count); seed += 1) {
    const { unknown } = await judgeStories(two, suite, { seeds: [seed], requestsOfStory: Number(length) });
    for (const text of unknown.slice(0, shownMax)) console.log(`\n${text}`);
  }
} finally {
  await two.close();
  suite.close?.();
}
