import type { ByteSink, ByteSource } from '@wherry/bytes';

/** Why input stopped. */
export type InputEnd = 'end-of-input' | 'client-gone' | 'process-gone';

/**
 * Carries a client's input to a process, at the process's pace. Ends neither side: what the end means is for the caller.
 */
export function relayInput(source: ByteSource, sink: ByteSink): Promise<InputEnd> {
  const { promise, resolve } = Promise.withResolvers<InputEnd>();
  let open = true;
  const processGone = () => {
    open = false;
    source.resume();
    resolve('process-gone');
  };
  const write = (chunk: Uint8Array) => {
    if (sink.write(chunk)) return;
    source.pause();
    sink.drained().then(() => source.resume(), processGone);
  };
  source.receive({
    data(chunk) {
      // A process that reads no more does not make its client stall: the rest of the input is dropped.
      if (!open) return;
      try {
        write(chunk);
      } catch {
        processGone();
      }
    },
    end: () => resolve('end-of-input'),
    closed: (error) => resolve(error ? 'client-gone' : 'end-of-input'),
  });
  sink.closed.then(processGone);
  return promise;
}
