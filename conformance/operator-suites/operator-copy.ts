import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { wherryEntry } from '../../e2e/node.ts';
import type { Operator, PinnedModule } from './operators.ts';

const run = promisify(execFile);

/** An operator's module in a folder of its own, in which its suites are built and run: modules are kept read-only. */
export class OperatorCopy implements AsyncDisposable {
  readonly #folder: string;
  readonly #tags: string;

  private constructor(folder: string, tags: string) {
    this.#folder = folder;
    this.#tags = tags;
  }

  /** Throws where the proxy has another module than a pinned one. */
  static async make({ module, inner = {}, kustomized = {}, tags = '' }: Operator): Promise<OperatorCopy> {
    const folder = await mkdtemp(join(tmpdir(), 'wherry-operator-'));
    for (const [name, pinned] of Object.entries({ '.': module, ...inner })) {
      await cp(join(await download(pinned), pinned.part ?? ''), join(folder, name), { recursive: true });
      await run('chmod', ['-R', 'u+w', folder]);
    }
    for (const [name, from] of Object.entries(kustomized)) {
      const words = [wherryEntry, 'kustomize', join(folder, from)];
      const { stdout } = await run(process.execPath, words, { maxBuffer: 16 << 20 });
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), stdout);
    }
    return new OperatorCopy(folder, tags);
  }

  /** Where the package of a suite is, from which it finds its definitions. */
  folderOf(name: string): string {
    return join(this.#folder, name);
  }

  /** Builds a suite with the versions that its operator pins, and answers its path. The first time it compiles for minutes. */
  async build(name: string): Promise<string> {
    const program = join(this.#folder, name, 'suite.test');
    const env = { ...process.env, CGO_ENABLED: '0' };
    const words = ['test', '-c', '-vet=off', '-tags', this.#tags, '-o', program, `./${name}`];
    await run('go', words, { cwd: this.#folder, env, maxBuffer: 16 << 20 });
    return program;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function download({ path, version, sum }: PinnedModule): Promise<string> {
  // Outside of any module, so that none of this project's says another version.
  const { stdout } = await run('go', ['mod', 'download', '-json', `${path}@${version}`], { cwd: tmpdir() });
  const { Dir, Sum } = JSON.parse(stdout) as { Dir: string; Sum: string };
  if (Sum !== sum) throw new Error(`${path} ${version} is ${Sum}, and not ${sum} as when it was pinned`);
  return Dir;
}
