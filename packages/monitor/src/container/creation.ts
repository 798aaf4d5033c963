import { mkdirSync, rmSync } from 'node:fs';
import type { ContainerLife } from './life.ts';
import { makeFifos } from './streams/stdio.ts';

/** Has the OCI runtime make (and, if so asked, start) a new container, record first. On failure nothing stays behind. */
export async function create(life: ContainerLife): Promise<void> {
  const { folder, request, keeping } = life;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    makeFifos(folder, request);
    keeping.makePipe();
    life.beforeLaunch();
    life.noted.save();
    await launch(life);
  } catch (error) {
    await undo(life);
    throw error;
  }
}

async function launch(life: ContainerLife): Promise<void> {
  const { request, oci, keeping } = life;
  const stdio = life.openStdio();
  const pid = await oci.launch(stdio, (launch) => {
    life.holdInput();
    return keeping.start(launch, request);
  });
  life.holdInput();
  stdio.begin();
  life.created(pid);
}

/** What cannot be undone now keeps its folder, for the next monitor to try again. */
export async function undo(life: ContainerLife): Promise<void> {
  const { dependencies, folder, oci, keeping, request } = life;
  life.letGo();
  await life.stdio?.close();
  try {
    await oci.delete(() => {});
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    const container = request.id;
    dependencies.logger.error('a container that failed could not be removed', { container, error });
  }
  keeping.end(null);
}
