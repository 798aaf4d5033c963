/** The thread that unpacks layers: one request at a time, one answer for each. */
import { parentPort } from 'node:worker_threads';
import { RuntimeError } from '../errors.ts';
import { ParentNeededError } from './layer-writer.ts';
import { type UnpackRequest, type UnpackResult, unpackLayer } from './unpack.ts';

/** What the thread answers: errors keep their kind, because classes do not cross threads. */
export type UnpackAnswer =
  | { result: UnpackResult }
  | { failure: { kind: 'parentNeeded' | RuntimeError['code']; message: string } };

parentPort?.on('message', (request: UnpackRequest) => {
  unpackLayer(request).then(
    (result) => parentPort?.postMessage({ result } satisfies UnpackAnswer),
    (error: Error) => {
      const kind =
        error instanceof ParentNeededError
          ? ('parentNeeded' as const)
          : error instanceof RuntimeError
            ? error.code
            : ('UNKNOWN' as const);
      parentPort?.postMessage({ failure: { kind, message: error.message } } satisfies UnpackAnswer);
    },
  );
});
