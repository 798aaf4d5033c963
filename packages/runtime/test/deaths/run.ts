/** Lives under deaths, by hand: `node packages/runtime/test/deaths/run.ts [LIVES] [SEED] [SUBNET]`. */
import { surviveRandomDeaths } from './random-deaths.ts';

const [lives = 500, seed = 1, subnet = 40] = process.argv.slice(2).map(Number);
const wrong = await surviveRandomDeaths({ lives, seed, subnet, note: (line) => console.log(line) });
for (const line of wrong) console.log(line);
console.log(`${lives} lives, seed ${seed}: ${wrong.length} wrong`);
process.exitCode = wrong.length === 0 ? 0 : 1;
