import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPage } from '../../packages/console/src/page-files/build-page.ts';
import type { Member } from './workspace.ts';

/** Puts the page of a package, built, into `stage/page`. Its sources stay at home: a browser is given nothing of them. */
export async function shipPage(root: string, stage: string, { folder, manifest }: Member): Promise<void> {
  const { bundledPage } = manifest;
  if (bundledPage === undefined) return;
  mkdirSync(join(stage, 'page'));
  for (const [name, content] of await buildPage(join(root, folder, bundledPage)))
    writeFileSync(join(stage, 'page', name), content);
}

/** Whether a folder holds sources of a page. */
export function isOfPage({ folder, manifest: { bundledPage } }: Member, path: string): boolean {
  return bundledPage !== undefined && `${path}/`.includes(`/${join(folder, bundledPage)}/`);
}
