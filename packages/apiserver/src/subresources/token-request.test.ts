import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { TestServer } from '../../test/test-server.ts';
import { periods } from '../limits.ts';

const namespace = '/api/v1/namespaces/default';
const year = 365 * 24 * 3600;

/** Starts a server with a service account and a pod of it; gives back what asks for tokens. */
async function startServer(options: Parameters<typeof TestServer.start>[0] = {}) {
  const server = await TestServer.start(options);
  for (const name of ['default', 'robot']) {
    await server.request('POST', `${namespace}/serviceaccounts`, { body: { metadata: { name } } });
  }
  const spec = { serviceAccountName: 'robot', containers: [{ name: 'main', image: 'busybox' }] };
  const { body: pod } = await server.request('POST', `${namespace}/pods`, {
    body: { metadata: { name: 'p' }, spec },
  });
  const boundObjectRef = { kind: 'Pod', name: 'p', uid: pod.metadata.uid };
  /** Lifetime in seconds and `warnafter` of the token, and what the answer says of both. */
  const ask = async (asked: object) => {
    const path = `${namespace}/serviceaccounts/robot/token`;
    const { body, status, text } = await server.request('POST', path, { body: { spec: asked } });
    assert.equal(status, 201, text);
    const claims = JSON.parse(Buffer.from(body.status.token.split('.')[1], 'base64url').toString());
    const warnAfter = claims['kubernetes.io'].warnafter;
    return {
      lifetime: claims.exp - claims.iat,
      warnAfter: warnAfter === undefined ? undefined : warnAfter - claims.iat,
      told: Math.round((Date.parse(body.status.expirationTimestamp) - claims.iat * 1000) / 1000),
      asked: body.spec.expirationSeconds,
    };
  };
  return { server, ask, boundObjectRef };
}

describe('a token that admission puts into a pod', () => {
  it('lives a year and tells when it should have been renewed', async () => {
    const { server, ask, boundObjectRef } = await startServer();
    try {
      const issuer = 'https://kubernetes.default.svc.cluster.local';
      for (const audiences of [undefined, [issuer]]) {
        const { told, ...found } = await ask({ expirationSeconds: 3607, boundObjectRef, audiences });
        assert.deepEqual(found, { lifetime: year, warnAfter: 3607, asked: 3607 });
        assert.ok(Math.abs(told - 3607) <= 1, String(told));
      }
    } finally {
      await server.close();
    }
  });

  it('and no other lives longer than it was asked to', async () => {
    const { server, ask, boundObjectRef } = await startServer();
    try {
      const issuer = 'https://kubernetes.default.svc.cluster.local';
      const others = [
        { expirationSeconds: 3607 },
        { expirationSeconds: 3607, boundObjectRef, audiences: ['vault'] },
        { expirationSeconds: 3607, boundObjectRef, audiences: [issuer, 'vault'] },
        { expirationSeconds: 3606, boundObjectRef },
        { expirationSeconds: 7200, boundObjectRef },
      ];
      for (const asked of others) {
        const { lifetime, warnAfter } = await ask(asked);
        assert.deepEqual([lifetime, warnAfter], [asked.expirationSeconds, undefined], JSON.stringify(asked));
      }
    } finally {
      await server.close();
    }
  });

  it('lives as long as it was asked to where the server is told so', async () => {
    const { server, ask, boundObjectRef } = await startServer({ serviceAccountExtendTokenExpiration: false });
    try {
      const { lifetime, warnAfter } = await ask({ expirationSeconds: 3607, boundObjectRef });
      assert.deepEqual([lifetime, warnAfter], [3607, undefined]);
    } finally {
      await server.close();
    }
  });
});

