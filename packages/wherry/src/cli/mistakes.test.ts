/** What people get wrong, and what they are told: what happened and what to do, never a stack. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { inProcess } from '../../test/in-process.ts';
import { startWrongServers, type WrongServers } from '../../test/wrong-servers.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-mistakes-'));
let servers: WrongServers;

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const kubeconfigOf = (server: string, more = '') => `
apiVersion: v1
kind: Config
current-context: x
clusters: [{name: c, cluster: {server: "${server}"${more}}}]
users: [{name: u, user: {token: t}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
`;

before(async () => {
  process.env['KUBECONFIG'] = join(folder, 'nowhere-to-be-found');
  servers = await startWrongServers(folder);
  file('closed', kubeconfigOf('https://127.0.0.1:1'));
  file('nowhere', kubeconfigOf('https://no-such-host.invalid'));
  file('strange', kubeconfigOf(servers.strange));
  file('mixed', kubeconfigOf(servers.plain.replace('http:', 'https:')));
  file('page', kubeconfigOf(servers.plain));
  for (const code of [401, 403, 500]) file(`${code}`, kubeconfigOf(`${servers.plain}/${code}`));
  file('broken', 'clusters: [\n');
  file('no-context', 'apiVersion: v1\nkind: Config\n');
  file('bad.yaml', 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n   labels: {}\n');
  file('no-kind.yaml', '# a comment\n\napiVersion: v1\nmetadata: {name: a}\n');
  file('no-metadata.yaml', 'apiVersion: v1\nkind: Pod\n');
  file('words.yaml', 'hello there\n');
  file('empty.yaml', '---\n---\n');
  const node = 'apiVersion: wherry/v1alpha1\nkind: Node\n';
  file('two.yaml', `${node}dataDir: ./a\n---\n${node}dataDir: ./b\n`);
  file('one-folder.yaml', `${node}dataDir: ./a\n---\n${node}dataDir: ./a\n`);
  file('number.yaml', `${node}nodes: 2\n`);
  file('one-name.yaml', `${node}name: a\nnodes: [{name: a}]\n`);
  file('api-port.yaml', `${node}nodes: [{name: b, ports: {api: 6443}}]\n`);
  mkdirSync(join(folder, 'manifests'));
});
after(() => {
  servers?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A command line, in which `@` is the folder of the test, and what it must say. */
