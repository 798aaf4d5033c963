/** What goes over the wire to an extender and back, with a server of this process. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { FakeClock, systemClock } from '@wherry/clock';
import { TestAuthority } from '../../../../apiserver/test/pki.ts';
import { limits } from '../../limits.ts';
import { type ExtenderTls, openExtenderDoor } from './extender-door.ts';
import { ExtenderError } from './extender-error.ts';

const tls = { isInsecure: false };

async function served(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  secure?: ServerOptions,
) {
  const server = secure ? createSecureServer(secure, answer) : createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    urlPrefix: `http${secure ? 's' : ''}://127.0.0.1:${port}/extend/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const { signal } = new AbortController();

describe('the way to an extender', () => {
  it('posts JSON below the prefix and reads the answer', async () => {
    await using server = await served((request, response) => {
      const told = { method: request.method, url: request.url, type: request.headers['content-type'] };
      response.end(JSON.stringify(told));
    });
    const door = openExtenderDoor({ ...server, timeoutMs: 5_000, tls }, systemClock);
    const wanted = { method: 'POST', url: '/extend/filter', type: 'application/json' };
    assert.deepEqual(await door.post('filter', {}, signal), wanted);
    door.close();
  });

  it('tells of another code than 200 as upstream does', async () => {
    await using server = await served((_, response) => response.writeHead(503).end('no'));
    const door = openExtenderDoor({ ...server, timeoutMs: 5_000, tls }, systemClock);
    await assert.rejects(door.post('filter', {}, signal), (error) => {
      assert.ok(error instanceof ExtenderError);
      const url = `${server.urlPrefix}filter`;
      assert.equal(error.message, `failed filter with extender at URL ${url}, code 503`);
      return true;
    });
    door.close();
  });

  it('tells nobody the password of its URL, which it sends', async () => {
    await using server = await served((request, response) =>
      response.writeHead(request.headers.authorization === 'Basic dXNlcjpzZWNyZXQ=' ? 503 : 401).end(),
    );
    const urlPrefix = server.urlPrefix.replace('//', '//user:secret@');
    const door = openExtenderDoor({ urlPrefix, timeoutMs: 5_000, tls }, systemClock);
    const url = `${server.urlPrefix.replace('//', '//user:xxxxx@')}filter`;
    const message = `failed filter with extender at URL ${url}, code 503`;
    await assert.rejects(door.post('filter', {}, signal), { message });
    door.close();
  });

  it('waits as long as it is told to and no longer, by its clock', async () => {
    const asked = Promise.withResolvers<void>();
    await using server = await served(() => asked.resolve());
    const clock = new FakeClock();
    const door = openExtenderDoor({ ...server, timeoutMs: 3_000, tls }, clock);
    const answer = door.post('bind', {}, signal);
    const refused = assert.rejects(answer, /^ExtenderError: Post "http.*\/bind": no answer within 3000 ms$/);
    await asked.promise;
    clock.advance(3_000);
    await refused;
    door.close();
  });

  it('takes no answer that never ends, nor one that is no JSON', async () => {
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    await using endless = await served((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      more();
    });
    const door = openExtenderDoor({ ...endless, timeoutMs: 60_000, tls }, systemClock);
    const bound = new RegExp(`longer than ${limits.extenderAnswerBytesMax} bytes`);
    await assert.rejects(door.post('filter', {}, signal), bound);
    door.close();
    await using odd = await served((_, response) => response.end('<html>'));
    const other = openExtenderDoor({ ...odd, timeoutMs: 5_000, tls }, systemClock);
    await assert.rejects(other.post('filter', {}, signal), ExtenderError);
    other.close();
  });

  it('ends with who asks', async () => {
    const asked = Promise.withResolvers<void>();
    await using server = await served(() => asked.resolve());
    const door = openExtenderDoor({ ...server, timeoutMs: 60_000, tls }, systemClock);
    const controller = new AbortController();
    const answer = door.post('filter', {}, controller.signal);
    await asked.promise;
    controller.abort(new Error('enough'));
    await assert.rejects(answer, /^Error: enough$/);
    door.close();
  });

  it('knows an extender by its authority, and shows who it is itself', async () => {
    const authority = await TestAuthority.create('extenders');
    const stranger = await TestAuthority.create('strangers');
    const serving = await authority.issue({ name: 'extender', hosts: ['127.0.0.1', 'extender.example'] });
    const client = await authority.issue({ name: 'scheduler' });
    const options = { ...serving, ca: authority.cert, requestCert: true, rejectUnauthorized: true };
    await using server = await served((_, response) => response.end('{}'), options);
    const ask = async (given: Partial<ExtenderTls>) => {
      const all = { isInsecure: false, ca: authority.cert, ...client, ...given };
      const door = openExtenderDoor({ ...server, timeoutMs: 5_000, tls: all }, systemClock);
      try {
        return await door.post('filter', {}, signal);
      } finally {
        door.close();
      }
    };
    assert.deepEqual(await ask({}), {});
    assert.deepEqual(await ask({ serverName: 'extender.example' }), {});
    await assert.rejects(ask({ serverName: 'other.example' }), /other\.example/);
    await assert.rejects(ask({ ca: stranger.cert }), ExtenderError);
    assert.deepEqual(await ask({ ca: undefined, isInsecure: true }), {});
    await assert.rejects(ask({ cert: undefined, key: undefined }), ExtenderError);
  });
});
