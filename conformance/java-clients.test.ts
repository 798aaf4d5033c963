/** The clients for Java on a whole node: fabric8's, over three HTTP clients, and Kubernetes' own. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { testImage } from '../e2e/image.ts';
import { TestNode } from '../e2e/node.ts';
import { buildJavaProgram, javaWords } from './javaclients/build.ts';
import { startGoPeer } from './peers/go-process.ts';

/** What is tried of each client; behind those of `deaths` the API server is killed while they run. */
const topics = [
  'apply',
  'credentials',
  'custom-resources',
  'files',
  'forwarding',
  'leaders',
  'logs',
  'objects',
  'sessions',
  'workloads',
];
const deaths = ['informers'];
/** The HTTP clients that fabric8's client comes with. */
const httpClients = ['jdk', 'okhttp', 'vertx'];
let node: TestNode;

before(async () => {
  buildJavaProgram();
  node = await TestNode.start('java');
});
after(() => node?.remove());

async function judge(client: string, topic: string): Promise<void> {
  const words = [...javaWords(), node.kubeconfig, testImage, client, topic];
  await using peer = startGoPeer('java', words);
  if (deaths.includes(topic)) {
    await peer.output(/^kill$/m);
    process.kill(await node.pidOf('apiserver'), 'SIGKILL');
    await node.up();
    peer.process.stdin?.write('it is back\n');
  }
  const { exitCode, stdout, stderr } = await peer.result;
  assert.equal(exitCode, 0, `${stdout}${stderr}`);
}

for (const client of httpClients) {
  describe(`fabric8's client over ${client}`, () => {
    for (const topic of [...topics, ...deaths]) {
      test(`finds everything as it should be: ${topic}`, () => judge(client, topic));
    }
  });
}

describe("Kubernetes' own client", () => {
  for (const topic of ['objects', 'sessions', 'informers']) {
    test(`finds everything as it should be: ${topic}`, () => judge('official', topic));
  }
});
