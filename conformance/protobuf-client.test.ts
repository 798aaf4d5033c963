/** client-go, speaking nothing but protobuf, against our API server: what kubelets and controllers do all day. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, it } from 'node:test';
import { promisify } from 'node:util';
import { TestServer } from '../packages/apiserver/test/test-server.ts';
import { buildGoPeer } from './peers/go-peer.ts';

let server: TestServer;
let binary = '';
before(async () => {
  binary = await buildGoPeer('protobufclient');
  server = await TestServer.start();
});
after(() => server?.close());

it('client-go lists, watches, writes and reads metadata in protobuf', async () => {
  const { stdout } = await promisify(execFile)(binary, [server.kubeconfig]).catch(
    (error: { stdout: string }) => {
      throw new Error(`the client failed:\n${error.stdout}`);
    },
  );
  assert.deepEqual(stdout.trim().split('\n'), [
    'list 0 true',
    'created "ünï-code" [0 1 255] uid true',
    'event ADDED ünï-code',
    'event MODIFIED second',
    'stale update: Operation cannot be fulfilled on configmaps "m": the object has been modified; please apply your changes to the latest version and try again',
    'event DELETED',
    'get: configmaps "m" not found',
    'metadata protobuf-',
  ]);
});
