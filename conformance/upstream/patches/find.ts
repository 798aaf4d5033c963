import { prepare, requestText, tell } from '../chance/tell.ts';
import { unknownLines } from '../chance/known-differences.ts';
import { TwoServers } from '../two-servers.ts';
import { definitions } from './custom-kinds.ts';
import { knownDifferences } from './known-differences.ts';
import { story } from './stories.ts';

const [first = '1', count = '20', length = '40'] = process.argv.slice(2);
const port = Number(process.env['PORT'] ?? 16_591);
const two = await TwoServers.start({ port, etcdPort: port + 7_421 });
try {
  await prepare(two, definitions);
  for (let seed = Number(first); seed < Number(first) + Number(count); seed += 1) {
    for (const difference of await tell(two, story(seed, Number(length)))) {
      const lines = unknownLines(difference, knownDifferences);
      if (lines.length === 0) continue;
      console.log(`\nseed ${seed}, step ${difference.step}: ${requestText(difference.asked)}`);
      for (const line of lines) console.log(`  ${line}`);
      if (difference.codes.some((code) => code < 300)) break;
    }
  }
} finally {
  await two.close();
}
