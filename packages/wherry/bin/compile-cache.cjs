'use strict';
const { createHash } = require('node:crypto');
const { lstatSync, mkdirSync, readdirSync, rmSync } = require('node:fs');
const { homedir } = require('node:os');
const { dirname, join } = require('node:path');

/** What an installation has compiled is thrown away when it has compiled nothing for so long. */
const unusedMs = 30 * 24 * 60 * 60 * 1000;

/**
 * A folder for the compiled modules of this installation, or nothing where there is none that only this user can write:
 * Node runs what lies there as it is. Root has one of its own, whoever's home `sudo` left in the environment.
 */
exports.compileCacheFolder = function compileCacheFolder(own = process.geteuid()) {
  const cache = own === 0 ? '/var/cache' : process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const home = join(cache, 'wherry');
  const installation = createHash('sha256').update(dirname(__dirname)).digest('hex').slice(0, 16);
  const folder = join(home, installation);
  try {
    const isNew = mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined;
    if (![home, folder].every((path) => isOnlyFor(own, path))) return undefined;
    if (isNew) removeUnused(home);
    return folder;
  } catch {
    return undefined;
  }
};

function isOnlyFor(own, path) {
  const found = lstatSync(path);
  return found.isDirectory() && found.uid === own && (found.mode & 0o022) === 0;
}

function removeUnused(home) {
  for (const name of readdirSync(home)) {
    const path = join(home, name);
    if (Date.now() - lstatSync(path).mtimeMs > unusedMs) rmSync(path, { recursive: true, force: true });
  }
}
