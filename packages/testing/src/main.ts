/** The process behind the tests of one process: `node main.ts FOLDER`, spoken to over stdin and stdout. */
import { createInterface } from 'node:readline';
import { keepCompiled } from '@wherry/node/program';
import { TestingError, type TestingErrorCode } from './errors.ts';
import type { Answer, Request } from './host/protocol.ts';

keepCompiled();
const [folder = ''] = process.argv.slice(2);
const { Host } = await import('./host/host.ts');
const host = new Host(folder);
const running = new Map<number, AbortController>();
const say = (answer: Answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);

async function take(request: Request): Promise<void> {
  const { id } = request;
  if ('cancel' in request) {
    running.get(id)?.abort(new Error('the test gave it up'));
    return;
  }
  const controller = new AbortController();
  running.set(id, controller);
  try {
    say({ id, result: await host.take(request.call, request.parameters, controller.signal) });
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    say({ id, failure, code: codeOf(error) });
  } finally {
    running.delete(id);
  }
}

function codeOf(error: unknown): TestingErrorCode {
  if (error instanceof TestingError) return error.code;
  return isOfArgument(error) ? 'bad-argument' : 'failed';
}

/** Whether what was asked for makes no sense, in the words of the parts that take it. */
function isOfArgument(error: unknown): boolean {
  if (error instanceof RangeError) return true;
  return (
    error instanceof Error &&
    'code' in error &&
    ['bad-name', 'bad-settings'].some((code) => code === error.code)
  );
}

let isEnding = false;

/** Ends everything once: the test process is gone, or somebody asks this one to end. */
async function end(): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  for (const controller of running.values()) controller.abort(new Error('the test process is gone'));
  await host.close();
  process.exit();
}

// Who reads the answers may be gone before who sends the requests is known to be.
process.stdout.on('error', () => {});
process.on('unhandledRejection', (error) => console.error('a rejection was caught by nobody:', error));
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void end());
createInterface({ input: process.stdin })
  .on('line', (line) => void take(JSON.parse(line) as Request))
  .on('close', () => void end());
