/**
 * Kubernetes' own integration tests, as they stand, against our API server: where they start one in their own process they
 * are given ours, with the same flags, on an etcd. Upstream's controllers, which some of them run, work with it.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { wherryEntry } from '../../e2e/node.ts';
import { readGoTests, surprises } from '../envtest/outcome.ts';
import { etcdFlags, etcdProgram } from '../upstream/etcd.ts';
import { buildTests, folderOf, prepareCopy } from './kubernetes-copy.ts';
import { packages } from './packages.ts';

const etcdPort = 23_910;

describe("Kubernetes' integration tests, on our API server", { concurrency: false }, () => {
  let folder: string;
  let etcd: ChildProcess;
  before(
    async () => {
      folder = await mkdtemp(join(tmpdir(), 'wherry-integration-'));
      etcd = spawn(etcdProgram(), etcdFlags(join(folder, 'etcd'), etcdPort), { stdio: 'ignore' });
      await prepareCopy();
    },
    { timeout: 300_000 },
  );
  after(async () => {
    if (etcd?.exitCode === null && etcd.kill()) await once(etcd, 'exit');
    await rm(folder, { recursive: true, force: true });
  });

  for (const { name, passed, known = {} } of packages)
    it(name, { timeout: 3_600_000 }, async () => {
      const program = await buildTests(name);
      const env = {
        ...process.env,
        APISERVER_COMMAND: `${process.execPath} ${wherryEntry} apiserver`,
        KUBE_INTEGRATION_ETCD_URL: `http://127.0.0.1:${etcdPort}`,
        TMPDIR: folder,
      };
      const words = ['-test.v', '-test.timeout=20m'];
      const said = await new Promise<string>((resolve) => {
        const options = { cwd: folderOf(name), env, maxBuffer: 256 << 20 };
        execFile(program, words, options, (_, stdout, stderr) => resolve(`${stderr}\n${stdout}`));
      });
      const outcome = readGoTests(said);
      const found = surprises(outcome, known);
      if (Object.values(found).some(({ length }) => length > 0)) console.log(said.slice(-40_000));
      assert.deepEqual(found, { unknown: [], gone: [] });
      assert.equal(outcome.passed.length, passed, 'so many pass');
    });
});
