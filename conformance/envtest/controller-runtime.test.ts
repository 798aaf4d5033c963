/**
 * controller-runtime's own suites, as they stand, on the programs of `wherry envtest`: those that start a control plane, and those of
 * what starts it.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { wherryEntry } from '../../e2e/node.ts';
import { knownFailures } from './known.ts';
import { surprises } from './outcome.ts';
import { play } from './play.ts';
import { Suites } from './suites.ts';

/** Packages, by the test of Go's that runs their specs. */
const packages = {
  'pkg/builder': 'TestBuilder',
  'pkg/cache': 'TestSource',
  'pkg/client': 'TestClient',
  'pkg/client/apiutil': 'TestSource',
  'pkg/cluster': 'TestSource',
  'pkg/controller': 'TestSource',
  'pkg/controller/controllerutil': 'TestControllerutil',
  'pkg/envtest': 'TestSource',
  'pkg/handler': 'TestEventhandler',
  'pkg/internal/controller': 'TestSource',
  'pkg/internal/recorder': 'TestRecorder',
  'pkg/internal/testing/controlplane': 'TestIntegration',
  'pkg/internal/testing/process': 'TestInternal',
  'pkg/manager': 'TestSource',
  'pkg/manager/internal/integration': 'TestManager',
  'pkg/metrics/filters': 'TestSource',
  'pkg/reconcile': 'TestReconcile',
  'pkg/source': 'TestSource',
  'pkg/webhook': 'TestSource',
} as const;

let folder: string;
let assets: string;
let suites: Suites;

before(
  async () => {
    folder = await mkdtemp(join(tmpdir(), 'wherry-envtest-'));
    assets = join(folder, 'bin');
    await promisify(execFile)(process.execPath, [wherryEntry, 'envtest', '--out', assets]);
    suites = await Suites.prepare();
  },
  { timeout: 300_000 },
);
after(async () => {
  await suites?.close();
  await rm(folder, { recursive: true, force: true });
});

for (const [name, runner] of Object.entries(packages))
  test(name, { timeout: 1_800_000 }, async (context) => {
    const program = await suites.build(name);
    const suite = { program, cwd: suites.folderOf(name), runner };
    const known = knownFailures[name] ?? {};
    let played = await play(suite, { assets, folder });
    // Some of its specs are in a hurry: what differs has a second chance.
    if (isSurprising(surprises(played.outcome, known))) played = await play(suite, { assets, folder });
    const { outcome, said } = played;
    const found = surprises(outcome, known);
    if (isSurprising(found)) console.log(said.slice(-20_000));
    assert.deepEqual(found, { unknown: [], gone: [] });
    assert.ok(outcome.passed.length > 0, `nothing has run:\n${said}`);
    context.diagnostic(`${outcome.passed.length} passed`);
  });

const isSurprising = (found: ReturnType<typeof surprises>) =>
  Object.values(found).some(({ length }) => length > 0);
