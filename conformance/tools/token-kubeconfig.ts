import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestNode } from '../../e2e/node.ts';

/** Writes a kubeconfig into `folder` by which a service account shows its token, and answers its path. */
export async function tokenKubeconfig(node: TestNode, account: string, folder: string): Promise<string> {
  const view = ['config', 'view', '--raw', '--minify', '-o', 'json'];
  const config = JSON.parse(await node.kubectlOk(view));
  config.users[0].user = { token: await node.createToken(account) };
  const file = join(folder, account);
  writeFileSync(file, JSON.stringify(config));
  return file;
}
