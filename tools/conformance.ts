/** Runs the outside judges: real clients, servers and test suites that are built from the Go module in conformance/. */
import { spawn, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';

if (spawnSync('go', ['version']).error) {
  console.error('The outside judges need Go: apt-get install golang, or put go on PATH.');
  process.exit(1);
}

const chosen = process.argv.slice(2);
const files = globSync('conformance/**/*.test.ts').filter(
  (file) =>
    !file.includes('node_modules') && (chosen.length === 0 || chosen.some((name) => file.includes(name))),
);
const runner = spawn(process.execPath, ['--test', '--test-concurrency=1', ...files.sort()], {
  stdio: 'inherit',
});
runner.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