const mistakes: readonly [line: string, says: RegExp][] = [
  // Words and flags.
  ['bogus', /^error: unknown command 'bogus'\n.*"wherry --help" lists the commands$/s],
  ['gte pods', /unknown command 'gte'\n\(Did you mean get\?\)/],
  ['start', /no command "start"; what you mean is: wherry up$/],
  ['images', /no command "images"; what you mean is: wherry image list$/],
  ['pull busybox', /what you mean is: wherry image pull IMAGE$/],
  ['top pods web -A', /a pod is named in one namespace; --all-namespaces takes no names/],
  ['create -k @ -f @', /only one of -f or -k can be specified/],
  ['create -k @ -R', /the -k flag can't be used with -f or -R/],
  [
    'create -k @',
    /unable to find one of 'kustomization\.yaml', 'kustomization\.yml' or 'Kustomization' in directory/,
  ],
  ['create -k https://example.com/x', /is on another machine/],
  [
    'wait --local -f @ --for=create',
    /^error: --local asks no server, and only a server tells what becomes of an object\nSee 'wherry wait -h'/,
  ],
  [
    'run a --image=b -f @',
    /^error: --filename is about files, of which run reads none, nor does kubectl run; /,
  ],
  ['run a --image=b -k @', /^error: --kustomize is about files, /],
  ['run a --image=b -R', /^error: --recursive is about files, /],
  ['wait -k @ --for=delete', /unknown shorthand flag: 'k' in -k/],
  ['events -k', /^error: unknown shorthand flag: 'k' in -k\n/],
  ['get pods --as=ann --as-user-extra=scopes', /--as-user-extra "scopes" is not of the form KEY=VALUE/],
  ['kuberc bogus', /^error: unknown command "bogus"\nSee 'wherry kuberc -h' for help and examples$/],
  ['kuberc set', /^error: required flag\(s\) "section" not set$/],
  ['kustomize @/none', /must build at directory/],
  [
    'kustomize --enable-helm @',
    /^error: --enable-helm runs programs of others, which is left to kubectl kustomize\n/,
  ],
  ['kustomize a b', /specify one path to a kustomization directory/],
  ['image bogus', /unknown command 'bogus'/],
  ['up --bogus', /^error: unknown option '--bogus'$/],
  ['up --detatch', /unknown option '--detatch'\n\(Did you mean --detach\?\)/],
  ['get pods --bogus', /^error: unknown flag: --bogus\nSee 'wherry get --help' for usage\.$/],
  ['get pods -z', /^error: unknown shorthand flag: 'z' in -z/],
  ['up --api-port x', /'--api-port <port>' argument 'x' is invalid\. expected a whole number/],
  ['up --api-port 70000', /'70000' is invalid\. a port is a number from 0 to 65535/],
  ['up --name Bad_Name', /'Bad_Name' is invalid\. a node name has lower-case letters/],
  ['up --ready-timeout soon', /'soon' is invalid\. expected a whole number/],
  ['service install --unit ../x', /'\.\.\/x' is invalid\. a unit name has letters, digits, "-" and "_"/],
  // Files of nodes.
  ['up --config @/none', /^error: the path ".*none" does not exist$/],
  ['up --config @/words.yaml', /words\.yaml:1: /],
  ['up --config @/empty.yaml', /empty\.yaml/],
  ['up --config @/two.yaml --name a', /^error: --name is about one node, and ".*two\.yaml" has 2$/],
  ['up --config @/one-folder.yaml', /one-folder\.yaml: two nodes live in ".*\/a"; each needs a dataDir/],
  ['up --config @/number.yaml', /number\.yaml:3: nodes/],
  ['up --config @/one-name.yaml', /one-name\.yaml:4: two nodes of the cluster are called "a"$/],
  ['up --config @/api-port.yaml', /nodes\[0\]\.ports\.api: the API server is that of the first node$/],
  ['up --data-dir', /option '--data-dir <dir>' argument missing/],
  ['status -o xml', /'xml' is invalid\. Allowed choices are json, yaml, kyaml, name, jsonpath=TEMPLATE/],
  ['status -o jsonpath', /template format specified but no template given/],
  [
    'get pods -o custom-columns=NAME',
    /unexpected custom-columns spec: NAME, expected <header>:<json-path-expr>/,
  ],
  ['get pods --request-timeout=abc', /Invalid timeout value\. Timeout must be/],
  ['exec p -it=maybe -- x', /invalid argument "maybe" for "-t, --tty" flag: neither true nor false/],
  ['completion tcsh', /Allowed choices are bash, zsh, fish/],
  // What is missing in a command line.
  ['get', /You must specify the type of resource; "wherry api-resources"/],
  ['delete', /You must specify the type of resource/],
  ['delete pod a --now --grace-period=5', /--now and --grace-period cannot be specified together/],
  ['delete pod a --force --grace-period=5', /--force and --grace-period greater than 0 cannot be/],
  ['delete pods --all -l a=b', /cannot set --all and --selector at the same time/],
  ['delete pod a -l a=b', /name cannot be provided when a selector is specified/],
  ['delete pod/a --all', /selectors and the all flag cannot be used when passing resource\/name arguments/],
  ['delete pod a -A', /a resource cannot be retrieved by name across all namespaces/],
  ['delete pods --all --field-selector a=b', /cannot set --all and --field-selector at the same time/],
  ['delete pod a --raw /x', /arguments may not be passed when --raw is specified/],
  ['delete --raw /x -i', /--interactive can not be used with --raw/],
  ['delete --raw /x --dry-run=server', /--raw and --dry-run are mutually exclusive/],
  ['delete pod a --cascade=foo', /invalid cascade value \(foo\)\. Must be "background", "foreground"/],
  ['delete -f x.yaml --all', /a file names its objects; it goes without --all/],
  ['events --types=normal,Loud', /valid --types are Normal or Warning/],
  ['rollout status --bogus', /unknown flag: --bogus\nSee 'wherry rollout status --help'/],
  ['rollout undo', /^error: required resource not specified$/],
  ['auth reconcile', /^error: must specify one of -f and -k$/],
  ['auth reconcile -f x.yaml --field-manager=me', /^error: unknown flag: --field-manager\nSee/],
  ['set nope x', /^error: unknown command "nope x"\nSee 'wherry set -h' for help and examples$/],
  ['rollout nope', /^error: unknown command "nope"\nSee 'wherry rollout -h' for help and examples$/],
  ['set --nope', /^error: unknown flag: --nope\nSee 'wherry set --help' for usage\.$/],
  [
    'certificate aprove a --context x',
    /unknown command "aprove" for "wherry certificate"\nSee 'wherry certificate -h'/,
  ],
  ['certificate --bogus', /unknown flag: --bogus\nSee 'wherry certificate -h'/],
  [
    'create secret nope x',
    /^error: unknown command "nope x"\nSee 'wherry create secret -h' for help and examples$/,
  ],
  ['create svc nope', /^error: unknown command "nope"\nSee 'wherry create service -h'/],
  ['rollout', /^Usage: wherry rollout COMMAND/],
  ['-n web create secret', /^Usage: wherry create secret COMMAND/],
  ['top nope', /^error: unknown command "nope"\nSee 'wherry top -h'/],
  ['get pods -n', /^error: flag needs an argument: --namespace\nSee 'wherry get --help' for usage\.$/],
  ['auth nope', /^error: unknown command "nope"\nSee 'wherry auth -h' for help and examples$/],
  ['apply', /must specify one of -f and -k\nSee 'wherry apply -h'/],
  ['apply pod.yaml', /apply takes no words; is it -f pod\.yaml\?/],
  ['create', /must specify one of -f and -k/],
  ['create pod web', /^error: Unexpected args: \[pod web\]\nSee 'wherry create -h'/],
  [
    'create cm x --dry-run=foo',
    /^error: Invalid dry-run value \(foo\)\. Must be "none", "server", or "client"\.$/,
  ],
  ['create deployment web', /^error: required flag\(s\) "image" not set$/],
  ['create namespace', /exactly one NAME is required, got 0\nSee 'wherry create namespace -h'/],
  ['get pods --raw /x', /arguments may not be passed when --raw is specified/],
  ['get pods --output-watch-events', /can only be used with --watch or --watch-only/],
  ['get pods --show-labels -o name', /--show-labels option cannot be used with name printer/],
  ['get --raw //x', /--raw must be a valid URL path: "\/\/x"/],
  ['create -f x.yaml --bogus', /unknown flag: --bogus/],
  ['run web', /^error: required flag\(s\) "image" not set$/],
  ['run --image=x', /NAME is required for run/],
  ['run web --image=x --rm', /--rm should only be used for attached containers/],
  ['run web --image=x --env A', /^error: invalid env: A$/],
  ['run web --image=x -t', /--stdin is required for containers with -t/],
  ['exec', /pod, type\/name or --filename must be specified/],
  ['exec web ls', /is not supported anymore\. Use exec \[POD\] -- \[COMMAND\] instead/],
  ['exec web --', /you must specify at least one command for the container/],
  ['logs', /POD or TYPE\/NAME is a required argument/],
  ['logs a -l b', /only a selector \(-l\) or a POD name is allowed/],
  ['attach', /at least 1 argument is required for attach/],
  ['cp a b', /one of src or dest must be a remote file specification/],
  ['cp a:b c:d', /one of src or dest must be a local file specification/],
  ['port-forward web', /TYPE\/NAME and list of ports are required/],
  ['port-forward web 70000', /70000/],
  ['image build app', /required option '--from <path>' not specified/],
  ['image load', /missing required argument 'file'/],
  ['cri exec web', /you must specify at least one command/],
  // Files.
  ['apply -f @/nope.yaml', /^error: the path ".*nope\.yaml" does not exist$/],
  ['apply -f @/bad.yaml', /^error: .*\/bad\.yaml:4: Nested mappings/],
  [
    'apply -f @/no-kind.yaml',
    /^error: .*\/no-kind\.yaml:3: Object 'Kind' is missing; every object has apiVersion, kind/,
  ],
  ['apply -f @/no-metadata.yaml', /^error: .*\/no-metadata\.yaml:1: Pod has no metadata/],
  ['apply -f @/words.yaml', /^error: .*\/words\.yaml:1: Object 'Kind' is missing/],
  ['apply -f @/empty.yaml', /^error: no objects in ".*empty\.yaml"$/],
  ['apply -f @/manifests', /^error: no objects in ".*manifests"$/],
  ['apply -f http://127.0.0.1:1/x.yaml', /^error: reading http:\/\/127\.0\.0\.1:1\/x\.yaml: .*/],
  ['exec -f @/nope.yaml -- ls', /the path ".*nope\.yaml" does not exist/],
  ['image load @/nope.tar', /^error: ".*nope\.tar" does not exist$/],
  [
    'image load @/manifests',
    /is a folder; "wherry image build NAME --from .*manifests" makes an image of it$/,
  ],
  ['image build app --from @/nope', /does not exist; --from takes a folder or a tar$/],
  // Nodes.
  ['status --data-dir @/none', /^error: no node in .*none; "wherry up" starts one$/],
  ['kubeconfig --data-dir @/none', /^error: no node in this folder: .* "wherry up" starts one$/],
  ['down --data-dir @/manifests', /holds no node; nothing was ended or removed$/],
  [
    'image list --data-dir @/none',
    /^error: no runtime answers at ".*images\.sock"; "wherry up" starts the node$/,
  ],
  ['cri ps -r @/none.sock', /^error: no CRI server answers at ".*none\.sock"$/],
  // Clusters.
  [
    'get pods',
    /^error: no kubeconfig at ".*nowhere-to-be-found"; .* "sudo wherry kubeconfig --merge" writes one$/,
  ],
  ['get pods --kubeconfig @/none', /none: no such file or directory$/],
  ['get pods --kubeconfig @/broken', /^error loading config file ".*broken"/],
  [
    'get pods --kubeconfig @/no-context',
    /^error: current-context is not set; choose a context with --context$/,
  ],
  ['get pods --kubeconfig @/closed --context nope', /specified context: nope; there is "x"$/],
  [
    'get pods --kubeconfig @/closed',
    /^The connection to the server 127\.0\.0\.1:1 was refused - did you specify/,
  ],
  [
    'get pods --kubeconfig @/nowhere',
    /^Unable to connect to the server no-such-host\.invalid: no such host; look at "server"/,
  ],
  [
    'get pods --kubeconfig @/strange',
    /^Unable to connect to the server 127\.0\.0\.1:\d+: .*certificate.*--certificate-authority names another$/,
  ],
  [
    'get pods --kubeconfig @/mixed',
    /^Unable to connect to the server 127\.0\.0\.1:\d+: .*speaks HTTP without TLS/,
  ],
  ['get pods --kubeconfig @/page', /^error: the answer is not JSON/],
  ['get pods --kubeconfig @/401', /^error: You must be logged in to the server \(Unauthorized\)$/],
  [
    'get pods --kubeconfig @/403',
    /^Error from server \(Forbidden\): pods is forbidden: User "x" cannot list/,
  ],
  ['get pods --kubeconfig @/500', /^Error from server \(InternalError\): the store is not there$/],
];

test('there are sixty mistakes and more', () => assert.ok(mistakes.length >= 60, `${mistakes.length}`));

for (const [line, says] of mistakes) {
  test(`wherry ${line}`, async () => {
    const { code, stderr, stdout } = await inProcess(
      line.split(' ').map((word) => word.replace('@', folder)),
    );
    assert.equal(code, 1, stderr);
    assert.match(stderr.trimEnd(), says);
    assert.doesNotMatch(stderr, /\n +at |error: error|\[object|undefined/);
    assert.equal(stdout, '');
  });
}

test('what a node needs and the machine lacks is named before anything begins', async (context) => {
  const path = process.env['PATH'];
  context.after(() => (process.env['PATH'] = path));
  process.env['PATH'] = folder;
  const root = context.mock.method(process as { geteuid(): number }, 'geteuid', () => 0);
  const lacking = await inProcess(['up', '--data-dir', join(folder, 'never')]);
  assert.match(
    lacking.stderr,
    /^error: not found in PATH: runc or crun, .*; nft, .* apt-get install runc nftables\./,
  );
  root.mock.mockImplementation(() => 1000);
  const user = await inProcess(['up', '--data-dir', join(folder, 'never')]);
  assert.match(user.stderr, /^error: a node needs root: .*; run it with sudo$/m);
});

test('ending a node that is not there is fine, and said', async () => {
  const { code, stderr } = await inProcess(['down', '--data-dir', join(folder, 'none')]);
  assert.deepEqual([code, stderr], [0, `no node in ${join(folder, 'none')}\n`]);
});
