/** What programs on kubernetes-fluent-client do, in the cluster of KUBECONFIG with the pod `talks`. Prints JSON of what came of it. */
import { type GenericKind, K8s, kind, RegisterKind, type WatchEvent } from 'kubernetes-fluent-client';

const namespace = 'default';
const settledMs = 1500;
const pause = () => new Promise((resolve) => setTimeout(resolve, settledMs));

/** A kind that was not built in, as `kubernetes-fluent-client crd` writes one. */
class Boat implements GenericKind {
  metadata?: GenericKind['metadata'];
  spec?: { sails: number };
  [key: string]: unknown;
}
RegisterKind(Boat, { group: 'harbour.example.com', version: 'v1', kind: 'Boat', plural: 'boats' });

const configMap = (name: string, data: Record<string, string>) => ({ metadata: { name, namespace }, data });
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'nothing',
    ({ status, data }) => `${status} ${data.reason}`,
  );

const maps = K8s(kind.ConfigMap);
const namedMaps = K8s(kind.ConfigMap).InNamespace(namespace);
await maps.Apply(configMap('fluent', { a: '1' }));
await maps.Apply(configMap('fluent', { b: '2' }));
const patched = await K8s(kind.ConfigMap, { name: 'fluent', namespace }).Patch([
  { op: 'add', path: '/data/c', value: '3' },
]);
await namedMaps.Finalize('add', 'example.com/held', 'fluent');
const held = (await namedMaps.Get('fluent')).metadata?.finalizers;
await namedMaps.Finalize('remove', 'example.com/held', 'fluent');
const released = (await namedMaps.Get('fluent')).metadata?.finalizers ?? [];

const seen: string[] = [];
const told: string[] = [];
const watcher = K8s(kind.ConfigMap)
  .InNamespace(namespace)
  .Watch((object, phase) => void seen.push(`${phase} ${object.metadata?.name}`));
for (const event of ['network_error', 'data_error', 'give_up', 'list_error', 'watch_error'] as WatchEvent[])
  watcher.events.on(event, (error) => void told.push(`${event} ${error}`));
await watcher.start();
await pause();
await maps.Apply(configMap('watched', { a: '1' }));
await maps.Apply(configMap('watched', { a: '2' }));
await namedMaps.Delete('watched');
await pause();
watcher.close();

await K8s(Boat).Apply({ metadata: { name: 'wherry', namespace }, spec: { sails: 1 } });
const boats = await K8s(Boat).InNamespace(namespace).Get();

const pods = K8s(kind.Pod).InNamespace(namespace);
const [line] = (await pods.Logs('talks')).slice(-1);
const page = await pods.Proxy('talks', '8080').then(
  () => 'a page',
  ({ status }) => status,
);
await K8s(kind.Deployment).InNamespace(namespace).Scale(2, 'many');
await K8s(kind.Pod).InNamespace(namespace).Evict('evicted');

console.log(
  JSON.stringify({
    ...{ data: patched.data, held, released, told, line, page, boats: boats.items.map(({ spec }) => spec) },
    seen: seen.filter((entry) => entry.endsWith(' watched')),
    missing: await refusal(namedMaps.Get('nobody')),
    again: await refusal(maps.Create(configMap('fluent', {}))),
  }),
);
process.exit();
