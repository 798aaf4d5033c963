/** A runtime of its own process; its options come as JSON in the first argument. */
import { type RuntimeOptions, startRuntime } from '@wherry/runtime';

const runtime = await startRuntime(JSON.parse(process.argv[2] ?? '{}') as RuntimeOptions);
process.once('SIGTERM', () => runtime.close().then(() => process.exit(0)));
