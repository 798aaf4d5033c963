/**
 * Feeds damaged WebSocket conversations to channel sockets: `node packages/upgrade/fuzz/run.ts [frames] [seed]`. Fails
 * when the server throws or hangs; prints the seed to repeat it with.
 */
import { FuzzedServer } from './connection.ts';

const frames = Number(process.argv[2] ?? 1_000_000);
const firstSeed = Number(process.argv[3] ?? Date.now() % 1_000_000_000);
const framesPerConnection = 100;

await using server = await FuzzedServer.start();
const startedMs = performance.now();
let refused = 0;
let residentMax = 0;
for (let connection = 0; connection < frames / framesPerConnection; connection++) {
  if ((await server.converse(firstSeed + connection, framesPerConnection)).isRefused) refused++;
  residentMax = Math.max(residentMax, process.memoryUsage.rss());
}
const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
const mebibytes = Math.round(residentMax / 1024 ** 2);
console.log(
  `${frames} frames from seed ${firstSeed} in ${seconds} s: ${refused} connections refused, none broke, at most ${mebibytes} MB resident`,
);
