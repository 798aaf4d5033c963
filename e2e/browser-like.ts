/**
 * Runs the client's core in a process that has what browsers have: no module of Node's can be loaded, and neither
 * `process` nor `Buffer` is there. Arguments: server, token. Prints one JSON object of what came back.
 */
import { isBuiltin, registerHooks } from 'node:module';

const [server = '', token = ''] = process.argv.slice(2);
const print = (value: unknown) => console.log(JSON.stringify(value));
const loaded: string[] = [];

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (isBuiltin(specifier)) throw new Error(`${context.parentURL} asks for ${specifier}`);
    const found = nextResolve(specifier, { ...context, conditions: ['browser', 'import', 'default'] });
    loaded.push(found.url);
    return found;
  },
});
// Node's own fetch and WebSocket are allowed what they need; files of ours, and of packages, find nothing there.
for (const name of ['process', 'Buffer', 'setImmediate', 'global']) {
  const value: unknown = Reflect.get(globalThis, name);
  const get = () => (new Error().stack?.split('\n')[2]?.includes('file:') ? undefined : value);
  Object.defineProperty(globalThis, name, { get, configurable: true });
}

const { createApiClient, limits } = await import('@wherry/client');
const client = createApiClient({ server, token });

const applied = await client.apply(
  '{ apiVersion: v1, kind: ConfigMap, metadata: { name: page }, data: { a: b } }',
);
const pods = await client.list('Pod').toArray();
const events: string[] = [];
for await (const { type, object } of client.watch('ConfigMap', { fieldSelector: 'metadata.name=page' })) {
  events.push(type);
  if (type === 'ADDED') await client.patch('ConfigMap/page', { data: { a: 'c' } });
  if (type === 'MODIFIED') await client.delete(object);
  if (type === 'DELETED') break;
}
const missing = await client.get('Pod/missing').catch(({ name, reason, code }) => ({ name, reason, code }));
const command = ['sh', '-c', 'tr a-z A-Z; echo oops >&2; exit 3'];
const answer = await client.captureExec({ pod: 'demo', command, stdin: 'hello' });
const size = 4 * limits.webSocketHighWaterBytes;
const zeros = await client.captureExec({ pod: 'demo', command: ['wc', '-c'], stdin: new Uint8Array(size) });
const lines = await Array.fromAsync(client.logLines({ pod: 'demo', tailLines: 1 }));
const refused = await client
  .captureExec({ pod: 'missing', command: ['true'] })
  .catch(({ name, code }) => ({ name, code }));

print({
  applied: applied.map(({ kind, metadata }) => `${kind} ${metadata?.name}`),
  pods: pods.map(({ metadata }) => metadata.name),
  ...{ events, missing, answer, zeros: zeros.stdout.trim() === String(size), lines, refused },
  modules: loaded.length,
  buffer: typeof Buffer,
});
