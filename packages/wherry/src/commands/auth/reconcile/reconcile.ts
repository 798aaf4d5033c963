import type { KubeClient, KubeObject } from '@wherry/client';
import { parseApiVersion } from '@wherry/kubeapi';
import { CommandError } from '../../../errors.ts';
import { clientFor, type KubeFlags } from '../../../kube/flags.ts';
import { type FoundManifest, readManifests } from '../../../objects/manifests/manifests.ts';
import { typedManifest } from '../../../objects/manifests/typed-manifest.ts';
import { inNamespace, namespaceOf } from '../../../objects/namespace-of.ts';
import { resourceOfKind } from '../../../objects/of-kind.ts';
import { type OutcomeFlags, outcomePrinter } from '../../../objects/outcome.ts';
import { Failures } from '../../../output/failures.ts';
import { bindingReconciler } from './bindings.ts';
import { reconcile, type Wanted } from './carry-out.ts';
import type { Plan, Reconciler } from './plan.ts';
import { roleReconciler } from './roles.ts';

/** Flags of `wherry auth reconcile`. */
export interface ReconcileFlags extends KubeFlags, OutcomeFlags {
  filename: string[];
  recursive?: boolean;
  removeExtraPermissions?: boolean;
  removeExtraSubjects?: boolean;
}

/** Gives roles and bindings what files want of them; objects of other kinds are passed over. */
export async function authReconcile(words: readonly string[], flags: ReconcileFlags): Promise<void> {
  if (words.length > 0) throw new CommandError('no arguments are allowed');
  if (flags.dryRun === 'server')
    throw new CommandError('--dry-run=server for command reconcile is not supported yet');
  const client = clientFor(flags);
  const tell = outcomePrinter(flags, { isTyped: true });
  const failures = new Failures();
  const isRecursive = flags.recursive === true;
  for (const manifest of await readManifests(flags.filename, { isRecursive, failures })) {
    const done = await failures.attempt(reconcileOne(client, manifest, flags));
    if (!done) continue;
    const { wanted, plan, reconciler } = done;
    tell({ resource: wanted.resource, object: plan.object, done: 'reconciled' });
    explain(plan, reconciler, flags);
  }
  failures.report();
}

async function reconcileOne(client: KubeClient, manifest: FoundManifest, flags: ReconcileFlags) {
  const { apiVersion, kind } = manifest.object;
  const { group, version } = parseApiVersion(apiVersion) ?? {};
  if (group === 'rbac.authorization.k8s.io' && version !== 'v1')
    throw new CommandError(`only rbac.authorization.k8s.io/v1 is supported: not *${version}.${kind}`);
  const object = typedManifest(manifest);
  const reconciler = reconcilerFor(object, flags);
  if (!reconciler) return undefined;
  const wanted = wantedObject(client, { manifest, object, flags });
  const plan = await reconcile(client, wanted, { reconciler, isDry: flags.dryRun === 'client' });
  return { wanted, plan, reconciler };
}

function reconcilerFor(
  { apiVersion, kind }: KubeObject,
  { removeExtraPermissions = false, removeExtraSubjects = false }: ReconcileFlags,
): Reconciler<KubeObject> | undefined {
  if (apiVersion !== 'rbac.authorization.k8s.io/v1') return undefined;
  if (kind === 'Role' || kind === 'ClusterRole')
    return roleReconciler(removeExtraPermissions) as unknown as Reconciler<KubeObject>;
  if (kind === 'RoleBinding' || kind === 'ClusterRoleBinding')
    return bindingReconciler(removeExtraSubjects) as unknown as Reconciler<KubeObject>;
  return undefined;
}

function wantedObject(
  client: KubeClient,
  { manifest, object, flags }: { manifest: FoundManifest; object: KubeObject; flags: ReconcileFlags },
): Wanted<KubeObject> {
  const resource = resourceOfKind(object);
  const namespace = namespaceOf(manifest, resource, { flags, client });
  const { name } = object.metadata ?? {};
  if (!name) throw new CommandError(`${manifest.place}: resource name may not be empty`);
  const placed = inNamespace(object, namespace);
  return { resource, name, namespace, object: placed };
}

/** Says what had to be done. What is not wanted is told of where it goes. */
function explain(plan: Plan<KubeObject>, { parts }: Reconciler<KubeObject>, flags: ReconcileFlags): void {
  const { operation, isProtected, missing, extra } = plan;
  if (operation === 'none') return;
  const caveat = isProtected
    ? ', but object opted out (rbac.authorization.kubernetes.io/autoupdate: false)'
    : '';
  console.error(`\treconciliation required ${operation}${caveat}`);
  const removes = parts === 'rules' ? flags.removeExtraPermissions : flags.removeExtraSubjects;
  sayAll(`missing ${parts} added`, missing);
  if (removes) sayAll(`extra ${parts} removed`, extra);
}

function sayAll(what: string, texts: readonly string[]): void {
  if (texts.length > 0) console.error(`\t${what}:`);
  for (const text of texts) console.error(`\t\t${text}`);
}
