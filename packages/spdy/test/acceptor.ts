import type { SpdyStream } from '../src/index.ts';

/** Accepts every stream and keeps it. */
export function acceptor() {
  const streams: SpdyStream[] = [];
  return {
    streams,
    onStream(stream: SpdyStream) {
      streams.push(stream);
      stream.reply();
    },
  };
}

/** Attaches a receiver that writes down what it is told. */
export function listen(stream: SpdyStream): string[] {
  const events: string[] = [];
  stream.receive({
    data: (chunk) => events.push(Buffer.from(chunk).toString()),
    end: () => events.push('<end>'),
    closed: (error) => events.push(error ? `<${'code' in error ? error.code : error.name}>` : '<closed>'),
  });
  return events;
}
