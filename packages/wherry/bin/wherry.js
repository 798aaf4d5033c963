#!/usr/bin/env node
// Starts wherry, with the pinned Node when this one is older than wherry needs. Plain JavaScript that runs on any.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const nodeMajorMin = 24;
const here = dirname(fileURLToPath(import.meta.url));
const main = join(here, '../src/main.ts');
const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
process.env.NODE_COMPILE_CACHE ||= join(cache, 'wherry', 'compiled');

function pinnedNode() {
  for (let folder = here; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules/node/bin/node');
    if (existsSync(candidate)) return candidate;
    if (folder === dirname(folder)) return undefined;
  }
}

function runWith(node) {
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  // The terminal signals the whole foreground group: the child decides, this process waits for it.
  process.on('SIGINT', () => {});
  process.on('SIGQUIT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`wherry: starting "${node}": ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    for (const name of ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}

if (Number.parseInt(process.versions.node, 10) >= nodeMajorMin) {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
  await import('../src/main.ts');
} else {
  const node = pinnedNode();
  if (node) runWith(node);
  else {
    console.error(
      `wherry: needs Node.js ${nodeMajorMin} or newer, this is ${process.versions.node}; run "npm install"`,
    );
    process.exitCode = 1;
  }
}
