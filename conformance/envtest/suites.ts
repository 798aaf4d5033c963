import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const controllerRuntime = 'sigs.k8s.io/controller-runtime';

/** controller-runtime as its module holds it, and a copy of it in which its suites run: some write into their folders. */
export class Suites {
  readonly #module: string;
  readonly #copy: string;

  private constructor(module: string, copy: string) {
    this.#module = module;
    this.#copy = copy;
  }

  static async prepare(): Promise<Suites> {
    const where = { cwd: import.meta.dirname };
    await run('go', ['mod', 'download', controllerRuntime], where);
    const { stdout } = await run('go', ['list', '-m', '-f', '{{.Dir}}', controllerRuntime], where);
    const module = stdout.trim();
    const copy = await mkdtemp(join(tmpdir(), 'wherry-controller-runtime-'));
    await cp(module, copy, { recursive: true });
    // Modules are kept read-only, and no file of theirs is a program.
    await run('chmod', ['-R', 'u+w', copy]);
    const scripts = globSync(join(copy, 'pkg/internal/testing/*/testdata/*.sh'));
    await Promise.all(scripts.map((path) => chmod(path, 0o755)));
    return new Suites(module, copy);
  }

  /** The folder of a package, in which its suite runs. */
  folderOf(name: string): string {
    return join(this.#copy, name);
  }

  /** Builds the suite of a package, with the versions that controller-runtime itself pins. The first time it compiles for minutes. */
  async build(name: string): Promise<string> {
    const folder = join(this.#copy, '.suites');
    await mkdir(folder, { recursive: true });
    const program = join(folder, name.replaceAll('/', '_'));
    const words = ['test', '-c', '-vet=off', '-o', program, `./${name}`];
    await run('go', words, { cwd: this.#module, maxBuffer: 16 << 20 });
    return program;
  }

  async close(): Promise<void> {
    await rm(this.#copy, { recursive: true, force: true });
  }
}
