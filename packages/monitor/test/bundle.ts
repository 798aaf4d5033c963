import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OciProcess } from '@wherry/monitor-api';
import { needProgram } from '../../linux/test/needs.ts';

/** A folder for one test, gone afterwards. */
export function temporaryFolder(name: string): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), `wherry-${name}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

const applets = [
  'sh',
  'cat',
  'echo',
  'sleep',
  'stty',
  'dd',
  'seq',
  'head',
  'id',
  'true',
  'nc',
  'yes',
  'sha256sum',
  'kill',
  'wc',
  'tty',
];

/** Makes a root file system out of the machine's static busybox. */
export function makeRootfs(path: string): void {
  for (const folder of ['bin', 'proc', 'dev', 'tmp', 'sys', 'etc'])
    mkdirSync(join(path, folder), { recursive: true });
  needProgram('/bin/busybox', 'busybox-static');
  copyFileSync('/bin/busybox', join(path, 'bin/busybox'));
  for (const applet of applets) symlinkSync('busybox', join(path, 'bin', applet));
}

/** A process with root's usual rights inside a container. */
export function processOf(args: string[], more: Partial<OciProcess> = {}): OciProcess {
  const capabilities = ['CAP_CHOWN', 'CAP_KILL', 'CAP_SETUID', 'CAP_SETGID', 'CAP_DAC_OVERRIDE'];
  return {
    user: { uid: 0, gid: 0 },
    args,
    env: ['PATH=/bin'],
    cwd: '/',
    capabilities: { bounding: capabilities, effective: capabilities, permitted: capabilities },
    ...more,
  };
}

/** What differs between test containers. */
export interface BundleOptions {
  folder: string;
  rootfs: string;
  cgroupsPath: string;
  process: OciProcess;
  memoryLimitBytes?: number;
  /** Share the host's PID namespace. */
  hostPids?: boolean;
}

/** Writes a bundle with a config.json for the process. */
export function makeBundle(options: BundleOptions): string {
  mkdirSync(options.folder, { recursive: true });
  const mounts = [
    { destination: '/proc', type: 'proc', source: 'proc' },
    { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755'] },
    {
      destination: '/dev/pts',
      type: 'devpts',
      source: 'devpts',
      options: ['newinstance', 'ptmxmode=0666', 'mode=0620'],
    },
  ];
  const namespaces = ['mount', 'ipc', 'uts', 'network', ...(options.hostPids ? [] : ['pid'])];
  const config = {
    ociVersion: '1.0.2',
    process: options.process,
    root: { path: options.rootfs, readonly: false },
    hostname: 'test',
    mounts,
    linux: {
      namespaces: namespaces.map((type) => ({ type })),
      cgroupsPath: options.cgroupsPath,
      resources: options.memoryLimitBytes ? { memory: { limit: options.memoryLimitBytes } } : {},
    },
  };
  writeFileSync(join(options.folder, 'config.json'), JSON.stringify(config));
  return options.folder;
}
