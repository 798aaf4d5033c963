import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createPlain } from 'node:net';
import { describe, it } from 'node:test';
import { connect } from 'node:tls';
import { TestAuthority } from '../../test/pki.ts';
import { dialFailure } from './dial-failure.ts';

describe('why a server is not reached is told in the words of Go', () => {
  const failing = async (options: object): Promise<string> => {
    const socket = connect({ host: '127.0.0.1', ...options });
    const [error] = await once(socket, 'error');
    return dialFailure(error);
  };

  it('where nobody listens', async () => {
    const server = createPlain().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    assert.equal(await failing({ port }), `dial tcp 127.0.0.1:${port}: connect: connection refused`);
  });

  it('where its certificate is another’s, of another name, or over', async () => {
    const authority = await TestAuthority.create('authority');
    const serve = async (subject: object) => {
      const server = createServer(await authority.issue({ name: 'a', hosts: ['a.example.com'], ...subject }));
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    };
    const server = await serve({});
    const over = await serve({ lifetimeMs: -1_000 });
    const invalid = 'tls: failed to verify certificate: x509: ';
    try {
      const { port } = server.address() as AddressInfo;
      const named = (servername: string) => failing({ port, servername, ca: authority.cert });
      assert.equal(
        await failing({ port, servername: 'a.example.com' }),
        `${invalid}certificate signed by unknown authority`,
      );
      assert.equal(
        await named('b.example.com'),
        `${invalid}certificate is valid for a.example.com, not b.example.com`,
      );
      assert.equal(
        await failing({ port, ca: authority.cert }),
        `${invalid}cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs`,
      );
      const late = {
        port: (over.address() as AddressInfo).port,
        servername: 'a.example.com',
        ca: authority.cert,
      };
      assert.equal(await failing(late), `${invalid}certificate has expired or is not yet valid`);
    } finally {
      for (const each of [server, over]) each.close();
    }
  });

  it('and where that is unknown in its own', () => {
    assert.equal(dialFailure(new Error('socket hang up')), 'socket hang up');
  });
});
