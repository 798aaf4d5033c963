import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { areBuilt } from '../peers/are-built.ts';

const moduleFolder = dirname(import.meta.dirname);
/** Judges of container runtimes are of a later release than the Kubernetes that everything else is judged by. */
const criToolsFolder = join(moduleFolder, 'critools');
const run = promisify(execFile);

/** The module of both judges; its version is pinned in critools/go.mod. */
const judgesModule = 'sigs.k8s.io/cri-tools';

/** Builds crictl and answers its path. */
export async function buildCrictl(): Promise<string> {
  const binary = join(moduleFolder, 'bin', 'crictl');
  await run('go', ['build', '-o', binary, `${judgesModule}/cmd/crictl`], { cwd: criToolsFolder });
  return binary;
}

/** Builds critest and answers its path. */
export async function buildCritest(): Promise<string> {
  const binary = join(moduleFolder, 'bin', 'critest');
  if (!areBuilt)
    await run('go', ['test', '-c', '-o', binary, `${judgesModule}/cmd/critest`], { cwd: criToolsFolder });
  return binary;
}

/** Builds the static program of the NoNewPrivs image. */
export async function buildEffectiveUid(): Promise<string> {
  const binary = join(moduleFolder, 'bin', 'effectiveuid');
  const env = { ...process.env, CGO_ENABLED: '0' };
  if (!areBuilt)
    await run('go', ['build', '-ldflags=-s -w', '-o', binary, './effectiveuid'], { cwd: moduleFolder, env });
  return binary;
}

/** The hosts that critest's image names begin with, read from its source: they are sent to our own registry. */
export async function critestImageHosts(): Promise<string[]> {
  // `go list -m` knows no folder of a module that nothing has needed yet.
  const download = await run('go', ['mod', 'download', '-json', judgesModule], {
    cwd: criToolsFolder,
  });
  const { Dir: folder } = JSON.parse(download.stdout) as { Dir: string };
  const sources = await Promise.all(
    ['pkg/framework/test_context.go', 'pkg/validate/consts.go', 'pkg/validate/consts_linux.go'].map((name) =>
      readFile(join(folder, name), 'utf8'),
    ),
  );
  const names = sources.flatMap((source) => [
    ...source.matchAll(/"([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?:\/[^"\s]*)?"/g),
  ]);
  return [...new Set(names.map(([, host]) => host ?? '').filter((host) => /\.(io|dev|com)$/.test(host)))];
}
