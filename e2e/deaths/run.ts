/** A node under churn whose kubelet and runtime die, by hand: `node e2e/deaths/run.ts [DEATHS] [SEED]`. */
import { surviveNodeDeaths } from './node-deaths.ts';

const [deaths = 200, seed = 1] = process.argv.slice(2).map(Number);
await surviveNodeDeaths({ deaths, seed, agreeMs: 10_000, note: (line) => console.log(line) });
console.log(`${deaths} deaths, seed ${seed}: agreed each time, nothing restarted needlessly`);
