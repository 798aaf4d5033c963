/**
 * Puts the simulated machine under the code that is simulated: what it imports as Node's modules leads to `machine/`, what
 * it would leave its thread or this machine for, to `stand-ins/`. To be imported before any of that code; nothing else
 * in this process is touched.
 */
import { registerHooks } from 'node:module';

const at = (file: string) => new URL(file, import.meta.url).href;
const simulated = /\/packages\/(kubelet|runtime|monitor|monitor-api|linux)\/src\//;

/** What every simulated package imports. */
const everywhere: Readonly<Record<string, string>> = {
  'node:fs': at('machine/files.ts'),
  'node:fs/promises': at('machine/promises.ts'),
  'node:crypto': at('stand-ins/crypto.ts'),
};

/** What single packages import. */
const inPackage: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  kubelet: { '@wherry/cri/grpc': at('stand-ins/grpc.ts') },
  monitor: { 'node:net': at('machine/pipe-socket.ts') },
  'monitor-api': { 'node:net': at('machine/sockets.ts') },
  runtime: {
    'node:child_process': at('stand-ins/child-process.ts'),
    '@wherry/images': at('stand-ins/images.ts'),
    '@wherry/cri': at('stand-ins/cri.ts'),
  },
};

/** Files that others stand in for. */
const files: Readonly<Record<string, string>> = {
  [at('../packages/clock/src/keep-alive.ts')]: at('stand-ins/keep-alive.ts'),
  [at('../packages/linux/src/native.ts')]: at('machine/native.ts'),
  [at('../packages/linux/src/namespace/namespace.ts')]: at('stand-ins/namespaces.ts'),
  [at('../packages/monitor/src/streaming/index.ts')]: at('stand-ins/streaming.ts'),
  [at('../packages/runtime/src/network/bridge.ts')]: at('stand-ins/bridge.ts'),
  [at('../packages/runtime/src/volumes/user-namespace-probe.ts')]: at('stand-ins/user-namespace-probe.ts'),
};

registerHooks({
  resolve(specifier, context, next) {
    const [, name] = simulated.exec(context.parentURL ?? '') ?? [];
    if (name !== undefined) {
      const own = inPackage[name] ?? {};
      const table = Object.hasOwn(own, specifier) ? own : everywhere;
      if (Object.hasOwn(table, specifier)) return { url: table[specifier] as string, shortCircuit: true };
    }
    const found = next(specifier, context);
    return Object.hasOwn(files, found.url) ? { ...found, url: files[found.url] as string } : found;
  },
});
