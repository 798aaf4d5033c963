'use strict';
// Loaded before anything else into each process of a node and into its threads (spawn-role.ts): it keeps out what Node
// would load and hold although no part uses it. In JavaScript, so that it needs no TypeScript parser itself.
const { hash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { registerHooks } = require('node:module');
const { join } = require('node:path');
const { fileURLToPath } = require('node:url');

const stripped = process.env.WHERRY_STRIPPED_MODULES;
leaveOutUndici();
if (stripped) readStripped(stripped);

/**
 * Whoever imports node:http gets all its exports evaluated, and these three load undici, a second HTTP client: 4 MiB and a
 * tenth of a second per process. The parts speak WebSocket through `ws`.
 */
function leaveOutUndici() {
  const http = process.getBuiltinModule('node:http');
  for (const name of ['WebSocket', 'CloseEvent', 'MessageEvent'])
    Object.defineProperty(http, name, { value: undefined, enumerable: true, configurable: true });
}

/**
 * Takes TypeScript without its types from `folder`, where stripped-modules.ts has put it. Node would load its parser into
 * every process, which stays there with 12 MiB. What is not in the folder Node strips as usual.
 */
function readStripped(folder) {
  registerHooks({
    load(url, context, next) {
      if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
      const digest = hash('sha256', readFileSync(fileURLToPath(url)));
      const source = readWhole(join(folder, digest), digest);
      return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true };
    },
  });
}

/** A kept module, or nothing where it is missing or was cut short: its last line names what it was made of. */
function readWhole(path, digest) {
  try {
    const source = readFileSync(path, 'utf8');
    return source.endsWith(`\n// ${digest}\n`) ? source : undefined;
  } catch {
    return undefined;
  }
}
