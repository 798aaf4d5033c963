/** Runs the outside judges: real clients, servers and test suites that are built from the Go module in conformance/. */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { conclude, runWithSecondChance } from './rounds.ts';

if (spawnSync('go', ['version']).error) {
  console.error('The outside judges need Go: apt-get install golang, or put go on PATH.');
  process.exit(1);
}

const chosen = process.argv.slice(2);
const files = globSync('conformance/**/*.test.ts').filter(
  (file) =>
    !file.includes('node_modules') && (chosen.length === 0 || chosen.some((name) => file.includes(name))),
);
conclude(
  await runWithSecondChance({
    title: 'outside judges',
    files: files.sort(),
    concurrency: 1,
    fileTimeoutMs: 420_000,
  }),
);
