/** Virtual Kubelet's end-to-end suite, by the program that its own mock provider is judged with (internal/test/e2e). */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { folderOfModule, sourceOf } from '../peers/go-sources.ts';

const run = promisify(execFile);
const module = 'github.com/virtual-kubelet/virtual-kubelet';
const version = 'v1.14.1';
const bin = join(import.meta.dirname, '../bin');

/** What the kubelet tells of pods whose secrets and maps may be missing, and are: that they start. */
const kubeletReasons = (text: string) =>
  text
    .replace('= "OptionalConfigMapNotFound"', '= "Started"')
    .replace('= "OptionalSecretNotFound"', '= "Started"');

/** It waits for two minutes, which is said nowhere else. */
const impatient = (text: string) => text.replace('= 2 * time.Minute', '= 10 * time.Second');

const nameOf = (what: string) => `virtual-kubelet-${what}`;

/** Compiles it in its own folder, so that what it is built with are the versions that it pins: minutes, the first time. */
async function compile(folder: string, program: string): Promise<string> {
  const binary = join(bin, program);
  const env = { ...process.env, GOFLAGS: `${process.env['GOFLAGS'] ?? ''} -mod=readonly`.trim() };
  const words = ['test', '-c', '-tags=e2e', '-vet=off', '-o', binary, './internal/test/e2e'];
  await run('go', words, { cwd: folder, env, maxBuffer: 16 << 20 });
  return binary;
}

/** As it stands. */
export const buildSuite = async () => compile(await folderOfModule(module, version), nameOf('suite'));

/** As it stands, but that no wait is longer than ten seconds: for tests that wait for what does not come. */
export const buildImpatient = async () => {
  const changed = { 'test/e2e/suite.go': impatient };
  return compile(await sourceOf(nameOf('impatient'), { module, version, changed }), nameOf('impatient'));
};

/** It waits for the reasons of the kubelet's events in place of Virtual Kubelet's, and else stands as it is. */
export const buildWithKubeletReasons = async () => {
  const changed = { 'internal/podutils/env.go': kubeletReasons };
  return compile(
    await sourceOf(nameOf('kubelet-reasons'), { module, version, changed }),
    nameOf('kubelet-reasons'),
  );
};
