/** What stands where the scripts look for programs that they would build: _output/bin of the tree. */
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { wherryEntry } from '../../e2e/node.ts';

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
const wherry = [process.execPath, wherryEntry].map(quoted).join(' ');

/** Our API server under the flags that kube-apiserver is given there. It stores in a folder instead of etcd, and has one form to store in. */
const apiServer = `#!/usr/bin/env bash
words=()
for word in "$@"; do
  case $word in
  --storage-media-type= | --etcd-servers=*) ;;
  *) words+=("$word") ;;
  esac
done
exec ${wherry} apiserver --data-dir "$STORE_FOLDER" "\${words[@]}"
`;

/** Our controllers but for the scheduler, in kube-controller-manager's place, whose port is there without a flag. */
const controllers = `#!/usr/bin/env bash
words=()
for word in "$@"; do
  case $word in
  --kube-api-content-type=) ;;
  *) words+=("$word") ;;
  esac
done
exec ${wherry} controllers '--controllers=*,-kube-scheduler' --secure-port "$SECURE_CTLRMGR_PORT" \\
  --root-ca-file "$TMPDIR/apiserver.crt" \\
  --tls-cert-file "$TMPDIR/apiserver.crt" --tls-private-key-file "$TMPDIR/apiserver.key" "\${words[@]}"
`;

/** wherry in kubectl's place. */
const client = `#!/usr/bin/env bash
exec ${wherry} "$@"
`;

/** Puts them there. `kubectl` is the program that is judged beside the servers; without it `wherry` is. */
export async function placePrograms(
  root: string,
  { kubectl, convert }: { kubectl?: string | undefined; convert: string },
): Promise<void> {
  const folder = join(root, '_output/bin');
  await mkdir(folder, { recursive: true });
  const place = (name: string, text: string) => writeFile(join(folder, name), text, { mode: 0o755 });
  await place('kube-apiserver', apiServer);
  await place('kube-controller-manager', controllers);
  await copyFile(convert, join(folder, 'kubectl-convert'));
  if (kubectl === undefined) await place('kubectl', client);
  else await copyFile(kubectl, join(folder, 'kubectl'));
}
