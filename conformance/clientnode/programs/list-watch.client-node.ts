import { CoreV1Api, KubeConfig, type V1ConfigMap, Watch } from '@kubernetes/client-node';

const config = new KubeConfig();
config.loadFromDefault();
const namespace = config.getContextObject(config.getCurrentContext())?.namespace ?? 'default';
const api = config.makeApiClient(CoreV1Api);
let next: string | undefined;
let resourceVersion: string | undefined;
do {
  const page = await api.listNamespacedConfigMap({ namespace, limit: 500, _continue: next });
  for (const { metadata } of page.items) console.log('ADDED', metadata?.name);
  next = page.metadata?._continue;
  resourceVersion = page.metadata?.resourceVersion;
} while (next);
await new Promise<void>((resolve, reject) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const watching = new Watch(config).watch(
    path,
    { resourceVersion },
    (type: string, object: V1ConfigMap) => {
      console.log(type, object.metadata?.name);
      if (object.metadata?.name !== 'signal') return;
      resolve();
      void watching.then((controller) => controller.abort());
    },
    (error: unknown) => (error ? reject(error) : resolve()),
  );
});
