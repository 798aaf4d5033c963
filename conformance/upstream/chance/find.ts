/**
 * Tells the stories of many seeds, and prints the requests that the two servers answer in different ways:
 * `node conformance/upstream/chance/find.ts requests|patches|forms FIRST COUNT [LENGTH]`. With `FIRST_ONLY=1` a story ends where the
 * two objects have become different.
 */
import { TwoServers } from '../two-servers.ts';
import { unknownLines } from './known-differences.ts';
import { suiteOf } from './suites.ts';
import { prepare, requestText, tell } from './tell.ts';

const [name, first = '1', count = '20', length = '40'] = process.argv.slice(2);
const { definitions, story, known, open, close } = await suiteOf(name);
const port = Number(process.env['PORT'] ?? 16_489);
const endsEarly = process.env['FIRST_ONLY'] === '1';
const two = await TwoServers.start({ port, etcdPort: port + 7_421 });
try {
  await prepare(two, definitions);
  for (let seed = Number(first); seed < Number(first) + Number(count); seed += 1) {
    for (const difference of await tell(two, story(seed, Number(length)), open)) {
      const lines = unknownLines(difference, known);
      if (lines.length === 0) continue;
      console.log(`\nseed ${seed}, step ${difference.step}: ${requestText(difference.asked)}`);
      for (const line of lines) console.log(`  ${line}`);
      if (endsEarly && difference.codes.some((code) => code < 300)) break;
    }
  }
} finally {
  await two.close();
  close?.();
}
