import { Readable } from 'node:stream';
import { type FakeApi, targetOf } from './fake-api.ts';
import type { Line } from './line.ts';

/** The answer to a watch: lines as they come, in order and late over a line that is cut. Closing it lets the API go. */
export function watchBody(api: FakeApi, path: string, line: Line): Readable {
  const { collection, namespace, query } = targetOf(path);
  const [, name] = /^metadata\.name=(.*)$/.exec(query.get('fieldSelector') ?? '') ?? [];
  const body = new Readable({ read() {} });
  let sent: Promise<unknown> | undefined;
  const send = (text: string) => {
    if (!sent && !line.isCut('answers')) {
      body.push(text);
      return;
    }
    const own = (sent ?? Promise.resolve()).then(async () => {
      if (body.destroyed) return;
      if (await line.arrives('answers')) body.push(text);
      else body.destroy(new Error('the server answers no ping'));
    });
    sent = own;
    void own.then(() => {
      if (sent === own) sent = undefined;
    });
  };
  const stop = api.follow(collection, Number(query.get('resourceVersion') ?? 0), ({ type, object }) => {
    if (namespace !== undefined && object.metadata.namespace !== namespace) return;
    if (name !== undefined && object.metadata.name !== name) return;
    send(`${JSON.stringify({ type, object })}\n`);
  });
  body.once('close', stop);
  // As Node's own answers: what breaks before anybody reads is nobody's error.
  body.on('error', () => {});
  return body;
}
