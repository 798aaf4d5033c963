/** A runtime as a process of its own, for tests that kill it: `node runtime-process.ts OPTIONS_AS_JSON`. */
import { createLogger } from '@wherry/telemetry';
import { startRuntime } from '../src/index.ts';

await startRuntime({
  ...JSON.parse(process.argv[2] ?? ''),
  logger: createLogger('runtime', { level: 'error' }),
});
process.stdout.write('ready\n');
