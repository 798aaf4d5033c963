/** An API server with the options of its one argument, JSON, which tells its URL to the process that forked it. */
import { startApiserver } from '@wherry/apiserver';
import { createLogger } from '@wherry/telemetry';

const options = JSON.parse(process.argv[2] ?? '{}');
const { url } = await startApiserver({ ...options, logger: createLogger('apiserver', { level: 'error' }) });
process.send?.(url);
// Nobody is left who could end it.
process.once('disconnect', () => process.exit());
