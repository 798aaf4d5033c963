import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const etcd = '/usr/bin/etcd';

/** The program etcd of Debian, installed when it is missing: upstream's API server stores in it. */
export function etcdProgram(): string {
  if (!existsSync(etcd)) {
    console.error('installing etcd-server: the API server under test stores in it');
    execFileSync('apt-get', ['install', '-y', '-qq', 'etcd-server'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  return etcd;
}

/** Flags of an etcd of one test: it listens on two ports of loopback and spares the disk. */
export const etcdFlags = (folder: string, port: number) => [
  `--data-dir=${folder}`,
  `--listen-client-urls=http://127.0.0.1:${port}`,
  `--advertise-client-urls=http://127.0.0.1:${port}`,
  `--listen-peer-urls=http://127.0.0.1:${port + 10}`,
  '--unsafe-no-fsync',
];
