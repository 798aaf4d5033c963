/**
 * Tells the stories of many seeds, and prints the requests that the two servers answer in different ways:
 * `node conformance/upstream/chance/find.ts FIRST COUNT [LENGTH]`.
 */
import { TwoServers } from '../two-servers.ts';
import { unknownLines } from './known-differences.ts';
import { prepare, requestText, tell } from './tell.ts';

const [first = '1', count = '20', length = '40'] = process.argv.slice(2);
const port = Number(process.env['PORT'] ?? 16_489);
const two = await TwoServers.start({ port, etcdPort: port + 7_421 });
try {
  await prepare(two, definitions);
  for (let seed = Number(first); seed < Number(first) + Number(count); seed += 1) {
    for (const difference of await tell(two, story(seed, Number(length)))) {
      const lines = unknownLines(difference, knownDifferences);
      if (lines.length === 0) continue;
      console.log(`\nseed ${seed}, step ${difference.step}: ${requestText(difference.asked)}`);
      for (const line of lines) console.log(`  ${line}`);
    }
  }
} finally {
  await two.close();
}
