/**
 * What programs on kubernetes-client do, which makes its calls of the OpenAPI document that the server has, in the cluster
 * of KUBECONFIG with the pod `talks`. Prints JSON of what came of it. Its types are older than itself.
 */
import kubernetesClient from 'kubernetes-client';
import Request from 'kubernetes-client/backends/request/index.js';

const settledMs = 1500;
const pause = () => new Promise((resolve) => setTimeout(resolve, settledMs));

const kubeconfig = new kubernetesClient.KubeConfig();
kubeconfig.loadFromDefault();
const client = new kubernetesClient.Client({ backend: new Request({ kubeconfig }) });
await client.loadSpec();
const namespaced = (group) => group.namespaces('default');
const core = namespaced(client.api.v1);
const maps = core.configmaps;

const pods = (await core.pods.get()).body.items.map(({ metadata }) => metadata.name);
// It asks without an upgrade first, and upgrades when it is told to.
const command = ['sh', '-c', 'echo out; echo oops >&2; exit 3'];
const ran = await core
  .pods('talks')
  .exec.post({ qs: { command, container: 'main', stdout: true, stderr: true } });
const log = (await core.pods('talks').log.get({ qs: { tailLines: 1 } })).body;
const scale = (await namespaced(client.apis.apps.v1).deployments('many').scale.get()).body.spec;

const seen = [];
const following = await namespaced(client.api.v1.watch).configmaps.getObjectStream();
following.on('data', ({ type, object }) => seen.push(`${type} ${object.metadata.name}`));
await pause();
await maps.post({ body: { metadata: { name: 'made' }, data: { a: 'b' } } });
await maps('made').patch({ body: { data: { c: 'd' } } });
await maps('made').delete();
await pause();

const missing = await maps('made')
  .get()
  .catch(({ statusCode, message }) => `${statusCode} ${message}`);
console.log(
  JSON.stringify({
    ...{ pods, log, scale, missing },
    messages: ran.messages.filter(({ message }) => message !== ''),
    seen: seen.filter((line) => line.endsWith(' made')),
  }),
);
process.exit();
