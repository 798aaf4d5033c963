/**
 * Feeds damaged conversations to sessions: `node packages/spdy/fuzz/run.ts [frames] [seed]`. Fails when a session
 * throws, holds more than its bounds, or keeps a stream or timer when it is over; prints the seed to repeat it with.
 */
import { fuzzSession } from './session.ts';

const frames = Number(process.argv[2] ?? 1_000_000);
const firstSeed = Number(process.argv[3] ?? Date.now() % 1_000_000_000);
const framesPerSession = 50;

const startedMs = performance.now();
let heapMax = 0;
let refused = 0;
for (let session = 0; session < frames / framesPerSession; session++) {
  const outcome = await fuzzSession(firstSeed + session, framesPerSession);
  if (outcome.refused) refused++;
  if (session % 1000 === 0) heapMax = Math.max(heapMax, process.memoryUsage().rss);
}
const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
console.log(
  `${frames} frames from seed ${firstSeed} in ${seconds} s: ${refused} sessions refused, none broke, ` +
    `at most ${(heapMax / 1e6).toFixed(0)} MB resident`,
);