it('a token lives no longer than the server’s longest, and who asked for more is told', async () => {
  const dayMs = 24 * 3_600_000;
  const { server, ask } = await startServer({ serviceAccountMaxTokenExpirationMs: dayMs });
  try {
    const { lifetime, asked } = await ask({ expirationSeconds: 7 * 86_400 });
    assert.deepEqual([lifetime, asked], [86_400, 86_400]);
    const path = `${namespace}/serviceaccounts/robot/token`;
    const body = { spec: { expirationSeconds: 604_800 } };
    const { headers } = await server.request('POST', path, { body });
    assert.match(
      String(headers['warning']),
      /requested expiration of 604800 seconds shortened to 86400 seconds/,
    );
    assert.equal((await ask({ expirationSeconds: 3_600 })).lifetime, 3_600);
  } finally {
    await server.close();
  }
  await assert.rejects(
    startServer({ serviceAccountMaxTokenExpirationMs: 60_000 }),
    /between 1 hour and 2\^32/,
  );
});

it('a token is asked for of the account that the path names, or of none by name', async () => {
  const { server } = await startServer();
  try {
    const ask = async (metadata: object) => {
      const path = `${namespace}/serviceaccounts/robot/token`;
      const { status, body } = await server.request('POST', path, { body: { metadata, spec: {} } });
      return [status, body.message];
    };
    assert.deepEqual(await ask({ name: 'other' }), [
      422,
      'TokenRequest.authentication.k8s.io "robot" is invalid: metadata.name: Invalid value: "other": must match the service account name if specified',
    ]);
    assert.equal((await ask({ namespace: 'other' }))[0], 400);
    assert.equal((await ask({ name: 'robot', namespace: 'default' }))[0], 201);
  } finally {
    await server.close();
  }
});

describe('a token of what is deleted', () => {
  it('is good for a minute longer, however long a finalizer keeps its pod, account or secret', async () => {
    const clock = new FakeClock({ nowMs: Date.now() });
    const { server, boundObjectRef } = await startServer({ clock });
    try {
      const finalizers = ['example.com/kept'];
      const body = { metadata: { name: 's', finalizers } };
      const { body: secret } = await server.request('POST', `${namespace}/secrets`, { body });
      const keep = (path: string) =>
        server.request('PATCH', path, {
          type: 'application/merge-patch+json',
          body: { metadata: { finalizers } },
        });
      for (const [path, bound] of [
        [`${namespace}/pods/p`, boundObjectRef],
        [`${namespace}/secrets/s`, { kind: 'Secret', name: 's', uid: secret.metadata.uid }],
        [`${namespace}/serviceaccounts/robot`, undefined],
      ] as const) {
        const { body: made } = await server.request('POST', `${namespace}/serviceaccounts/robot/token`, {
          body: { spec: { boundObjectRef: bound } },
        });
        const use = async () =>
          (await server.request('GET', '/version', { token: made.status.token, as: null })).status;
        assert.equal((await keep(path)).status, 200, path);
        await server.request('DELETE', path, { body: { gracePeriodSeconds: 0 } });
        clock.advance(59_000);
        assert.equal(await use(), 200, path);
        clock.advance(periods.tokenRecheckMs);
        assert.equal(await use(), 401, path);
        assert.notEqual((await server.request('GET', path)).body.metadata.deletionTimestamp, undefined);
      }
    } finally {
      await server.close();
    }
  });
});

it('a token that is asked for with the uid of another account of that name is refused', async () => {
  const { server } = await startServer();
  try {
    const { body: account } = await server.request('GET', `${namespace}/serviceaccounts/robot`);
    const ask = (uid: string) =>
      server.request('POST', `${namespace}/serviceaccounts/robot/token`, { body: { metadata: { uid } } });
    const { status, body } = await ask('other');
    assert.deepEqual([status, body.reason], [409, 'Conflict']);
    assert.match(
      body.message,
      /the UID in the token request \(other\) does not match the UID of the service/,
    );
    const { status: code, body: answered } = await ask(account.metadata.uid);
    assert.deepEqual([code, answered.metadata.uid], [201, account.metadata.uid]);
  } finally {
    await server.close();
  }
});
