import { Worker } from 'node:worker_threads';

/** A loop that goes on until it is disposed. */
export interface Swapping extends AsyncDisposable {
  readonly isRunning: boolean;
}

const loop = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const { parentPort, workerData: { path, link } } = require('node:worker_threads');
  const quiet = (work) => { try { work(); } catch {} };
  parentPort.on('message', () => process.exit());
  parentPort.postMessage('ready');
  const round = () => {
    for (let at = 0; at < 200; at++) {
      quiet(() => renameSync(path, path + '.aside'));
      quiet(() => symlinkSync(link, path));
      quiet(() => unlinkSync(path));
      quiet(() => renameSync(path + '.aside', path));
    }
    setImmediate(round);
  };
  round();`;

/** Swaps what is at `path` for a link to `link` and back, as fast as it can, as a hostile container does. */
export async function swapping(path: string, link: string): Promise<Swapping> {
  const worker = new Worker(loop, { eval: true, workerData: { path, link } });
  let isRunning = true;
  const gone = new Promise<void>((resolve) =>
    worker.once('exit', () => {
      isRunning = false;
      resolve();
    }),
  );
  await new Promise<void>((resolve) => worker.once('message', () => resolve()));
  return {
    get isRunning() {
      return isRunning;
    },
    async [Symbol.asyncDispose]() {
      worker.postMessage('end');
      await gone;
    },
  };
}
