'use strict';
// Loaded before anything else into each process of a node and into its threads (spawn-role.ts): it keeps out what Node
// would load and hold although no part uses it. In JavaScript, so that it needs no TypeScript parser.
leaveOutUndici();

/**
 * Whoever imports node:http gets all its exports evaluated, and these three load undici, a second HTTP client: 4 MiB and a
 * tenth of a second per process. The parts speak WebSocket through `ws`.
 */
function leaveOutUndici() {
  const http = process.getBuiltinModule('node:http');
  for (const name of ['WebSocket', 'CloseEvent', 'MessageEvent'])
    Object.defineProperty(http, name, { value: undefined, enumerable: true, configurable: true });
}
