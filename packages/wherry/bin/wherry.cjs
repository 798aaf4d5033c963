#!/usr/bin/env node
'use strict';
// The wherry command, in words that Node understands since version 8: one that is too old starts a newer one, or says
// what to do. What only a newer one can read stands in start.cjs.
const { spawn } = require('child_process');
const { existsSync, readFileSync } = require('fs');
const { dirname, join } = require('path');

const oldestMajor = 24;
const majorOf = (version) => Number.parseInt(version, 10);

/** The program of the npm package `node` beside wherry or above it, where it is new enough. */
function nodeFromPackages() {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    const home = join(folder, 'node_modules', 'node');
    const program = join(home, 'bin', 'node');
    if (existsSync(program) && majorOf(versionOf(home)) >= oldestMajor) return program;
    if (folder === dirname(folder)) return undefined;
  }
}

function versionOf(home) {
  try {
    return JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).version;
  } catch (_) {
    return '0';
  }
}

function runWith(program) {
  const child = spawn(program, [__filename].concat(process.argv.slice(2)), { stdio: 'inherit' });
  const endings = ['SIGTERM', 'SIGHUP'];
  // The terminal signals the whole foreground group: the child decides, this process waits for it.
  const shared = ['SIGINT', 'SIGQUIT'];
  for (const name of shared) process.on(name, () => {});
  for (const name of endings) process.on(name, () => child.kill(name));
  child.on('error', (error) => {
    console.error(`wherry: starting "${program}": ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code === null ? 1 : code);
    for (const name of shared.concat(endings)) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}

function start() {
  if (majorOf(process.versions.node) >= oldestMajor) {
    require('./start.cjs');
    return;
  }
  const newer = nodeFromPackages();
  if (newer) {
    runWith(newer);
    return;
  }
  const found = `needs Node.js ${oldestMajor} or newer, and this is ${process.versions.node}`;
  const cure = `install a newer one (https://nodejs.org), or add one to this project: npm install node@${oldestMajor}`;
  console.error(`wherry: ${found}; ${cure}`);
  process.exitCode = 1;
}

start();
