import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { eventually, type TestNode } from './node.ts';

/** Ends a node's kubelet and starts one with another configuration and flags in its place, on the same port. */
export async function replaceKubelet(
  node: TestNode,
  changes: object,
  flags: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> {
  const { endpoints, processes } = await node.status();
  const pid = processes.find(({ role }) => role === 'kubelet')?.pid ?? 0;
  const port = Number(new URL(endpoints.kubelet).port);
  const [program = '', ...words] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  const flag = words.find((word) => word.startsWith('--config=')) ?? '';
  const configuration = parse(readFileSync(flag.replace('--config=', ''), 'utf8'));
  const changed = join(node.dataDir, 'changed-kubelet.yaml');
  writeFileSync(changed, stringify({ ...configuration, port, ...changes }));
  process.kill(pid, 'SIGKILL');
  const log = openSync(join(node.dataDir, 'changed-kubelet.log'), 'a');
  const given = new Map(Object.entries({ ...flags, config: changed }));
  const own = words.map((word) => {
    const name = /^--([^=]+)=/.exec(word)?.[1] ?? '';
    const value = given.get(name);
    return value === undefined ? word : `--${name}=${value}`;
  });
  const isOwn = (name: string) => words.some((word) => word.startsWith(`--${name}=`));
  const more = [...given].filter(([name]) => !isOwn(name)).map(([name, value]) => `--${name}=${value}`);
  await eventually('the port is free', () => isClosed(port));
  const child = spawn(program, [...own, ...more], { stdio: ['ignore', log, log] });
  await eventually('the kubelet listens', async () => !(await isClosed(port)));
  return child;
}

function isClosed(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });
}
