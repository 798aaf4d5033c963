import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import type { PersistentVolume } from '@wherry/kubeapi';
import { container, noDrivers, pod } from '../../../../test/builders.ts';
import { MountProgram } from '../../../../test/nfs-server.ts';
import { fileServerMs, nfsMountMs } from '../../../limits.ts';
import { persistentVolumeClaim } from '../plugins/persistent-volume-claim.ts';
import type { VolumeRequest } from '../volume-plugin.ts';
import { requireFileServer } from './file-server.ts';
import { NfsMounts } from './nfs-mounts.ts';

let folder = '';
let exported = '';
let target = '';
let program: MountProgram;
let mounts: NfsMounts;
const { signal } = new AbortController();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nfs-'));
  exported = join(folder, 'exported');
  mkdirSync(exported);
  writeFileSync(join(exported, 'file'), 'of the server');
  target = join(folder, 'pod/volumes/kubernetes.io~nfs/data');
  program = new MountProgram();
  // Of a clock that stands: however slow the machine is, no program is given up.
  mounts = new NfsMounts({ clock: new FakeClock(), mountProgram: program.path });
});
afterEach(async () => {
  await mounts.release(join(folder, 'pod'));
  program[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

const isMounted = () => readFileSync('/proc/self/mountinfo', 'utf8').includes(target);

/** Until the program was called so often. */
async function called(times: number): Promise<void> {
  while (program.calls.length < times) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('a folder of an NFS server', () => {
  it('is mounted once, by the machine’s mount, and gone when it is released', async () => {
    const source = { server: 'files.example', path: exported };
    const ready = await mounts.mount(source, { target, options: [], signal });
    assert.deepEqual(ready, { hostPath: target, readOnly: false, isRemote: true });
    assert.equal(readFileSync(join(target, 'file'), 'utf8'), 'of the server');
    // Another kubelet, which knows of nothing.
    const next = new NfsMounts({ clock: new FakeClock(), mountProgram: program.path });
    assert.deepEqual(await next.mount(source, { target, options: [], signal }), ready);
    assert.deepEqual(program.calls, [`-t nfs -- files.example:${exported} ${target}`]);
    await next.release(join(folder, 'pod'));
    assert.deepEqual([isMounted(), readdirSync(target)], [false, []]);
    assert.deepEqual(readdirSync(exported), ['file'], 'what is the server’s stays');
  });

  it('is mounted with the options of its volume, read-only where that is asked for, by IPv6 too', async () => {
    const source = { server: 'fd00::7', path: exported, readOnly: true };
    const ready = await mounts.mount(source, { target, options: ['nfsvers=4.1', 'hard'], signal });
    assert.equal(ready.readOnly, true);
    assert.deepEqual(program.calls, [`-t nfs -o ro,nfsvers=4.1,hard -- [fd00::7]:${exported} ${target}`]);
  });

  it('that is refused says why in mount’s words', async () => {
    await assert.rejects(
      mounts.mount({ server: 'none', path: '/x' }, { target, options: [], signal }),
      /^Error: mount failed: exit status 32: mount\.nfs: access denied by server while mounting none:\/x$/,
    );
    const without = new NfsMounts({ clock: new FakeClock(), mountProgram: join(folder, 'no-mount') });
    await assert.rejects(
      without.mount({ server: 'files', path: '/x' }, { target, options: [], signal }),
      /no-mount can not be run: /,
    );
  });

  it('of a claim has its volume’s options, and is read-only where either says so', async () => {
    const spec = { nfs: { server: 'files.example', path: exported }, mountOptions: ['vers=4'] };
    const request = {
      ...{ pod: pod({ containers: [container('a')] }), name: 'data', gid: 4242 },
      source: { claimName: 'c', readOnly: true },
      roots: { content: target, notes: join(folder, 'notes') },
      sources: { claimedVolume: async () => ({ metadata: { name: 'v' }, spec }) as PersistentVolume, signal },
      host: {
        memoryBytes: () => 0,
        notedMemory() {},
        clock: new FakeClock(),
        warn() {},
        csi: noDrivers,
        nfs: mounts,
      },
    };
    const ready = await persistentVolumeClaim.setUp(
      request as unknown as VolumeRequest<{ claimName: string }>,
    );
    assert.deepEqual(ready, {
      hostPath: target,
      readOnly: true,
      isRemote: true,
      broughtBy: 'kubernetes.io/nfs',
    });
    assert.deepEqual(program.calls, [`-t nfs -o ro,vers=4 -- files.example:${exported} ${target}`]);
  });
});

describe('a server that does not answer', () => {
  const hung = { server: 'hung', path: '/x' };

  it('is waited for by one program, whoever asks, and by nobody who gave up', async () => {
    const impatient = new AbortController();
    const first = mounts.mount(hung, { target, options: [], signal: impatient.signal });
    await called(1);
    impatient.abort(new Error('the pod waits no longer'));
    await assert.rejects(first, /waits no longer/);
    const second = mounts.mount(hung, { target, options: [], signal });
    const refused = assert.rejects(second, /was ended, since its pod is gone$/);
    const other = join(folder, 'pod/volumes/kubernetes.io~nfs/other');
    await mounts.mount({ server: 'files', path: exported }, { target: other, options: [], signal });
    assert.equal(program.calls.filter((call) => call.includes('hung')).length, 1);
    await mounts.release(join(folder, 'pod'));
    await refused;
  });

  it('is not asked for a pod that has gone before that could begin', async () => {
    const gone = new AbortController();
    const mounting = mounts.mount(hung, { target, options: [], signal: gone.signal });
    gone.abort(new Error('the pod is gone'));
    await assert.rejects(mounting, /the pod is gone/);
    assert.deepEqual(program.calls, []);
  });

  it('is given up after its time', async () => {
    const clock = new FakeClock();
    const patient = new NfsMounts({ clock, mountProgram: program.path });
    const refused = assert.rejects(
      patient.mount(hung, { target, options: [], signal }),
      /did not end within 150 s$/,
    );
    await called(1);
    await clock.advanceAsync(nfsMountMs);
    await refused;
  });

  it('is found out by a program before anybody looks into the volume', async () => {
    const clock = new FakeClock();
    await requireFileServer(exported, clock);
    const refused = assert.rejects(requireFileServer(exported, clock), /file server of the volume does not/);
    clock.advance(fileServerMs);
    await refused;
  });
});
