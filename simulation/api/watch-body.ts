import { Readable } from 'node:stream';
import { type FakeApi, targetOf } from './fake-api.ts';

/** The answer to a watch: lines as they come. Closing it lets the API go. */
export function watchBody(api: FakeApi, path: string): Readable {
  const { collection, namespace, query } = targetOf(path);
  const [, name] = /^metadata\.name=(.*)$/.exec(query.get('fieldSelector') ?? '') ?? [];
  const body = new Readable({ read() {} });
  const stop = api.follow(collection, Number(query.get('resourceVersion') ?? 0), ({ type, object }) => {
    if (namespace !== undefined && object.metadata.namespace !== namespace) return;
    if (name !== undefined && object.metadata.name !== name) return;
    body.push(`${JSON.stringify({ type, object })}\n`);
  });
  body.once('close', stop);
  // As Node's own answers: what breaks before anybody reads is nobody's error.
  body.on('error', () => {});
  return body;
}
